"""Clocks: the system's, and one that a test moves."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from selfimprintd.clock import FileClock, SystemClock, make_clock
from selfimprintd.config import Config
from selfimprintd.instants import BadTime
from selfimprintd.paths import find_paths


def test_the_system_clock_counts_microseconds() -> None:
    """Between two readings of the same clock lies this one."""
    before = time.time_ns() // 1000
    assert before <= SystemClock().now_us() <= time.time_ns() // 1000


def test_the_file_clock_is_read_at_each_call(tmp_path: Path) -> None:
    """ISO-8601 or microseconds, forwards and backwards."""
    path = tmp_path / "now"
    path.write_text("1970-01-01T00:00:01Z\n")
    clock = FileClock(path)
    assert clock.now_us() == 1_000_000
    path.write_text("5000000")
    assert clock.now_us() == 5_000_000
    path.write_text("1970-01-01T02:00:00+02:00")
    assert clock.now_us() == 0


def test_a_clock_file_caught_half_written_keeps_the_last_reading(tmp_path: Path) -> None:
    """A test may rewrite the file while the daemon reads it."""
    path = tmp_path / "now"
    path.write_text("1000000")
    clock = FileClock(path)
    for broken in (b"", b"2026-03-", b"\xff", b"2026-03-01T10:00:00"):
        path.write_bytes(broken)
        assert clock.now_us() == 1_000_000
    path.unlink()
    assert clock.now_us() == 1_000_000


def test_a_clock_that_was_never_readable_refuses_to_start(tmp_path: Path) -> None:
    """A wrong path must not mean the real time."""
    with pytest.raises(BadTime, match="clock file"):
        FileClock(tmp_path / "missing")


def test_the_config_names_the_clock(tmp_path: Path) -> None:
    """`system`, or the file after `file:`."""
    (tmp_path / "now").write_text("7")
    config = Config(paths=find_paths(str(tmp_path), {}))
    assert isinstance(make_clock(config), SystemClock)
    assert make_clock(replace(config, testing=True, clock=f"file:{tmp_path / 'now'}")).now_us() == 7
