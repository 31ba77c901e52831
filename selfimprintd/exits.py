"""Exit statuses of the commands; stable, and documented in docs/api.md."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    NOT_RUNNING = 3
    NOT_ALLOWED = 4
    NOT_FOUND = 5
    BAD_INPUT = 6
    LOCKED = 7
    SETUP = 8
    UNAVAILABLE = 9
    INTERRUPTED = 130

    @classmethod
    def of_status(cls, status: int) -> Exit:
        """The exit status that an HTTP status of the API comes to."""
        if status in (401, 403, 421, 429):
            return cls.NOT_ALLOWED
        if status == 404:
            return cls.NOT_FOUND
        if status == 423:
            return cls.LOCKED
        if status in (409, 503, 507):
            return cls.UNAVAILABLE
        return cls.BAD_INPUT if 400 <= status < 500 else cls.UNEXPECTED
