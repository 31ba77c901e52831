"""Dates that a question names: explicit ones, months, seasons, years, weekdays and phrases relative to the asking
instant.

Every cue is a half-open interval in microseconds UTC. A month without a year is the same month of any year: its
interval is given for the latest one at or before the asking instant and `every_year` is set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache

from selfimprint.engine.recall.languages import LanguageData

DAY_US = 86_400_000_000
_EPOCH = date(1970, 1, 1)
_FIRST_YEAR, _LAST_YEAR = 1900, 2199
_MONTHS_IN_YEAR, _MONTHS_IN_SEASON = 12, 3
_DAYS_IN_WEEK, _SATURDAY = 7, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DateCue:
    """An interval that the question names. `relation` is "in", "before" (ends at `start_us`) or "after"."""

    start_us: int
    end_us: int
    relation: str = "in"
    every_year: bool = False


def _us(day: date) -> int:
    return (day - _EPOCH).days * DAY_US


def _month_span(year: int, month: int, months: int = 1) -> tuple[date, date]:
    last = year * _MONTHS_IN_YEAR + month - 1 + months
    return date(year, month, 1), date(last // _MONTHS_IN_YEAR, last % _MONTHS_IN_YEAR + 1, 1)


def _shift_months(day: date, months: int) -> date:
    index = day.year * _MONTHS_IN_YEAR + day.month - 1 + months
    return date(index // _MONTHS_IN_YEAR, index % _MONTHS_IN_YEAR + 1, 1)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _unit_span(today: date, unit: str, offset: int) -> tuple[date, date]:
    """The day, week (from Monday), weekend, month or year that lies `offset` units from today."""
    if unit == "day":
        start = today + timedelta(days=offset)
        return start, start + timedelta(days=1)
    if unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        first = monday + timedelta(days=_SATURDAY) if unit == "weekend" else monday
        return first, monday + timedelta(days=_DAYS_IN_WEEK)
    if unit == "month":
        first = _shift_months(today, offset)
        return _month_span(first.year, first.month)
    return date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1)


def _relation(folded: str, start: int, data: LanguageData) -> str:
    """Whether a word for before or after stands right before the date, at most a preposition between them."""
    lead = folded[:start].rstrip()
    for relation, phrases in (("before", data.before), ("after", data.after)):
        if re.search(r"(?<!\w)(?:" + "|".join(map(re.escape, phrases)) + r")(?:\s+\w{1,4})?$", lead):
            return relation
    return "in"


def _around(day: date, slack_days: int) -> tuple[date, date]:
    return day - timedelta(days=slack_days), day + timedelta(days=slack_days + 1)


@cache
def _patterns(
    code: str, months: tuple[str, ...], ago: tuple[tuple[str, str], ...], numbers: tuple[str, ...]
) -> dict[str, re.Pattern[str]]:
    name = "|".join(sorted(map(re.escape, months), key=len, reverse=True))
    day = r"(?P<day>\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?"
    year = r"(?P<year>(?:19|20|21)\d\d)"
    count = r"(?P<n>\d{1,3}|" + "|".join(map(re.escape, numbers)) + ")"
    found = {
        "day_month": rf"(?<!\w){day}\s+(?:of\s+|de\s+)?(?P<month>{name})\.?(?!\w)"
        rf"(?:,?\s+(?:de\s+|del\s+)?{year}(?!\w))?",
        "month_day": rf"(?<!\w)(?P<month>{name})\.?\s+{day}(?!\w)(?:,?\s+{year}(?!\w))?",
        "month_year": rf"(?<!\w)(?P<month>{name})\.?,?\s+(?:of\s+|de\s+|del\s+)?{year}(?!\w)",
        "year_month": rf"(?<!\w){year}\.?\s+(?:aasta\s+)?(?P<month>{name})(?!\w)",
        "month": rf"(?:(?<![\w'’])(?P<lead>[\w'’]+)\s+)?(?<!\w)(?P<month>{name})(?!\w)",
    }
    compiled = {key: re.compile(pattern) for key, pattern in found.items()}
    for position, (pattern, unit) in enumerate(ago):
        compiled[f"ago:{position}:{unit}"] = re.compile(r"(?<!\w)" + pattern.replace("{n}", count) + r"(?!\w)")
    return compiled


_ISO = re.compile(r"(?<!\d)(?P<year>(?:19|20|21)\d\d)-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<!\d)(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>(?:19|20|21)\d\d)(?!\d)")
_CJK = re.compile(r"(?:(?P<year>(?:19|20|21)\d\d)年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?")
_YEAR = re.compile(r"(?<![\w.,:/-])(?P<year>(?:19|20)\d\d)(?![\w:/-])")


def date_cue(folded: str, data: LanguageData, *, asked_at_us: int) -> tuple[DateCue, ...]:
    """The dates that a casefolded question names, in the order found; an impossible date is none."""
    today = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=asked_at_us)).date()
    patterns = _patterns(
        data.code, tuple(data.months), tuple((a.pattern, a.unit) for a in data.ago), tuple(data.small_numbers)
    )
    cues: list[DateCue] = []
    taken = [False] * (len(folded) + 1)

    def claim(
        match: re.Match[str], span: tuple[date, date], *, every_year: bool = False, start: int | None = None
    ) -> None:
        begin = match.start() if start is None else start
        if any(taken[begin : match.end()]) or not _FIRST_YEAR <= span[0].year <= _LAST_YEAR:
            return
        taken[begin : match.end()] = [True] * (match.end() - begin)
        relation = _relation(folded, begin, data)
        cues.append(DateCue(start_us=_us(span[0]), end_us=_us(span[1]), relation=relation, every_year=every_year))

    def month_of(match: re.Match[str]) -> int:
        name = match["month"]
        return int(name) if name.isdigit() else data.months[name]

    def latest(month: int) -> int:
        return today.year if month <= today.month else today.year - 1

    for pattern in (_ISO, _DOTTED, patterns["day_month"], patterns["month_day"], _CJK):
        for match in pattern.finditer(folded):
            month = month_of(match)
            if not 1 <= month <= _MONTHS_IN_YEAR:
                continue
            year = int(match["year"]) if match["year"] else None
            if match["day"] is None:
                claim(match, _month_span(year or latest(month), month), every_year=year is None)
            elif (day := _valid(year or latest(month), month, int(match["day"]))) is not None:
                claim(match, (day, day + timedelta(days=1)), every_year=year is None)
    for key in ("month_year", "year_month"):
        for match in patterns[key].finditer(folded):
            claim(match, _month_span(int(match["year"]), month_of(match)))
    for match in re.finditer(
        rf"(?<!\w)({'|'.join(map(re.escape, data.seasons))})(?!\w)(?:\s+(?:of\s+|de\s+)?(\d{{4}}))?", folded
    ):
        if match[2] is None and match[1] in data.ambiguous_seasons:
            continue
        first = data.seasons[match[1]]
        year = int(match[2]) if match[2] else latest(first)
        if _FIRST_YEAR <= year <= _LAST_YEAR:
            claim(match, _month_span(year, first, _MONTHS_IN_SEASON), every_year=match[2] is None)
    for match in patterns["month"].finditer(folded):
        lead = match["lead"] or ""
        if match["month"] in data.ambiguous_months and lead not in data.month_leads:
            continue
        month = month_of(match)
        claim(match, _month_span(latest(month), month), every_year=lead not in data.last, start=match.start("month"))
    for relative in sorted(data.relative, key=lambda r: len(r.phrase), reverse=True):
        for match in re.finditer(r"(?<!\w)" + re.escape(relative.phrase) + r"(?!\w)", folded):
            claim(match, _unit_span(today, relative.unit, relative.offset))
    for key, pattern in patterns.items():
        if key.startswith("ago:"):
            unit = key.rsplit(":", 1)[1]
            for match in pattern.finditer(folded):
                n = int(match["n"]) if match["n"].isdigit() else data.small_numbers[match["n"]]
                if n > _FIRST_YEAR or (unit == "year" and n >= today.year - _FIRST_YEAR):
                    continue
                if unit == "day":
                    claim(match, _around(today - timedelta(days=n), 0))
                elif unit == "week":
                    claim(match, _around(today - timedelta(weeks=n), _DAYS_IN_WEEK // 2))
                else:
                    claim(match, _unit_span(today, unit, -n))
    for match in re.finditer(
        rf"(?<!\w)(?:({'|'.join(map(re.escape, data.last))})\s+)?({'|'.join(map(re.escape, data.weekdays))})(?!\w)",
        folded,
    ):
        back = (today.weekday() - data.weekdays[match[2]]) % _DAYS_IN_WEEK or _DAYS_IN_WEEK
        if match[1]:
            claim(match, _around(today - timedelta(days=back), 0))
    for match in _YEAR.finditer(folded):
        year = int(match["year"])
        claim(match, (date(year, 1, 1), date(year + 1, 1, 1)))
    return tuple(cues)
