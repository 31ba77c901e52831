"""The one door: every rule refuses what it names, whatever the values, and lets everything else in."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from graphs import HOSTILE_STRINGS, START, make_edge, make_node
from hypothesis import given
from hypothesis import strategies as st
from records import contents, make_delta, make_message, piece, state_of, touch
from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    Cause,
    Operation,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.door import admit
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.graph import Evidence, NodeType, PieceKind, Trust
from selfimprint.engine.settings import EngineSettings

SETTINGS = EngineSettings()
LIMITS = SETTINGS.limits
SPAN = Evidence(session="s", message="m", start=0, end=1)
A, B = make_node("a"), make_node("b")
OBSERVED = make_edge("e", "a", "b", evidence=(SPAN,))


def refusals(*operations: Operation, cause: Cause = Cause.INGEST, id: str = "d_1") -> tuple[str, ...]:
    """Why the door refuses the delta over a graph of a and b; nothing when it is let in. It never changes the graph."""
    state = state_of(A, B)
    before = contents(state)
    try:
        admit(make_delta(*operations, cause=cause, id=id), state, SETTINGS)
    except DeltaRefused as refused:
        return refused.reasons
    finally:
        assert contents(state) == before
    return ()


def test_an_ordinary_delta_is_let_in() -> None:
    """A message, a stated fact and an observed edge pass."""
    new = make_node("n", slot="home")
    edge = make_edge("f", "n", "a", evidence=(SPAN,))
    assert refusals(PutMessage(message=make_message()), AddNode(node=new), AddEdge(edge=edge)) == ()


@pytest.mark.parametrize("id", ["", "x" * (LIMITS.identifier_chars + 1)])
def test_a_delta_needs_an_id(id: str) -> None:
    """An empty or endless delta id is refused."""
    assert refusals(id=id) == ("a delta needs an id",)


def test_a_delta_has_a_bounded_number_of_operations() -> None:
    """More operations than the limit are refused."""
    operation = PutMessage(message=make_message())
    assert "too many operations in one delta" in refusals(*([operation] * (LIMITS.operations_a_delta + 1)))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": ""}, "a message needs an id and a session"),
        ({"session": ""}, "a message needs an id and a session"),
        ({"content": "x" * (LIMITS.content_bytes + 1)}, "a message is too long; split it"),
        ({"content": "ж" * (LIMITS.content_bytes // 2 + 1)}, "a message is too long; split it"),
        ({"at": LIMITS.latest_us + 1}, "a message's instant is out of range"),
        ({"at": -(2**70)}, "a message's instant is out of range"),
        ({"offset_minutes": 24 * 60 + 1}, "a UTC offset is out of range"),
        ({"content": "half \ud83d"}, "a text holds half of a surrogate pair"),
        ({"speaker": "\udc00"}, "a text holds half of a surrogate pair"),
    ],
)
def test_a_message_out_of_bounds_is_refused(fields: dict[str, Any], reason: str) -> None:
    """Messages without id or session, too long, out of time or not writable are refused by name."""
    message = make_message(**fields) if "id" in fields else make_message("m_1", **fields)
    assert refusals(PutMessage(message=message)) == (reason,)


@pytest.mark.parametrize("cause", Cause)
def test_only_ingest_and_import_bring_messages(cause: Cause) -> None:
    """No other operation can put words into the trace."""
    allowed = cause in (Cause.INGEST, Cause.IMPORT)
    assert (refusals(PutMessage(message=make_message()), cause=cause) == ()) is allowed


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": ""}, "a node needs an id and a subject"),
        ({"id": "x" * 129}, "a node needs an id and a subject"),
        ({"subject": ""}, "a node needs an id and a subject"),
        ({"id": "two words"}, "a node's id holds white space"),
        ({"id": "line\nbreak"}, "a node's id holds white space"),
        ({"content": ""}, "a node's content is empty or too long"),
        ({"content": " \n\t"}, "a node's content is empty or too long"),
        ({"content": "x" * (LIMITS.node_content_chars + 1)}, "a node's content is empty or too long"),
        ({"content": "\ud800"}, "a text holds half of a surrogate pair"),
        ({"attributes": (("value", "\ud800"),)}, "a text holds half of a surrogate pair"),
        ({"valence": math.nan}, "a node's number is out of range"),
        ({"valence": -1.01}, "a node's number is out of range"),
        ({"importance": math.inf}, "a node's number is out of range"),
        ({"importance": -0.01}, "a node's number is out of range"),
        ({"confidence": 1.01}, "a node's number is out of range"),
        ({"confidence": -math.inf}, "a node's number is out of range"),
        (
            {"type": NodeType.EMOTIONAL_NOTE, "valence": 0.19},
            "an emotional note needs a feeling that is strong enough",
        ),
        ({"attributes": (("surname", "x"),)}, "a node has an unknown attribute"),
        ({"attributes": (("value", "x"), ("value", "y"))}, "a node has an attribute twice"),
        ({"attributes": (("value", "x" * 501),)}, "a node's attribute is too long"),
        ({"evidence": ()}, "what was observed needs evidence in a message"),
        ({"trust": Trust.INFERRED}, "what is only inferred must say so"),
        ({"touches": ()}, "a node needs a first touch and a coefficient"),
        ({"pieces": ()}, "a node needs a first touch and a coefficient"),
        (
            {"touches": tuple(touch(START + i) for i in range(LIMITS.touches_a_node + 1))},
            "a node has too many touches or pieces of evidence",
        ),
        (
            {"evidence": tuple(replace(SPAN, end=i) for i in range(LIMITS.evidence_a_node + 1))},
            "a node has too many touches or pieces of evidence",
        ),
        ({"pieces": (piece(0.0),)}, "a coefficient must lie in (0, 1]"),
        ({"pieces": (piece(1.01),)}, "a coefficient must lie in (0, 1]"),
        ({"pieces": (piece(math.nan),)}, "a coefficient must lie in (0, 1]"),
        ({"touches": (touch(2**70),)}, "a touch's instant is out of range"),
        ({"created_at": 2**70, "touches": (touch(START),)}, "a node's instant is out of range"),
        ({"valid_from": -(2**70)}, "a node's instant is out of range"),
        ({"valid_to": 2**70}, "a node's instant is out of range"),
        ({"retired_at": 2**70}, "a node's instant is out of range"),
        ({"archived_at": 2**70}, "a node's instant is out of range"),
        ({"pieces": (piece(0.9, PieceKind.TEMPORARY, until=2**70),)}, "a node's instant is out of range"),
        ({"evidence": (replace(SPAN, start=-1),)}, "an evidence span is no span"),
        ({"evidence": (replace(SPAN, start=2),)}, "an evidence span is no span"),
        ({"evidence": (replace(SPAN, when=2**70),)}, "an occurrence's instant is out of range"),
    ],
)
def test_a_node_out_of_bounds_is_refused(fields: dict[str, Any], reason: str) -> None:
    """Each wrong field of a node is refused by name, whether the node is added or changed."""
    node = make_node(**{"id": "n", **fields})
    assert reason in refusals(AddNode(node=node))
    assert reason in refusals(SetNode(before=A, after=node))


@given(st.sampled_from([text for text in HOSTILE_STRINGS if text.strip() and len(text) <= 4_000]))
def test_hostile_text_is_only_text(text: str) -> None:
    """Control characters, statements and escapes in content and values are let in as they are."""
    assert refusals(AddNode(node=make_node("n", content=text, attributes=(("value", text[:500]),)))) == ()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": ""}, "an edge needs an id and two different ends"),
        ({"to_id": "a"}, "an edge needs an id and two different ends"),
        ({"confidence": math.nan}, "an edge's confidence is out of range"),
        ({"confidence": 1.01}, "an edge's confidence is out of range"),
        ({"evidence": ()}, "an observed edge needs evidence in a message"),
        ({"trust": Trust.INFERRED}, "an edge is trusted as inferred exactly when it is inferred"),
        ({"created_at": 2**70}, "an edge's instant is out of range"),
        ({"last_confirmed_at": -(2**70)}, "an edge's instant is out of range"),
        ({"evidence": (replace(SPAN, end=-1),)}, "an evidence span is no span"),
        (
            {"evidence": tuple(replace(SPAN, end=i) for i in range(LIMITS.evidence_a_node + 1))},
            "an edge has too many pieces of evidence",
        ),
    ],
)
def test_an_edge_out_of_bounds_is_refused(fields: dict[str, Any], reason: str) -> None:
    """Each wrong field of an edge is refused by name, whether the edge is added or changed."""
    edge = replace(OBSERVED, **fields)
    assert reason in refusals(AddEdge(edge=edge))
    assert reason in refusals(SetEdge(before=OBSERVED, after=edge))


@pytest.mark.parametrize("cause", Cause)
def test_only_an_undo_takes_records_away(cause: Cause) -> None:
    """Every other operation retires."""
    reason = "only an undo takes records away; anything else retires them"
    for operation in (RemoveNode(before=B), RemoveEdge(before=OBSERVED)):
        assert (reason in refusals(operation, cause=cause)) is (cause is not Cause.UNDO)


def test_every_reason_is_given_once() -> None:
    """A delta that is wrong in several ways hears all of them, each once."""
    bad = make_node("n", content="", confidence=2.0, valence=5.0)
    assert refusals(AddNode(node=bad), AddNode(node=replace(bad, id="o"))) == (
        "a node's content is empty or too long",
        "a node's number is out of range",
    )


def test_what_does_not_fit_the_graph_is_refused_too() -> None:
    """A well-formed delta whose before-image is stale does not pass."""
    stale = replace(A, content="as it once was")
    assert refusals(SetNode(before=stale, after=A)) == ("a node has changed since the delta was made",)
