from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from selfimprint.engine.extraction.dates import add_months, find_dates
from selfimprint.engine.extraction.packs import load_pack

PACK = load_pack("en")
NOW = datetime(2026, 3, 11, 21, 30, tzinfo=UTC)  # a Wednesday; at +03:00 already the 12th, a Thursday
AT = int(NOW.timestamp()) * 1_000_000


def days(text: str, offset_minutes: int = 0) -> tuple[str, str]:
    (span,) = find_dates(text, PACK, AT, offset_minutes)
    assert span.when is not None
    first, after = (datetime.fromtimestamp(us / 1e6, UTC) + timedelta(minutes=offset_minutes) for us in span.when)
    return first.strftime("%Y-%m-%d"), after.strftime("%Y-%m-%d")


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("yesterday", "2026-03-10", "2026-03-11"),
        ("the day after tomorrow", "2026-03-13", "2026-03-14"),
        ("last week", "2026-03-02", "2026-03-09"),
        ("next month", "2026-04-01", "2026-05-01"),
        ("last weekend", "2026-03-07", "2026-03-09"),
        ("last Friday", "2026-03-06", "2026-03-07"),
        ("last Wednesday", "2026-03-04", "2026-03-05"),
        ("on Friday", "2026-03-13", "2026-03-14"),
        ("in three weeks", "2026-04-01", "2026-04-02"),
        ("two days ago", "2026-03-09", "2026-03-10"),
        ("3 years ago", "2023-01-01", "2024-01-01"),
        ("on March 28", "2026-03-28", "2026-03-29"),
        ("28 March 2021", "2021-03-28", "2021-03-29"),
        ("since 2019", "2019-01-01", "2020-01-01"),
        ("in June", "2026-06-01", "2026-07-01"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("28.03.", "2026-03-28", "2026-03-29"),
        ("2025-12-24", "2025-12-24", "2025-12-25"),
        ("last summer", "2025-06-01", "2025-09-01"),
    ],
)
def test_a_span_becomes_the_interval_it_means(text: str, first: str, after: str) -> None:
    """Each grammar counts on the local calendar of the message and yields a half-open interval."""
    assert days(text) == (first, after)


def test_the_offset_moves_the_calendar() -> None:
    """ "Yesterday" late in the evening UTC is another day three hours further east."""
    assert days("yesterday", 180) == ("2026-03-11", "2026-03-12")


def test_no_real_day_no_date() -> None:
    """The 31st of February is not a date."""
    assert find_dates("on February 31", PACK, AT, 0) == ()


def test_recurring_spans_have_no_instant() -> None:
    """ "Every Tuesday" marks a habit."""
    (span,) = find_dates("every Tuesday", PACK, AT, 0)
    assert span.recurring and span.when is None


def test_months_clamp_to_their_length() -> None:
    """A month after the 31st of January is the last of February."""
    assert add_months(datetime(2026, 1, 31).date(), 1).isoformat() == "2026-02-28"
