"""Twin of selfimprintd/routes_history.py: the timeline and the sessions."""

from __future__ import annotations

from calling import get, send
from live import LiveServer


def test_sessions_of_any_name_can_be_read(live: LiveServer) -> None:
    """Slashes, blanks and other letters in a session's id survive the path."""
    for name, quoted in (("a/b", "a%2Fb"), ("чат 1", "%D1%87%D0%B0%D1%82%201"), ("x?y#z", "x%3Fy%23z")):
        send(live, "POST", "/messages", {"role": "user", "content": "tea", "session": name})
        assert get(live, f"/sessions/{quoted}")["id"] == name


def test_the_timeline_takes_its_ends_with_or_without_an_encoded_plus(live: LiveServer) -> None:
    """A + in a query is a blank to most readers; both forms mean the offset."""
    for hour in ("08", "10"):
        send(live, "POST", "/messages", {"role": "user", "content": hour, "at": f"2026-03-01T{hour}:00:00+02:00"})
    for plus in ("%2B", "+"):
        found = get(live, f"/timeline?from=2026-03-01T09:00:00{plus}02:00")["entries"]
        assert [entry["node"]["content"] for entry in found] == ["10"]
    assert live.ask("GET", "/api/v1/timeline?from=2026-03-01")[0] == 422
