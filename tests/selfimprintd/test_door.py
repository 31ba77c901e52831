"""Twin of selfimprintd/door.py: threads, the owner's offset, and how an answer is written."""

from __future__ import annotations

import threading
from typing import Any

from calling import send
from live import LiveServer, parse


def test_a_message_without_a_time_gets_the_owners_offset(live: LiveServer) -> None:
    """The configured zone is Tallinn: two or three hours."""
    said = send(live, "POST", "/messages", {"role": "user", "content": "x"})["messages"][0]
    assert said["offset_minutes"] in (120, 180)
    assert said["warnings"] == ["time-assumed"]


def test_a_slow_call_does_not_hold_up_quick_ones(live: LiveServer) -> None:
    """As many waiting drains as there are slow threads leave status as it was."""
    release = threading.Event()

    def waits(timeout_s: float) -> dict[str, Any]:
        return {"drained": release.wait(20), "waiting": 0}

    live.daemon.memories["default"].drain = waits  # type: ignore[method-assign,assignment]
    drains = [threading.Thread(target=lambda: live.ask("POST", "/api/v1/drain", {})) for _ in range(20)]
    for drain in drains:
        drain.start()
    assert live.ask("GET", "/api/v1/status")[0] == 200
    release.set()
    for drain in drains:
        drain.join(10)


def test_the_answer_on_the_wire_is_utf8_and_says_its_length(live: LiveServer) -> None:
    """No escapes, so that a person can read a log of it."""
    send(live, "POST", "/messages", {"role": "user", "content": "Õhtul läksime Пярну 🌊"})
    _, headers, body = live.ask("GET", "/api/v1/nodes")
    assert "Õhtul läksime Пярну 🌊" in body.decode()
    assert int(headers["content-length"]) == len(body)
    assert parse(b"") == (0, {}, b"")
