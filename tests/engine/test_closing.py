"""A message closes the loops it reports as done; a death ends what somebody was to the speaker."""

from __future__ import annotations

import pytest
from selfimprint.engine.extraction.candidates import Candidate
from selfimprint.engine.graph import NodeType
from telling import Told, candidate, event, in_slot


def loop(value: str, **fields: object) -> Candidate:
    return candidate(f"I have to {value}", NodeType.OPEN_LOOP, value=value, reason="loop.must", **fields)


def open_loops(told: Told) -> list[str]:
    return [n.attribute("value") for n in told.nodes(NodeType.OPEN_LOOP) if n.valid_to is None]


@pytest.mark.parametrize(
    ("wanted", "done", "closed"),
    [
        ("hand in my notice before June", "handed in my notice today", True),
        ("call the dentist", "called the dentist, at last", True),
        ("call the dentist", "called my mother", False),
        ("renew my passport", "went swimming", False),
    ],
)
def test_a_loop_is_closed_by_an_event_that_repeats_its_words(wanted: str, done: str, closed: bool) -> None:
    """Most of what was to be done must stand in what was done."""
    told = Told()
    told.say(loop(wanted))
    told.say(event(done), at=3)
    assert open_loops(told) == ([] if closed else [wanted])


def test_a_plan_settles_what_was_undecided_and_nothing_else() -> None:
    """Whether to move is settled by moving; having to move stays to be done while it is only planned."""
    told = Told()
    told.say(candidate("whether to move", NodeType.OPEN_LOOP, value="whether to move", reason="loop.undecided"))
    told.say(loop("move the boxes"), at=1)
    told.say(candidate("we are moving the boxes to Rotterdam", slot="plan", value="Rotterdam"), at=3)
    assert open_loops(told) == ["move the boxes"]


def test_a_loop_does_not_close_itself() -> None:
    """The message that opens a loop may tell of the same thing."""
    told = Told()
    told.say(loop("call the dentist"), event("call the dentist again"))
    assert open_loops(told) == ["call the dentist"]


def test_a_death_ends_the_tie() -> None:
    """The father who died is told as history; the mother stays."""
    told = Told()
    told.say(candidate("dad", NodeType.PERSON, relation="dad", persons=("dad",)), in_slot("parent", "dad"))
    told.say(candidate("mum", NodeType.PERSON, relation="mum", persons=("mum",)), in_slot("parent", "mum"))
    told.say(event("dad died", subject="person:dad", relation="dad", importance=0.95, valence=-0.8), at=9)
    parents = [n for n in told.nodes(NodeType.FACT) if n.slot == "parent"]
    assert [n.attribute("value") for n in parents if n.valid_to is None] == ["mum"]
