"""Requests to the listening daemon whose answers are looked at as JSON."""

from __future__ import annotations

import json
from typing import Any

from live import LiveServer

AT = "2026-03-01T09:30:00.000001+02:00"


def get(live: LiveServer, path: str) -> Any:
    """The answer of a route that must succeed."""
    status, headers, body = live.ask("GET", f"/api/v1{path}")
    assert status == 200 and headers["content-type"] == "application/json", body
    return json.loads(body)


def send(live: LiveServer, method: str, path: str, body: Any, expect: int = 200) -> Any:
    """The answer to a body, which must have the status."""
    status, _, answer = live.ask(method, f"/api/v1{path}", body)
    assert status == expect, answer
    return json.loads(answer)


def code_of(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    """Status and code of a refusal, which must be a whole problem."""
    status, headers, body = answer
    assert headers["content-type"] == "application/problem+json"
    problem = json.loads(body)
    assert problem["status"] == status and problem["detail"] and problem["title"]
    return status, problem["code"]


def count(live: LiveServer) -> int:
    """How many messages the default memory holds."""
    return int(live.daemon.memories["default"].status()["messages"])
