from __future__ import annotations

import pytest
from selfimprint.engine.extraction.packs.literals import PieceIndex, further_needs_of, grams, needs_of

MACROS = {"I": "(?:I|we)(?: {ADV})*", "ADV": "just|also", "JOB": "engineer|cook"}


@pytest.mark.parametrize(
    ("template", "needs"),
    [
        ("{I} live in", {"live"[:3]}),
        ("a(?:bcd)?", None),
        ("(?:moved|settled) to", {"moved", "settl"}),
        ("jobs?", {"job"}),
        ("(?!never)x", None),
        ("an {JOB}", {"engin", "coo"}),
        ("[a-z]+", None),
        ("(?P<n>\\d+) years", {"years"}),
    ],
)
def test_a_pattern_needs_the_pieces_no_match_can_lack(template: str, needs: set[str] | None) -> None:
    """Optional parts, look-arounds and classes promise nothing; alternatives promise one of theirs."""
    assert needs_of(template, MACROS, {}) == (None if needs is None else frozenset(needs))


def test_pieces_of_a_text_cover_its_words() -> None:
    """Every word's beginning is among the text's pieces, whatever its case."""
    assert {"eng", "engin"} <= grams("An ENGINEER")


def test_a_pattern_may_need_several_pieces() -> None:
    """Each mandatory part of a sequence is a need; alternatives promise nothing more."""
    assert needs_of("moved from Oslo", MACROS, {}) == {"moved"}
    assert set(further_needs_of("moved from Oslo", MACROS, {})) == {frozenset({"fro"}), frozenset({"osl"})}
    assert further_needs_of("moved from|left town", MACROS, {}) == ()


def test_the_index_finds_what_may_match() -> None:
    """Patterns that need nothing are always tried, the others when a piece of each set is there."""
    index = PieceIndex([frozenset({"moved"}), None, frozenset({"left"})], [(frozenset({"osl"}),), (), ()])
    assert index.hits("we moved to Oslo") == [0, 1]
    assert index.hits("we moved to Rome") == [1]
    assert index.hits("they lef") == [1]
