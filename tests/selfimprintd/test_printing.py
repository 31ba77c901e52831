"""Twin of selfimprintd/printing.py."""

from __future__ import annotations

from commands import AT, Captured, run
from live import LiveServer


def test_escape_sequences_in_a_memory_do_not_reach_the_terminal(live: LiveServer, capsys: Captured) -> None:
    """Someone else's words may hold them."""
    run(capsys, live, "add", "hello \x1b[2J\x1b]0;owned\x07", "--at", AT)
    assert "\x1b" not in run(capsys, live, "show")[1]
