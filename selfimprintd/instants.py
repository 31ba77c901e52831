"""Times at the rim: ISO-8601 with an offset outside, microseconds since 1970-01-01T00:00Z inside; exact both ways."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(Z|z|[+-]\d\d(?::?\d\d)?)?", re.ASCII
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_WIDEST_OFFSET_MINUTES = 18 * 60
_MICROSECOND_DIGITS = 6
_DIGITS = re.compile(r"-?\d{1,18}", re.ASCII)

INSTANT_KEYS = frozenset(
    {
        "at", "as_of", "known_at", "created_at", "retired_at", "archived_at", "valid_from", "valid_to", "recorded_at",
        "started_at", "ended_at", "last_confirmed_at", "last_reinforced_at", "when", "when_end", "first_at", "last_at",
        "from", "to", "since", "until", "now",
    }
)  # fmt: skip
"""Keys under which an integer in an answer (or its digits, in a node's attributes) is an instant."""


class BadTime(ValueError):
    """Text that is no exact instant; the message says what to write instead."""


def parse_instant(text: str) -> tuple[int, int]:
    """Microseconds and the offset in minutes of `2026-03-01T09:30:00.123456+02:00`, `…Z`; BadTime otherwise."""
    match = _ISO.fullmatch(text)
    if match is None:
        if _DATE.fullmatch(text):
            raise BadTime("add a time and an offset, like 2026-03-01T09:30:00+02:00")
        raise BadTime("write the time as ISO-8601 with an offset, like 2026-03-01T09:30:00+02:00")
    *parts, fraction, zone = match.groups()
    if zone is None:
        raise BadTime("add an offset like +02:00, or Z for UTC")
    if fraction and len(fraction) > _MICROSECOND_DIGITS:
        raise BadTime("give at most microseconds, six digits after the second")
    offset = _offset_minutes(zone)
    micros = int((fraction or "0").ljust(_MICROSECOND_DIGITS, "0"))
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in parts)
        local = datetime(year, month, day, hour, minute, second, micros, tzinfo=UTC)
    except ValueError as error:
        raise BadTime("that date or time does not exist") from error
    return (local - _EPOCH) // _MICROSECOND - offset * 60_000_000, offset


def _offset_minutes(zone: str) -> int:
    if zone in "Zz":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    if int(digits[2:]) > 59 or minutes > _WIDEST_OFFSET_MINUTES:
        raise BadTime("that offset does not exist; write it like +02:00")
    return -minutes if zone[0] == "-" else minutes


def format_instant(micros: int, offset_minutes: int = 0) -> str:
    """ISO-8601 in the given offset (`Z` for none), microseconds where there are any; reads back to the same instant."""
    try:
        zone = timezone(timedelta(minutes=offset_minutes))
        local = (_EPOCH + micros * _MICROSECOND).astimezone(zone)
    except (OverflowError, ValueError):  # outside the calendar: the number is the only exact thing to say
        return str(micros)
    text = local.isoformat()
    return text.removesuffix("+00:00") + "Z" if offset_minutes == 0 else text


def present(value: Any) -> Any:
    """A facade's answer with its instants as text: integers under `INSTANT_KEYS` or a key ending in `_us`."""
    if isinstance(value, dict):
        offset = value.get("offset_minutes", 0)
        offset = offset if isinstance(offset, int) else 0
        shown = {}
        for key, inner in value.items():
            name = key.removesuffix("_us")
            is_instant = name != key or key in INSTANT_KEYS
            if is_instant and (type(inner) is int or (type(inner) is str and _DIGITS.fullmatch(inner))):
                shown[name] = format_instant(int(inner), offset)
            else:
                shown[name] = present(inner)
        return shown
    if isinstance(value, list | tuple):
        return [present(inner) for inner in value]
    return value
