"""What `check_applicable` refuses: a delta whose before-images or ends are not what the state holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graphs import START, make_edge, make_node
from records import contents, make_delta, make_message, state_of
from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    Operation,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.state import check_applicable

A, B, NEW = make_node("a"), make_node("b"), make_node("new")
STALE = replace(A, content="as it once was")
EDGE = make_edge("e", "a", "b")
LOOSE = replace(EDGE, confidence=0.1)


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ((AddNode(node=A),), "a node is added twice"),
        ((AddNode(node=NEW), AddNode(node=NEW)), "a node is added twice"),
        ((SetNode(before=STALE, after=A),), "a node has changed since the delta was made"),
        ((SetNode(before=NEW, after=NEW),), "a node has changed since the delta was made"),
        ((SetNode(before=A, after=replace(A, id="b")),), "a node has changed since the delta was made"),
        ((RemoveNode(before=STALE),), "a node to take back has changed"),
        ((RemoveNode(before=A),), "a node to take back still has edges"),
        ((AddEdge(edge=EDGE),), "an edge is added twice"),
        ((AddEdge(edge=make_edge("f", "a", "nowhere")),), "an edge ends at an unknown node"),
        ((RemoveEdge(before=EDGE), RemoveNode(before=A), AddEdge(edge=EDGE)), "an edge ends at an unknown node"),
        ((SetEdge(before=LOOSE, after=EDGE),), "an edge has changed since the delta was made"),
        ((SetEdge(before=EDGE, after=replace(EDGE, to_id="a")),), "an edge has changed since the delta was made"),
        ((SetEdge(before=EDGE, after=replace(EDGE, id="f")),), "an edge has changed since the delta was made"),
        ((RemoveEdge(before=LOOSE),), "an edge to take back has changed"),
    ],
)
def test_a_delta_that_does_not_fit_is_refused(operations: tuple[Operation, ...], reason: str) -> None:
    """Each misfit is refused by name and leaves the state as it was."""
    state = state_of(A, B, EDGE)
    before = contents(state)
    with pytest.raises(DeltaRefused) as refused:
        check_applicable(make_delta(*operations), state)
    assert reason in refused.value.reasons
    assert contents(state) == before


@pytest.mark.parametrize(
    "operations",
    [
        (AddNode(node=NEW), AddEdge(edge=make_edge("f", "a", "new"))),
        (SetNode(before=A, after=STALE), SetNode(before=STALE, after=A)),
        (RemoveEdge(before=EDGE), RemoveNode(before=A)),
        (RemoveEdge(before=EDGE), AddEdge(edge=EDGE)),
        (SetEdge(before=EDGE, after=replace(EDGE, retired_at=START)),),
        (PutMessage(message=make_message()),),
        (),
    ],
)
def test_a_delta_is_checked_against_its_own_earlier_operations(operations: tuple[Operation, ...]) -> None:
    """Later operations may build on earlier ones of the same delta."""
    state = state_of(A, B, EDGE)
    delta = make_delta(*operations)
    check_applicable(delta, state)
    state.apply(delta)
    assert all(e.from_id in state.nodes and e.to_id in state.nodes for e in state.edges.values())
