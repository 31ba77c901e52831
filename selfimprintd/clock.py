"""Where "now" comes from: the system's clock, or a file that a test moves."""

from __future__ import annotations

import time
from pathlib import Path

from selfimprint.engine.ports import Clock

from selfimprintd.config import Config
from selfimprintd.instants import BadTime, parse_instant


class SystemClock:
    def now_us(self) -> int:
        return time.time_ns() // 1000


class FileClock:
    """Reads the instant from a file at each call: ISO-8601 with an offset, or microseconds.

    A file caught half-written or gone keeps the last instant read; the first reading must succeed (BadTime)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = self._read()

    def _read(self) -> int:
        try:
            text = self._path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BadTime(f"cannot read the clock file {self._path}; write an ISO-8601 time into it") from error
        if text.removeprefix("-").isdecimal() and text.isascii():
            return int(text)
        return parse_instant(text)[0]

    def now_us(self) -> int:
        try:
            self._last = self._read()
        except BadTime:
            return self._last
        return self._last


def make_clock(config: Config) -> Clock:
    """The clock that the setting `system` or `file:PATH` names; a file only in tests, as the config made sure."""
    if config.clock == "system":
        return SystemClock()
    return FileClock(Path(config.clock.removeprefix("file:")))
