"""Dates in a clause: the pack's span grammars find a span, own arithmetic turns it into an interval.

All arithmetic happens on the local calendar of the message (its instant plus its offset); results are half-open
intervals in microseconds UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from selfimprint.engine.extraction.numbers import parse_number
from selfimprint.engine.extraction.packs.model import DateRule, Pack

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PAST_UNITS = {"day": 1, "week": 7}
_DAY_PARTS = {"morning": (6, 12), "noon": (12, 14), "afternoon": (12, 18), "evening": (18, 23), "night": (20, 30)}
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """A date expression from `start` to `end` in the text; `when` is absent for a recurring one."""

    start: int
    end: int
    text: str
    when: tuple[int, int] | None
    recurring: bool = False


@dataclass(frozen=True, slots=True)
class _Anchor:
    """The message's local calendar."""

    today: date
    offset: timedelta

    def interval(self, first: date, after: date, start_hour: int = 0, hours: int = 0) -> tuple[int, int]:
        begin = datetime.combine(first, time(), tzinfo=UTC) - self.offset + timedelta(hours=start_hour)
        end = begin + timedelta(hours=hours) if hours else datetime.combine(after, time(), tzinfo=UTC) - self.offset
        return _micros(begin), _micros(end)


def _micros(instant: datetime) -> int:
    return (instant - _EPOCH) // timedelta(microseconds=1)


def anchor_of(at_us: int, offset_minutes: int) -> _Anchor:
    """The local calendar day of an instant at an offset."""
    offset = timedelta(minutes=offset_minutes)
    return _Anchor((_EPOCH + timedelta(microseconds=at_us) + offset).date(), offset)


def add_months(day: date, months: int) -> date:
    """The same day of month so many months on, or the month's last day where it has no such day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, min(day.day, last))
        except ValueError:
            continue
    raise ValueError(day)


def _unit_span(day: date, unit: str, shift: int) -> tuple[date, date]:
    """The calendar day, week, weekend, month or year `shift` units from the one that holds `day`."""
    if unit == "day":
        first = day + timedelta(days=shift)
        return first, first + timedelta(days=1)
    if unit == "week":
        first = day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
        return first, first + timedelta(weeks=1)
    if unit == "weekend":
        monday = day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
        return monday + timedelta(days=5), monday + timedelta(days=7)
    if unit == "month":
        first = add_months(day.replace(day=1), shift)
        return first, add_months(first, 1)
    first = date(day.year + shift, 1, 1)
    return first, date(day.year + shift + 1, 1, 1)


def _season(day: date, season: str, shift: int) -> tuple[date, date]:
    month = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}[season]
    first = date(day.year, month, 1)
    if shift < 0 and add_months(first, 3) > day:
        first = first.replace(year=first.year - 1)
    if shift > 0 and first <= day:
        first = first.replace(year=first.year + 1)
    return first, add_months(first, 3)


def _distance(day: date, unit: str, count: float, sign: int) -> tuple[date, date]:
    """`count` units before or after a day; the grain follows the unit."""
    if unit in ("hour", "minute"):
        return day, day + timedelta(days=1)
    if unit in _PAST_UNITS:
        first = day + timedelta(days=sign * round(count * _PAST_UNITS[unit]))
        return first, first + timedelta(days=1)
    months = sign * round(count * (12 if unit == "year" else 1))
    if unit == "year" and count >= 2:
        return _unit_span(add_months(day, months), "year", 0)
    return _unit_span(add_months(day, months), "month", 0)


def _nearest_year(anchor: date, month: int, day: int, shift: int) -> date:
    """The year that makes a bare day and month meant: the past one for shift < 0, coming one for > 0, else nearest."""
    options = [date(year, month, day) for year in (anchor.year - 1, anchor.year, anchor.year + 1)]
    if shift < 0:
        options = [d for d in options if d <= anchor] or options
    elif shift > 0:
        options = [d for d in options if d >= anchor] or options
    return min(options, key=lambda d: abs((d - anchor).days))


def _number(text: str, pack: Pack) -> float:
    number = parse_number(text, pack.numbers)
    return 1.0 if number is None else number


def _year(text: str | None) -> int | None:
    if not text:
        return None
    year = int(re.sub(r"\D", "", text))
    year += 2000 if year < 60 else 1900 if year < 100 else 0
    return year if year in _YEARS else None


def _read(rule: DateRule, match: re.Match[str], anchor: _Anchor, pack: Pack, *, past: bool) -> tuple[int, int] | None:
    groups = {key: value for key, value in match.groupdict().items() if value}
    today, shift = anchor.today, rule.shift
    unit = rule.unit or pack.units.get(groups.get("unit", "").casefold(), "day")
    if rule.kind == "day":
        first, after = _unit_span(today, "day", shift)
        hours = _DAY_PARTS.get(rule.unit)
        return anchor.interval(first, after, hours[0], hours[1] - hours[0]) if hours else anchor.interval(first, after)
    if rule.kind == "span":
        if unit in ("spring", "summer", "autumn", "winter"):
            return anchor.interval(*_season(today, unit, shift))
        return anchor.interval(*_unit_span(today, unit, shift))
    if rule.kind in ("ago", "ahead"):
        sign = -1 if rule.kind == "ago" else 1
        return anchor.interval(*_distance(today, unit, _number(groups.get("n", "1"), pack), sign))
    if rule.kind == "weekday":
        wanted = pack.weekdays[groups["weekday"].casefold()]
        ahead = (wanted - today.weekday()) % 7
        back = (today.weekday() - wanted) % 7 or 7
        goes_back = shift < 0 or (past and shift == 0)
        days = -back if goes_back else (ahead or 7) + (7 if shift > 1 else 0)
        day = today + timedelta(days=days)
        return anchor.interval(day, day + timedelta(days=1))
    if rule.kind in ("month_day", "numeric", "iso"):
        month = pack.months[groups["month"].casefold()] if rule.kind == "month_day" else int(groups["month"])
        number, year = int(re.sub(r"\D", "", groups["day"])), _year(groups.get("year"))
        day = date(year, month, number) if year else _nearest_year(today, month, number, shift)
        return anchor.interval(day, day + timedelta(days=1))
    if rule.kind == "month":
        month, year = pack.months[groups["month"].casefold()], _year(groups.get("year"))
        first = date(year, month, 1) if year else _nearest_year(today, month, 1, shift)
        return anchor.interval(first, add_months(first, 1))
    if rule.kind == "year" and (year := _year(groups.get("year"))):
        return anchor.interval(date(year, 1, 1), date(year + 1, 1, 1))
    return None


def find_dates(text: str, pack: Pack, at_us: int, offset_minutes: int, *, past: bool = False) -> tuple[DateSpan, ...]:
    """The date expressions of a text, longest first where they overlap, in order of position.

    In a clause about the past a bare weekday is the last one, else the coming one. A span that names no real day (the
    31st of February) is not a date."""
    anchor = anchor_of(at_us, offset_minutes)
    found: list[DateSpan] = []
    for rule in pack.dates:
        for match in rule.pattern.finditer(text):
            try:
                when = _read(rule, match, anchor, pack, past=past)
            except (ValueError, KeyError, OverflowError):
                continue
            recurring = rule.kind == "recurring"
            if when or recurring:
                span = DateSpan(start=match.start(), end=match.end(), text=match[0], when=when, recurring=recurring)
                found.append(span)
    kept: list[DateSpan] = []
    for span in sorted(found, key=lambda s: (s.start - s.end, s.start)):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return tuple(sorted(kept, key=lambda s: s.start))
