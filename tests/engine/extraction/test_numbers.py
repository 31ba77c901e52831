from __future__ import annotations

from selfimprint.engine.extraction.numbers import parse_number

WORDS = {"thirty": 30, "one": 1, "a few": 3}


def test_digits_and_words() -> None:
    """Digits, decimals, words, word compounds; anything else is no number."""
    assert parse_number("7", WORDS) == 7
    assert parse_number("2,5", WORDS) == 2.5
    assert parse_number("Thirty-one", WORDS) == 31
    assert parse_number("a  few", WORDS) == 3
    assert parse_number("many", WORDS) is None
