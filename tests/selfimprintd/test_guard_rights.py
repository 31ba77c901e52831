"""Of selfimprintd/guard.py: what a token opens, and what nothing opens without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from calling import code_of, count
from live import LiveServer, parse, with_limits

MESSAGE = {"role": "user", "content": "We live in Tartu."}


READS = (
    "/api/v1/status", "/api/v1/nodes", "/api/v1/nodes/n-default-0", "/api/v1/why/n-default-0", "/api/v1/why-not?q=x",
    "/api/v1/graph", "/api/v1/timeline", "/api/v1/sessions", "/api/v1/sessions/s1", "/api/v1/deltas", "/api/v1/events",
    "/api/v1/openapi.json", "/docs", "/redoc", "/openapi.json", "/", "/ui", "/mcp", "/v1/models", "/api/v1/nothing",
)  # fmt: skip


WRITES = (
    ("POST", "/api/v1/messages", MESSAGE), ("POST", "/api/v1/context", {"message": "x"}),
    ("POST", "/api/v1/recall", {"query": "x"}), ("POST", "/api/v1/undo/d0", {}), ("POST", "/api/v1/drain", {}),
    ("PATCH", "/api/v1/nodes/n-default-0", {"pinned": True}), ("DELETE", "/api/v1/nodes/n-default-0", None),
)  # fmt: skip


@pytest.mark.parametrize("path", READS)
def test_no_read_is_answered_without_a_token(live: LiveServer, path: str) -> None:
    """Reads, documents, mounts to come and unknown paths alike need a token."""
    _, headers, _ = answer = live.ask("GET", path, headers={"Authorization": None})
    assert code_of(answer) == (401, "no-token")
    assert headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_no_write_is_done_without_a_token(live: LiveServer, method: str, path: str, body: Any) -> None:
    """Nothing changes for a stranger, whatever the route."""
    live.ask("POST", "/api/v1/messages", MESSAGE)
    assert code_of(live.ask(method, path, body, headers={"Authorization": None}))[0] == 401
    assert count(live) == 1
    assert live.ask("GET", "/api/v1/nodes/n-default-0")[0] == 200


@pytest.mark.parametrize(
    "value",
    ["Bearer", "Bearer ", "Basic {token}", "{token}", "Bearer x{token}", "Bearer {token}x", "Bearer {short}",
     "Bearer {upper}", "Bearer {token}, Bearer {token}", "Bearer " + "a" * 46, "Bearer \u00e9"],
)  # fmt: skip
def test_no_token_but_the_whole_one_opens(value: str, short_home: Path) -> None:
    """Cut, padded, recased, foreign and non-ASCII tokens are unknown ones."""
    live = LiveServer(short_home)
    try:
        token = live.token
        sent = value.format(token=token, short=token[:-1], upper=token.upper())
        assert code_of(live.ask("GET", "/api/v1/status", headers={"Authorization": sent}))[0] == 401
    finally:
        live.stop()


def test_two_authorization_headers_are_none(live: LiveServer) -> None:
    """Two headers are refused even when both are right."""
    line = f"Authorization: Bearer {live.token}\r\n"
    request = f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n{line}{line}Connection: close\r\n\r\n"
    assert parse(live.exchange(request.encode()))[0] == 401


def test_many_unknown_tokens_are_slowed_and_the_owner_is_not(short_home: Path) -> None:
    """After the allowed number of failures strangers get 429 with Retry-After; a valid token still opens."""
    live = LiveServer(short_home, limits=with_limits(failed_tokens=3))
    try:
        statuses = [live.ask("GET", "/api/v1/status", token="si_" + "x" * 43)[0] for _ in range(5)]
        assert statuses == [401, 401, 401, 429, 429]
        headers = live.ask("GET", "/api/v1/status", token="si_" + "x" * 43)[1]
        assert 0 < int(headers["retry-after"]) <= 61
        assert live.ask("GET", "/api/v1/status")[0] == 200
        assert live.ask("GET", "/api/v1/status", headers={"Authorization": None})[0] == 401
    finally:
        live.stop()


def test_health_needs_no_token_and_shows_one_word(live: LiveServer) -> None:
    """Health says whether the daemon answers, and nothing else that it knows."""
    status, _, body = live.ask("GET", "/api/v1/health", headers={"Authorization": None})
    assert (status, json.loads(body)) == (200, {"status": "ok"})


@pytest.mark.parametrize("path", ["/api/v1/health/", "//api/v1/health", "/api/v1/health/../status", "/api/v1/health;x"])
def test_nothing_near_health_is_open(live: LiveServer, path: str) -> None:
    """Only the exact path is free of tokens."""
    assert live.ask("GET", path, headers={"Authorization": None})[0] == 401
    assert live.ask("POST", "/api/v1/health", {}, headers={"Authorization": None})[0] == 401


def test_locked_answers_423_everywhere_but_health(live: LiveServer) -> None:
    """A locked memory still says that it is locked, and only to those with a token."""
    live.daemon.is_locked = True
    for path in READS:
        assert live.ask("GET", path)[0] == 423
    assert code_of(live.ask("POST", "/api/v1/messages", MESSAGE)) == (423, "locked")
    assert live.ask("GET", "/api/v1/status", headers={"Authorization": None})[0] == 401
    assert json.loads(live.ask("GET", "/api/v1/health")[2]) == {"status": "locked"}


@pytest.mark.parametrize("path", ["/api/v1/nodes/{id}", "/api/v1/why/{id}"])
def test_another_profiles_id_is_answered_like_an_unknown_one(live: LiveServer, path: str) -> None:
    """Status, headers and body are the same for another's id and for none (R9)."""
    live.ask("POST", "/api/v1/messages", MESSAGE, token=live.issue("other"))
    assert live.ask("GET", "/api/v1/nodes/n-other-0", token=live.issue("other"))[0] == 200
    assert live.ask("GET", path.format(id="n-other-0")) == live.ask("GET", path.format(id="n-nobody-0"))


@pytest.mark.parametrize("where", ["?profile=other", "?profile_id=other"])
def test_the_profile_comes_from_the_token_only(live: LiveServer, where: str) -> None:
    """A profile in the query or in the body is an unknown field."""
    assert live.ask("GET", f"/api/v1/status{where}")[0] == 422
    assert live.ask("POST", "/api/v1/messages", {**MESSAGE, "profile": "other"})[0] == 422
    live.ask("GET", "/api/v1/status", headers={"X-Profile": "other"})
    assert json.loads(live.ask("GET", "/api/v1/status", headers={"X-Profile": "other"})[2])["profile"] == "default"


def test_a_token_does_only_what_its_scopes_say(live: LiveServer) -> None:
    """A reader cannot write, a writer cannot read."""
    reader, writer = live.issue("default", ("read",)), live.issue("default", ("write",))
    for method, path, body in WRITES:
        token = writer if path.endswith(("/context", "/recall")) else reader
        assert code_of(live.ask(method, path, body, token=token)) == (403, "scope-missing")
    assert live.ask("GET", "/api/v1/status", token=writer)[0] == 403
    assert live.ask("GET", "/api/v1/status", token=reader)[0] == 200


def test_a_cloud_token_is_given_nothing_yet(live: LiveServer) -> None:
    """Until sensitive items can be withheld and the ledger written, no text leaves for a cloud audience."""
    token = live.issue("default", audience="cloud")
    assert code_of(live.ask("POST", "/api/v1/context", {"message": "x"}, token=token)) == (403, "audience-closed")
