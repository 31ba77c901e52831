from datetime import date

import pytest
from selfimprint.engine.context.dates import (
    civil_day,
    day_in_words,
    note_instant,
    on_day,
    resolve_relative,
    until_month,
)

DAY_US = 86_400_000_000
WEDNESDAY = date(2023, 5, 10)


def test_a_day_is_that_of_the_place_where_the_message_was_written() -> None:
    """An instant just before midnight UTC belongs to the next day two hours east."""
    assert civil_day(DAY_US - 1, 0) == date(1970, 1, 1)
    assert civil_day(DAY_US - 1, 120) == date(1970, 1, 2)


def test_an_instant_that_no_calendar_holds_has_no_day() -> None:
    """An instant beyond the year 9999 gives no day instead of an error."""
    assert civil_day(10**18, 0) is None


@pytest.mark.parametrize(
    ("language", "on", "until"),
    [
        ("en", "on 7 May 2023", "until May 2023"),
        ("de", "am 7. Mai 2023", "bis Mai 2023"),
        ("ru", "7 мая 2023 года", "до мая 2023 года"),
        ("et", "7. mail 2023", "kuni 2023. aasta maini"),
        ("es", "el 7 de mayo de 2023", "hasta mayo de 2023"),
        ("fr", "le 7 mai 2023", "jusqu'en mai 2023"),
    ],
)
def test_dates_are_worded_and_inflected_as_each_language_does(language: str, on: str, until: str) -> None:
    """A day and a month stand in the case that their clause asks for."""
    day = date(2023, 5, 7)
    assert (on_day(day, language), until_month(day, language)) == (on, until)


def test_the_first_of_a_month_is_an_ordinal_in_french() -> None:
    """French writes "1er" for the first day only."""
    assert day_in_words(date(2023, 5, 1), "fr") == "1er mai 2023"
    assert day_in_words(date(2023, 5, 11), "fr") == "11 mai 2023"


@pytest.mark.parametrize(
    ("language", "said", "noted"),
    [
        ("en", "I went yesterday.", "I went yesterday [9 May]."),
        ("en", "last week, Last year", "last week [week of 1 May], Last year [2022]"),
        ("en", "next month or last Friday", "next month [June 2023] or last Friday [5 May]"),
        ("en", "three years ago; 10 months ago", "three years ago [2020]; 10 months ago [July 2022]"),
        ("en", "I've been painting for seven years", "I've been painting for seven years [since 2016]"),
        ("en", "the day before yesterday", "the day before yesterday [8 May]"),
        ("de", "Letzte Woche und gestern Abend", "Letzte Woche [Woche um den 1. Mai] und gestern Abend [9. Mai]"),
        ("de", "Guten Morgen, ich komme morgen", "Guten Morgen, ich komme morgen [11. Mai]"),
        ("ru", "в прошлую пятницу, год назад", "в прошлую пятницу [5 мая], год назад [2022]"),
        ("ru", "На прошлой неделе", "На прошлой неделе [неделя с 1 мая]"),
        ("et", "Eile ja eelmisel nädalal", "Eile [9. mai] ja eelmisel nädalal [1. mai nädal]"),
        ("es", "el mes que viene, por la mañana", "el mes que viene [junio de 2023], por la mañana"),
        ("es", "Hace dos semanas", "Hace dos semanas [semana del 24 de abril]"),
        ("fr", "l’année dernière, vendredi dernier", "l’année dernière [2022], vendredi dernier [5 mai]"),
        ("fr", "il y a 3 jours", "il y a 3 jours [7 mai]"),
    ],
)
def test_relative_expressions_get_the_date_they_meant(language: str, said: str, noted: str) -> None:
    """Each expression is followed by its date, counted from the day on which it was said."""
    assert resolve_relative(said, WEDNESDAY, language, language) == noted


@pytest.mark.parametrize(
    "said", ["next Friday", "last Tuesday", "next weekend", "the mayor", "lastly", "99999 days ago"]
)
def test_what_people_mean_in_two_ways_is_left_alone(said: str) -> None:
    """An ambiguous expression, or one inside a word, gets no note: a wrong date is worse than none."""
    assert resolve_relative(said, WEDNESDAY, "en", "en") == said


def test_a_note_names_the_year_when_it_is_another() -> None:
    """A day before New Year is written with its year."""
    assert resolve_relative("yesterday", date(2023, 1, 1), "en", "en") == "yesterday [31 December 2022]"


def test_a_note_is_worded_in_the_language_of_the_answer() -> None:
    """German words in an English context get an English date."""
    assert resolve_relative("gestern", WEDNESDAY, "de", "en") == "gestern [9 May]"


def test_the_same_note_stands_once() -> None:
    """A second "yesterday" in the same turn is not annotated again."""
    assert resolve_relative("yesterday, yes, yesterday", WEDNESDAY, "en", "en") == "yesterday [9 May], yes, yesterday"


def test_a_known_interval_is_noted_by_what_it_fills() -> None:
    """A day is noted as a day, a month as a month, a year as a year, and the clause's own day not at all."""

    def day(year: int, month: int, number: int) -> int:
        return (date(year, month, number) - date(1970, 1, 1)).days * DAY_US

    assert note_instant((day(2023, 5, 8), day(2023, 5, 9)), 0, WEDNESDAY, "en") == "8 May"
    assert note_instant((day(2023, 4, 1), day(2023, 5, 1)), 0, WEDNESDAY, "en") == "April 2023"
    assert note_instant((day(2022, 1, 1), day(2023, 1, 1)), 0, WEDNESDAY, "en") == "2022"
    assert note_instant((day(2023, 5, 1), day(2023, 5, 8)), 0, WEDNESDAY, "en") == "week of 1 May"
    assert note_instant((day(2023, 5, 10), day(2023, 5, 11)), 0, WEDNESDAY, "en") == ""
