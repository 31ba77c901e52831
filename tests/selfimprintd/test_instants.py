"""Times: exact to the microsecond, and never without an offset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfimprintd.instants import BadTime, format_instant, parse_instant, present

moments = st.integers(-2_000_000_000_000_000, 7_000_000_000_000_000)
offsets = st.integers(-18 * 60, 18 * 60)


@given(moments, offsets)
def test_an_instant_survives_the_round_trip_to_the_microsecond(micros: int, offset: int) -> None:
    """Format, then parse: the same instant and the same offset."""
    assert parse_instant(format_instant(micros, offset)) == (micros, offset)


@pytest.mark.parametrize(
    ("text", "micros", "offset"),
    [
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1970-01-01T02:00:00.000001+02:00", 1, 120),
        ("1969-12-31T23:59:59.999999Z", -1, 0),
        ("2026-03-01T09:30+0200", 1_772_350_200_000_000, 120),
        ("2026-03-01 09:30:00,5 -03", 1_772_368_200_500_000, -180),
        ("2024-02-29t23:59:59z", 1_709_251_199_000_000, 0),
    ],
)
def test_the_common_ways_to_write_a_time_are_read(text: str, micros: int, offset: int) -> None:
    """ISO-8601 as programs really write it."""
    assert parse_instant(text) == (micros, offset)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("2026-03-01T09:30:00", r"add an offset like \+02:00"),
        ("2026-03-01", "add a time and an offset"),
        ("yesterday", "ISO-8601"),
        ("", "ISO-8601"),
        ("2026-02-30T10:00:00Z", "does not exist"),
        ("2026-03-01T24:00:00Z", "does not exist"),
        ("2026-03-01T23:59:60Z", "does not exist"),
        ("2026-03-01T10:00:00+19:00", "offset does not exist"),
        ("2026-03-01T10:00:00+02:75", "offset does not exist"),
        ("2026-03-01T10:00:00.1234567Z", "at most microseconds"),
        ("1772350200", "ISO-8601"),
        ("٢٠٢٦-03-01T10:00:00Z", "ISO-8601"),
    ],
)
def test_anything_else_says_what_to_write(text: str, advice: str) -> None:
    """A naive or impossible time is never guessed at."""
    with pytest.raises(BadTime, match=advice):
        parse_instant(text)


def test_an_answer_shows_its_instants_as_text() -> None:
    """Known keys and keys in `_us`, in the offset beside them; other numbers and texts stay."""
    answer = {
        "at": 1, "offset_minutes": 120, "as_of_us": 0, "weight": 5, "valid_to": None,
        "items": [{"created_at": -1, "from": "n1", "to": "n2"}], "attributes": {"when": "1000000", "value": "1000000"},
        "pair": ({"at": 0},), "first_at": True,
    }  # fmt: skip
    assert present(answer) == {
        "at": "1970-01-01T02:00:00.000001+02:00", "offset_minutes": 120, "as_of": "1970-01-01T02:00:00+02:00",
        "weight": 5, "valid_to": None,
        "items": [{"created_at": "1969-12-31T23:59:59.999999Z", "from": "n1", "to": "n2"}],
        "attributes": {"when": "1970-01-01T00:00:01Z", "value": "1000000"},
        "pair": [{"at": "1970-01-01T00:00:00Z"}], "first_at": True,
    }  # fmt: skip


def test_an_instant_outside_the_calendar_is_shown_as_its_number() -> None:
    """No year 10000 and no crash."""
    assert format_instant(10**18) == str(10**18)
