from __future__ import annotations

import pytest
from selfimprint.engine.extraction.packs.literals import PieceIndex, grams, read_needs

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
    assert read_needs(template, MACROS, {})[0] == (None if needs is None else frozenset(needs))


def test_pieces_of_a_text_cover_its_words() -> None:
    """Every word's beginning is among the text's pieces, whatever its case."""
    assert {"eng", "engin"} <= grams("An ENGINEER")


def test_a_pattern_may_need_several_pieces() -> None:
    """Each mandatory part of a sequence is a need; alternatives promise nothing more."""
    assert read_needs("moved from Oslo", MACROS, {})[0] == {"moved"}
    assert set(read_needs("moved from Oslo", MACROS, {})[1]) == {frozenset({"fro"}), frozenset({"osl"})}
    assert read_needs("moved from|left town", MACROS, {})[1] == ()


def test_the_index_finds_what_may_match() -> None:
    """Patterns that need nothing are always tried, the others when a piece of each set is there."""
    index = PieceIndex([frozenset({"moved"}), None, frozenset({"left"})], [(frozenset({"osl"}),), (), ()])
    assert index.hits("we moved to Oslo") == [0, 1]
    assert index.hits("we moved to Rome") == [1]
    assert index.hits("they lef") == [1]
