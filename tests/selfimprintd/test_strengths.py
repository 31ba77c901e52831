"""Strengths: what the hot index is told of weights, and the marks that spare a look at every node."""

from __future__ import annotations

from dataclasses import replace

import pytest
from records import make_message
from selfimprint.engine.decay import day_of, starting_pieces
from selfimprint.engine.graph import (
    DAY_US,
    CoefficientPiece,
    Evidence,
    Node,
    NodeType,
    PieceKind,
    Touch,
    TouchKind,
    Trust,
)
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.items import Item
from selfimprint.engine.settings import DecaySettings
from selfimprint.engine.state import GraphState

from selfimprintd.strengths import Marks, Strengths

START = 1_760_000_000_000_000
RULES = DecaySettings()


class Still:
    def __init__(self, at: int) -> None:
        self.at = at

    def now_us(self) -> int:
        return self.at


def fact(node_id: str, at: int = START, **changes: object) -> Node:
    node = Node(
        id=node_id,
        type=NodeType.FACT,
        content=f"fact {node_id}",
        subject="self",
        language="en",
        created_at=at,
        trust=Trust.USER_STATED,
        touches=(Touch(at=at, kind=TouchKind.CREATED, message="m"),),
        pieces=starting_pieces(RULES.fact),
        evidence=(Evidence(session="s", message="m", start=0, end=1),),
        attributes=(("slot", "hobby"), ("value", "chess")),
    )
    return replace(node, **changes)  # type: ignore[arg-type]  # each test names fields of the record


class World:
    """A state, its marks and an index that follows them, under a clock that stands still."""

    def __init__(self, *nodes: Node) -> None:
        self.clock = Still(START)
        self.index = HotIndex()
        self.state = GraphState()
        self.marks = Marks()
        self.strengths = Strengths(self.state, lambda: self.index, self.marks, self.clock, RULES)
        self.state.listeners.append(self.marks.listen)
        self.state.load(nodes, (), ())
        self.index.add(
            [Item(key=n.id, kind="node", text=n.content, speaker="self", role="user", session="s") for n in nodes]
        )
        self.strengths.set(nodes)

    def seen_at(self, at: int) -> None:
        self.state.note_activity(make_message(at=at))

    def active(self, node_id: str) -> bool:
        return bool(self.index.strengths["active"].view[self.index.slots[node_id]])

    def weight(self, node_id: str) -> float:
        slot = self.index.slots[node_id]
        held = {name: column.view[slot] for name, column in self.index.strengths.items()}
        days = self.strengths.clock().read(self.clock.at) - held["weight_day"]
        return float(held["weight"] * held["coefficient"] ** max(days, 0.0))


def test_the_index_knows_the_weight_of_any_later_day() -> None:
    """What was handed over once gives the folded weight later, with no further call."""
    world = World(fact("a"))
    for day in range(0, 60, 3):
        world.seen_at(START + day * DAY_US)
    world.strengths.set([world.state.nodes["a"]])
    world.clock.at = START + 20 * DAY_US
    assert world.weight("a") == pytest.approx(world.strengths.weight(world.state.nodes["a"], world.clock.at), rel=1e-4)


def test_a_refresh_archives_what_has_sunk_below_the_threshold() -> None:
    """After forty days of talk an ordinary fact has left the active graph, a pinned one has not."""
    pin = CoefficientPiece(since=START, coefficient=1.0, kind=PieceKind.PINNED)
    world = World(fact("plain"), fact("pinned", pieces=(*starting_pieces(RULES.fact), pin)))
    for day in range(0, 41, 5):
        world.seen_at(START + day * DAY_US)
    world.clock.at = START + 40 * DAY_US
    world.strengths.refresh(every_us=1)
    assert not world.active("plain") and world.active("pinned")


def test_a_refresh_within_the_interval_does_nothing() -> None:
    """Weights are looked at once an interval, since each is computed from its own day anyway."""
    world = World(fact("a"))
    world.strengths.refresh(every_us=DAY_US)
    world.index.strengths["active"].view[:] = False
    world.clock.at += DAY_US // 2
    world.strengths.refresh(every_us=DAY_US)
    assert not world.active("a")
    world.clock.at += DAY_US
    world.strengths.refresh(every_us=DAY_US)
    assert world.active("a")


def test_backfilled_days_move_the_weights_of_what_came_after() -> None:
    """A day of talk told later, in the middle of a long silence, makes more days count, and the index follows."""
    world = World(fact("a"))
    world.seen_at(START)
    world.seen_at(START + 30 * DAY_US)
    world.strengths.set([world.state.nodes["a"]])
    world.clock.at = START + 31 * DAY_US
    world.strengths.refresh(every_us=1)
    silent = world.weight("a")
    world.seen_at(START + 15 * DAY_US)
    world.strengths.refresh(every_us=DAY_US)
    assert world.weight("a") < silent
    assert world.weight("a") == pytest.approx(world.strengths.weight(world.state.nodes["a"], world.clock.at), rel=1e-4)


def test_marks_name_the_pinned_the_retired_and_the_timed() -> None:
    """A listener keeps the three sets as nodes change and go."""
    base = CoefficientPiece(since=None, coefficient=1.0, kind=PieceKind.BASE)
    pinned = fact("p", pieces=(*starting_pieces(RULES.fact), base))
    marks = Marks()
    marks.listen(None, fact("a"))
    marks.listen(None, pinned)
    assert (marks.pinned, marks.retired, marks.timed) == ({"p"}, set(), set())
    ended = replace(pinned, valid_to=START, pieces=starting_pieces(RULES.fact))
    marks.listen(pinned, ended)
    marks.listen(fact("a"), fact("a", retired_at=START))
    assert (marks.pinned, marks.retired, marks.timed) == (set(), {"a"}, {"a", "p"})
    marks.listen(ended, None)
    again = Marks()
    again.load(marks.to_table())
    assert (again.pinned, again.retired, again.timed) == (set(), {"a"}, {"a"})


def test_a_pin_of_somebody_else_is_no_part_of_the_owners_profile() -> None:
    """Only facts in slots about the owner are told as the base profile."""
    pin = CoefficientPiece(since=START, coefficient=1.0, kind=PieceKind.PINNED)
    marks = Marks()
    marks.listen(None, fact("other", subject="n_1", pieces=(pin,)))
    marks.listen(None, fact("event", type=NodeType.EVENT, attributes=(), pieces=(pin,)))
    assert marks.pinned == set()


def test_a_temporary_piece_is_folded_anew_while_it_lasts() -> None:
    """A node with a piece that ends later is timed: its weight is no single power from here."""
    piece = CoefficientPiece(since=START, coefficient=0.5, kind=PieceKind.TEMPORARY, until=START + 3 * DAY_US)
    world = World(fact("a", pieces=(*starting_pieces(RULES.fact), piece)))
    for day in range(8):
        world.seen_at(START + day * DAY_US)
    assert world.marks.timed == {"a"}
    world.clock.at = START + 7 * DAY_US
    world.strengths.refresh(every_us=1)
    exact = world.strengths.weight(world.state.nodes["a"], world.clock.at)
    assert world.weight("a") == pytest.approx(exact, rel=1e-4)
    assert day_of(world.clock.at) == day_of(START) + 7
