"""Twin of engine/recall/dates.py."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.recall.dates import DateCue, date_cue
from selfimprint.engine.recall.languages import known_languages, language_data


def us(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1_000_000


NOW = us("2024-06-12T10:00")  # a Wednesday


def cues(text: str, language: str) -> tuple[DateCue, ...]:
    data = language_data(language)
    assert data is not None
    return date_cue(text.casefold(), data, asked_at_us=NOW)


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("en", "What happened on 7 May 2023?", "2023-05-07", "2023-05-08"),
        ("en", "What happened on July 17th, 2023?", "2023-07-17", "2023-07-18"),
        ("en", "in December 2023", "2023-12-01", "2024-01-01"),
        ("en", "what did I do yesterday", "2024-06-11", "2024-06-12"),
        ("en", "what did I do last week", "2024-06-03", "2024-06-10"),
        ("en", "three days ago", "2024-06-09", "2024-06-10"),
        ("en", "on 2023-05-07", "2023-05-07", "2023-05-08"),
        ("en", "back in 2022", "2022-01-01", "2023-01-01"),
        ("en", "in the summer of 2022", "2022-06-01", "2022-09-01"),
        ("en", "who came last Monday", "2024-06-10", "2024-06-11"),
        ("de", "Was war am 3. Mai 2023?", "2023-05-03", "2023-05-04"),
        ("de", "was war vor zwei Monaten", "2024-04-01", "2024-05-01"),
        ("de", "letzte Woche", "2024-06-03", "2024-06-10"),
        ("fr", "le 14 juillet 2023", "2023-07-14", "2023-07-15"),
        ("fr", "qu'ai-je fait avant-hier", "2024-06-10", "2024-06-11"),
        ("fr", "l'année dernière", "2023-01-01", "2024-01-01"),
        ("es", "en julio de 2023", "2023-07-01", "2023-08-01"),
        ("es", "el 2 de marzo de 2024", "2024-03-02", "2024-03-03"),
        ("es", "hace dos años", "2022-01-01", "2023-01-01"),
        ("ru", "9 мая 2023 года", "2023-05-09", "2023-05-10"),
        ("ru", "на прошлой неделе", "2024-06-03", "2024-06-10"),
        ("ru", "три дня назад", "2024-06-09", "2024-06-10"),
        ("et", "2023. aasta mais", "2023-05-01", "2023-06-01"),
        ("et", "eelmisel kuul", "2024-05-01", "2024-06-01"),
        ("et", "kolm päeva tagasi", "2024-06-09", "2024-06-10"),
    ],
)
def test_dates_are_read(language: str, text: str, start: str, end: str) -> None:
    """A date or a phrase relative to the asking instant is read as its interval."""
    found = cues(text, language)
    assert [(c.start_us, c.end_us) for c in found] == [(us(start), us(end))]


def test_a_month_without_a_year_means_any_year() -> None:
    """ "in March" is the latest March and any other, "last March" only that one."""
    (any_march,) = cues("what happened in March", "en")
    (last_march,) = cues("what happened last March", "en")
    assert any_march.every_year and not last_march.every_year
    assert any_march.start_us == last_march.start_us == us("2024-03-01")


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "before May 2023", "after May 2023"),
        ("de", "vor Mai 2023", "nach Mai 2023"),
        ("fr", "avant mai 2023", "après mai 2023"),
        ("es", "antes de mayo de 2023", "después de mayo de 2023"),
        ("ru", "до мая 2023", "после мая 2023"),
        ("et", "enne mai 2023", "pärast mai 2023"),
    ],
)
def test_before_and_after_are_told(language: str, before: str, after: str) -> None:
    """A word for before or after in front of a date turns it into a side."""
    assert [c.relation for c in cues(before, language)] == ["before"]
    assert [c.relation for c in cues(after, language)] == ["after"]


@pytest.mark.parametrize(
    "text", ["you may march on", "41 of 2500 things", "31 February 2023 99/99/2023", "call 2023-5555-1"]
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    """Verbs that are spelled like months, impossible days and other numbers name no day."""
    assert [c for c in cues(text, "en") if c.end_us - c.start_us <= 31 * 86_400_000_000 and "2023" not in text] == []


def test_an_impossible_day_is_no_day() -> None:
    """31 February is never an interval of one day."""
    assert all(c.end_us - c.start_us > 86_400_000_000 for c in cues("on 31 February 2023", "en"))


@given(
    st.text(max_size=200), st.sampled_from([d.code for d in known_languages()]), st.integers(0, 4_000_000_000_000_000)
)
def test_any_text_is_read(text: str, language: str, now: int) -> None:
    """No text and no instant make reading fail, and every interval has a length."""
    data = language_data(language)
    assert data is not None
    assert all(c.start_us < c.end_us for c in date_cue(text.casefold(), data, asked_at_us=now))
