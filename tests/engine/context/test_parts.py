"""Twin of engine/context/parts.py: what a caller may leave out, and what a bare item means."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest
from selfimprint.engine.context.compose import compose
from selfimprint.engine.context.parts import Citation, Composed, ContextItem, ContextRequest, Occurrences
from selfimprint.engine.context.settings import ComposeSettings


def test_a_bare_item_is_a_current_turn_of_the_owner() -> None:
    """Only key and words are needed: the rest means stated by the owner, current, and at no known time."""
    item = ContextItem(key="m_1", text="I live in Tartu.")
    assert (item.kind, item.role, item.speaker, item.person, item.status) == ("turn", "user", "", "", "current")
    assert item.at_us is item.when_us is item.valid_from_us is item.valid_to_us is item.occurrences is None
    assert (item.polarity, item.sensitive, item.trust) == (1, False, "user-stated")


def test_a_bare_request_takes_the_designs_budget() -> None:
    """At most 400 tokens by the estimate and 20 items, and a ranking that is sure (design §5)."""
    request = ContextRequest(question="Where do I live?")
    assert (request.budget, request.counter, request.max_items) == (400, "estimate", 20)
    assert (request.confidence, request.answered) == (1.0, False)


@pytest.mark.parametrize(
    "part",
    [
        ContextItem(key="m_1", text="x"),
        ContextRequest(question="x"),
        Occurrences(count=2),
        Citation(key="m_1", message_id="m_1", start=0, end=1),
        Composed(text="", language="en", tokens=0),
    ],
)
def test_parts_are_values(part: object) -> None:
    """Parts are frozen, and equal where their fields are: the composer cannot change what it was given."""
    with pytest.raises(FrozenInstanceError):
        setattr(part, fields(part)[0].name, "y")  # type: ignore[arg-type]  # each of them is a dataclass
    assert part == type(part)(**{f.name: getattr(part, f.name) for f in fields(part)})  # type: ignore[arg-type]


def test_a_citation_points_into_the_text() -> None:
    """`text[start:end]` is what the item lent, in the order of the text, and goes back to its message."""
    items = (
        ContextItem(key="m_1", text="I live in Tartu.", evidence_message="m_1"),
        ContextItem(key="m_2", text="The house has a garden.", evidence_message="m_2"),
    )
    made = compose(items, (), (), (), ContextRequest(question="Where do I live?"), ComposeSettings())
    assert [c.message_id for c in made.citations] == ["m_1", "m_2"]
    assert [c.start for c in made.citations] == sorted(c.start for c in made.citations)
    quoted = {c.message_id: made.text[c.start : c.end] for c in made.citations}
    assert "Tartu" in quoted["m_1"] and "garden" in quoted["m_2"] and "garden" not in quoted["m_1"]
