"""Twin of engine/recall/presets.py: presets are data."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from recalling import asked, index_of, keys, node, turn
from selfimprint.engine.recall.presets import DEFAULT, PAPER, PRESETS, Fusion


def test_paper_is_the_whitepapers_formula() -> None:
    """Whitepaper §3.4: 0.5 similarity, 0.2 recency, 0.3 weight; they sum to 1, and recency halves in fourteen days."""
    assert (PAPER.similarity, PAPER.recency, PAPER.weight, PAPER.recency_half_life_days) == (0.5, 0.2, 0.3, 14.0)
    assert PAPER.similarity + PAPER.recency + PAPER.weight == 1
    assert PAPER.fusion is None and PAPER.nodes_only


def test_presets_are_found_by_name() -> None:
    """Each preset stands under its own name."""
    assert PRESETS == {"paper": PAPER, "default": DEFAULT}


@pytest.mark.parametrize("name", [field.name for field in fields(Fusion)])
def test_only_what_speaks_against_an_item_weighs_less_than_nothing(name: str) -> None:
    """Words match for an item; asking and speaking of the listener count against it; nothing outweighs the words."""
    weight = getattr(Fusion(), name)
    assert weight < 0 if name in ("asks", "about_listener") else 0 < weight <= Fusion().lexical


def test_strength_only_tells_near_ties_apart() -> None:
    """In the default preset weight and recency together are less than a tenth of the match of words."""
    assert DEFAULT.fusion is not None
    assert 0 < DEFAULT.weight + DEFAULT.recency < DEFAULT.fusion.lexical / 10


def test_a_preset_decides_what_can_be_found() -> None:
    """`paper` ranks nodes only, `default` turns too; a signal of no weight is no part of a score."""
    index = index_of(turn("t", "I play tennis"), node("n", "plays tennis", session="s2"))
    assert keys(asked(index, "Who plays tennis?", preset=PAPER)) == ["n"]
    assert sorted(keys(asked(index, "Who plays tennis?", preset=DEFAULT))) == ["n", "t"]
    deaf = replace(DEFAULT, fusion=replace(Fusion(), length=0.0))
    assert "length" in asked(index, "Who plays tennis?").hits[0].parts
    assert "length" not in asked(index, "Who plays tennis?", preset=deaf).hits[0].parts
