"""Which file of the profile a node belongs to."""

from __future__ import annotations

import pytest
from graphs import START, make_node
from records import piece
from selfimprint.engine.decay import starting_pieces
from selfimprint.engine.domains import ARCHIVE, CORE, file_of
from selfimprint.engine.graph import NodeType, PieceKind
from selfimprint.engine.slots import SLOTS

BASE = (*starting_pieces(0.92), piece(1.0, PieceKind.BASE))
PINNED = (*starting_pieces(0.92), piece(1.0, PieceKind.PINNED, since=START))


@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize("pieces", [BASE, PINNED])
def test_the_base_profile_and_pinned_things_are_core(pieces: tuple, active: bool) -> None:  # type: ignore[type-arg]
    """The owner's current base profile and whatever they pinned lie in `core`."""
    assert file_of(make_node("n", slot="home", pieces=pieces), active=active) == CORE


@pytest.mark.parametrize(
    "fields",
    [
        {"pieces": (*BASE, piece(1.0, PieceKind.BASE_END, since=START)), "valid_to": START},
        {"pieces": BASE, "retired_at": START},
        {"pieces": BASE, "subject": "anna"},
        {"pieces": starting_pieces(0.92)},
    ],
)
def test_what_is_former_retired_or_anothers_is_not_core(fields: dict) -> None:  # type: ignore[type-arg]
    """Superseded, retired and other people's facts lie in their domain, or in the archive once inactive."""
    node = make_node("n", slot="home", **fields)
    assert file_of(node, active=True) == "domain/home"
    assert file_of(node, active=False) == ARCHIVE


@pytest.mark.parametrize("slot", SLOTS)
def test_every_slot_has_a_domain(slot: str) -> None:
    """A fact of any slot lies in one domain file, and its name tells no content."""
    assert file_of(make_node("n", slot=slot), active=True).startswith("domain/")


def test_without_a_slot_the_type_decides() -> None:
    """Slotless nodes of different types lie apart; plain facts are general."""
    files = {t: file_of(make_node("n", type=t), active=True) for t in NodeType}
    assert files[NodeType.FACT] == "domain/general"
    assert len(set(files.values())) == len(NodeType)
