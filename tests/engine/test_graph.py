"""Twin of engine/graph.py: what may be read off the records."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from graphs import START, make_node
from hypothesis import given
from hypothesis import strategies as st
from records import piece, pieces, several, touch
from selfimprint.engine.graph import (
    TRUST_ORDER,
    CoefficientPiece,
    PieceKind,
    Stage,
    Trust,
    least_trust,
    pinned_at,
    starting,
)

trusts = st.lists(st.sampled_from(Trust), min_size=1, max_size=6).map(tuple)


@given(trusts, trusts)
def test_a_derived_thing_is_trusted_as_the_least_of_its_sources(
    one: tuple[Trust, ...], other: tuple[Trust, ...]
) -> None:
    """The least trust is one of the given, in any order; a further source never raises it."""
    least = least_trust(one)
    assert least in one and least is least_trust(one[::-1])
    assert TRUST_ORDER.index(least_trust(one + other)) >= TRUST_ORDER.index(least)


def test_without_a_source_a_thing_is_inferred() -> None:
    """Nothing to go by is the weakest trust; the owner's own words are the strongest."""
    assert least_trust(()) is Trust.INFERRED is TRUST_ORDER[-1]
    assert TRUST_ORDER[0] is Trust.USER_STATED


@pytest.mark.parametrize(
    ("at", "pinned"), [(START - 1, False), (START, True), (START + 9, True), (START + 10, False), (None, False)]
)
def test_a_pin_holds_from_its_instant_to_its_end(at: int | None, pinned: bool) -> None:
    """Pinned from the pin on and until it is taken off; None asks for the end of the line."""
    line = (piece(0.92), piece(1.0, PieceKind.PINNED, START), piece(0.92, PieceKind.UNPINNED, START + 10))
    assert pinned_at(line, at) is pinned


def test_the_owners_word_stands_above_the_base_profile() -> None:
    """What the owner unpinned stays unpinned though it belongs to the base profile, and the other way round."""
    base = piece(1.0, PieceKind.BASE, START)
    unpinned = piece(0.92, PieceKind.UNPINNED, START + 1)
    pinned = piece(1.0, PieceKind.PINNED, START + 1)
    ended = piece(0.92, PieceKind.BASE_END, START + 2)
    assert pinned_at((base,), None)
    assert not pinned_at((base, unpinned), None)
    assert not pinned_at((base, ended), None)
    assert pinned_at((base, pinned, ended), None)


@given(several(pieces, 4).filter(lambda found: len({starting(p) for p in found}) == len(found)), st.randoms())
def test_pins_do_not_depend_on_the_order_of_arrival(found: tuple[CoefficientPiece, ...], mixer: Random) -> None:
    """Pieces count by their instants, however they were appended."""
    mixed = list(found)
    mixer.shuffle(mixed)
    assert pinned_at(tuple(mixed), None) is pinned_at(found, None)


def test_attributes_are_read_by_name() -> None:
    """A missing attribute is the empty string; the slot is one of them."""
    node = make_node("n", attributes=(("slot", "home"), ("value", "Tartu")))
    assert (node.slot, node.attribute("value"), node.attribute("place")) == ("home", "Tartu", "")


def test_the_last_touch_is_the_latest_one() -> None:
    """Touches may come in any order; a node without one was last touched when it was made."""
    node = make_node("n", touches=(touch(START + 5), touch(START + 9), touch(START)))
    assert node.last_reinforced_at == START + 9
    assert replace(node, touches=()).last_reinforced_at == node.created_at


def test_stages_stand_in_order() -> None:
    """Later stages contain the earlier ones: their order of definition is the way of a message."""
    assert [stage.value for stage in Stage] == ["stored", "searchable", "embedded", "enriched", "failed"]
