"""Twin of selfimprintd/trace.py."""

from __future__ import annotations

import pytest
from graphs import START
from records import make_message
from selfimprint.engine.graph import DAY_US

from selfimprintd import trace
from selfimprintd.trace import Trace


def _nothing(name: str) -> bytes:
    raise AssertionError(f"{name} was read")


def test_an_index_larger_than_a_document_may_be_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is cut into parts; put together in order they place every turn again, and no session file is read."""
    monkeypatch.setattr(trace, "INDEX_PART_BYTES", 1_000)
    told = Trace(_nothing)
    for number in range(200):
        at = START + number * DAY_US
        told.add(make_message(f"m_{number}", at=at, session=f"s_{number // 9}", position=number % 9))
    parts = told.index_files()
    assert len(parts) > 3
    again = Trace(_nothing)
    again.load_index(parts[f"{trace.INDEX}.{number}"] for number in range(len(parts)))
    assert list(again.known()) == list(told.known())
    assert again.sessions == told.sessions
    assert len(again) == 200 and "m_7" in again and "m_200" not in again


def test_only_the_file_that_is_asked_for_is_read() -> None:
    """A turn of a checkpointed month is read from that month's file alone, and let go again on release."""
    told = Trace(_nothing)
    messages = [make_message(f"m_{n}", f"turn {n}", at=START + n * 40 * DAY_US) for n in range(4)]
    for message in messages:
        told.add(message)
    files = {name: told.file_bytes(name) for name in told.dirty}
    index = told.index_files()
    read: list[str] = []
    again = Trace(lambda name: read.append(name) or files[name])  # type: ignore[func-returns-value]
    again.load_index(index.values())
    assert again.get("m_2") == messages[2] and again.get("m_9") is None
    assert len(read) == 1
    again.release()
    assert again.session("s_1") == messages
    assert list(again.all()) == messages
