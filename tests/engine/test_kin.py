"""Relations are compared by what they mean, not by the word."""

from __future__ import annotations

import pytest
from selfimprint.engine.kin import kin_base, kin_key, kin_words


@pytest.mark.parametrize(
    ("one", "other"),
    [("mum", "mother"), ("Mama", "мама"), ("маме", "ema"), ("dad", "Vater"), ("õde", "sœur"), ("oma", "бабушка")],
)
def test_words_for_one_relation_have_one_key(one: str, other: str) -> None:
    """Also across languages and cases."""
    assert kin_key(one) == kin_key(other)


@pytest.mark.parametrize(("one", "other"), [("mother", "grandmother"), ("son", "brother"), ("boss", "friend")])
def test_relations_that_differ_have_different_keys(one: str, other: str) -> None:
    """A near relation is another one."""
    assert kin_key(one) != kin_key(other)


def test_a_word_of_no_relation_is_its_own_key() -> None:
    """Case and blanks do not count."""
    assert kin_key("  Band   Mate ") == "band mate"


def test_the_other_words_leave_out_the_one_asked_for() -> None:
    """So that a question finds what was told in another word."""
    assert "mum" in kin_words("Mother") and "mother" not in kin_words("Mother")
    assert kin_words("lighthouse") == ()


def test_a_word_in_a_case_has_its_dictionary_form() -> None:
    """So that nobody is called by the case in which they were first spoken of."""
    assert [kin_base(word) for word in ("маме", "emale", "mum", "Bürgermeister")] == [
        "мама",
        "ema",
        "mum",
        "Bürgermeister",
    ]
