"""Twin of selfimprintd/app.py: every failure is a problem of one form."""

from __future__ import annotations

import json
from typing import Any

from calling import send
from live import LiveServer

from selfimprintd.app import invalid_fields


def test_an_unknown_route_and_a_wrong_method_are_problems_too(live: LiveServer) -> None:
    """404 and 405 of the framework have our form."""
    assert send(live, "GET", "/nothing", None, 404)["code"] == "no-route"
    status, headers, body = live.ask("PUT", "/api/v1/nodes", {})
    assert (status, json.loads(body)["code"], headers["allow"]) == (405, "wrong-method", "GET")


def test_a_failure_nobody_foresaw_is_a_500_without_its_story(live: LiveServer) -> None:
    """No message, no stack."""

    def broken() -> Any:
        raise RuntimeError("the canary sings")

    live.daemon.memories["default"].status = broken  # type: ignore[method-assign]
    status, _, body = live.ask("GET", "/api/v1/status")
    assert (status, json.loads(body)["code"]) == (500, "internal")
    assert b"canary" not in body and b"Trace" not in body


def test_an_unknown_field_of_odd_form_is_not_repeated() -> None:
    """Only plain field names are shown; anything else might be what a person wrote."""
    found = [{"type": "extra_forbidden", "loc": ("body", "one", "My Secret Diary"), "msg": "x"}]
    assert invalid_fields(found) == [{"field": "?", "problem": "not a field here"}]
