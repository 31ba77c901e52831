"""Twin of engine/undo.py: taking back, and the undo that restores field by field what nobody changed since."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graphs import START, make_edge, make_node
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records import contents, make_delta, make_message, state_of, touch
from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    Cause,
    GraphDelta,
    Operation,
    PutMessage,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.graph import DAY_US, Evidence, Node
from selfimprint.engine.state import GraphState, check_applicable
from selfimprint.engine.undo import inverse, undo

few = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
LATER = Evidence(session="s_2", message="m_2", start=0, end=3)


def commit(state: GraphState, *operations: Operation, id: str, at: int = START) -> GraphDelta:
    """Check and apply the operations as one delta."""
    delta = make_delta(*operations, id=id, recorded_at=at)
    check_applicable(delta, state)
    state.apply(delta)
    return delta


def take_back(state: GraphState, *deltas: GraphDelta, id: str = "d_undo") -> tuple[GraphDelta, tuple[str, ...]]:
    """Undo the deltas through the same check; the undo's delta and what it kept."""
    found = undo(deltas, state)
    delta = make_delta(*found.operations, id=id, cause=Cause.UNDO, recorded_at=START + DAY_US)
    check_applicable(delta, state)
    state.apply(delta)
    return delta, found.kept


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Operation, ...]]:
    """Deltas that fit one another, over a few ids: additions, changes, edges."""
    state = GraphState()
    made: list[tuple[Operation, ...]] = []
    for step in range(draw(st.integers(1, 5))):
        operations: list[Operation] = []
        for _ in range(draw(st.integers(1, 4))):
            one, other = (draw(st.sampled_from("abcd")) for _ in range(2))
            operation: Operation
            edge_id = f"{one}>{other}"
            if one not in state.nodes:
                operation = AddNode(node=make_node(one))
            elif other in state.nodes and other != one and draw(st.booleans()):
                held = state.edges.get(edge_id)
                confidence = draw(st.sampled_from([0.2, 0.5, 0.9]))
                operation = (
                    AddEdge(edge=make_edge(edge_id, one, other, confidence=confidence))
                    if held is None
                    else SetEdge(before=held, after=replace(held, confidence=confidence))
                )
            else:
                node = state.nodes[one]
                field = draw(st.sampled_from(["content", "importance", "touches", "attributes"]))
                change = {
                    "content": f"said at step {step}",
                    "importance": draw(st.sampled_from([0.1, 0.9])),
                    "touches": (*node.touches, touch(START + step, message=f"m{step}")),
                    "attributes": (("value", f"v{step}"),),
                }[field]
                operation = SetNode(before=node, after=replace(node, **{field: change}))
            state.apply_operation(operation)
            operations.append(operation)
        made.append(tuple(operations))
    return made


@few
@given(histories())
def test_applying_the_inverse_restores_the_state(history: list[tuple[Operation, ...]]) -> None:
    """Each delta's inverse, last delta first, leads back through exactly the states before."""
    state = GraphState()
    passed = []
    for step, operations in enumerate(history):
        passed.append((contents(state), commit(state, *operations, id=f"d_{step}")))
    for before, delta in reversed(passed):
        state.apply(make_delta(*inverse(delta), cause=Cause.UNDO))
        assert contents(state) == before


@few
@given(histories(), st.data())
def test_undoing_everything_since_an_instant_restores_it(
    history: list[tuple[Operation, ...]], data: st.DataObject
) -> None:
    """Undoing all deltas from one on, nothing newer being there, gives the state before it, and keeps nothing back."""
    state = GraphState()
    first = data.draw(st.integers(0, len(history) - 1))
    clock_ticks = data.draw(st.booleans())
    deltas, before = [], contents(state)
    for step, operations in enumerate(history):
        before = contents(state) if step == first else before
        deltas.append(commit(state, *operations, id=f"d_{step}", at=START + step * clock_ticks))
    _, kept = take_back(state, *deltas[first:])
    assert kept == ()
    assert contents(state) == before


@few
@given(histories(), st.data())
def test_any_undo_can_be_applied_and_undone(history: list[tuple[Operation, ...]], data: st.DataObject) -> None:
    """Undoing any one delta leaves no edge without its ends, and undoing the undo gives the same records again."""
    state = GraphState()
    deltas = [commit(state, *operations, id=f"d_{i}", at=START + i) for i, operations in enumerate(history)]
    before = contents(state)
    undone, _ = take_back(state, data.draw(st.sampled_from(deltas)))
    assert all(e.from_id in state.nodes and e.to_id in state.nodes for e in state.edges.values())
    take_back(state, undone, id="d_redo")
    assert contents(state) == before


def test_undo_leaves_a_later_change_and_lists_it() -> None:
    """A field that was changed again after the delta stays and is named; the delta's other fields go back."""
    node = make_node("n")
    state = state_of(node)
    changed = replace(node, content="better", importance=0.9)
    delta = commit(state, SetNode(before=node, after=changed), id="d_1")
    commit(state, SetNode(before=changed, after=replace(changed, content="best")), id="d_2")
    _, kept = take_back(state, delta)
    assert kept == ("n.content",)
    assert state.nodes["n"] == replace(node, content="best")


def test_undo_merges_touches_and_evidence() -> None:
    """Undoing one mention takes out its touch and evidence and leaves those of the mentions before and after."""
    node = make_node("n")
    state = state_of(node)
    mentioned = replace(
        node, touches=(*node.touches, touch(START + 1, message="m_1")), evidence=(*node.evidence, LATER)
    )
    again = replace(mentioned, touches=(*mentioned.touches, touch(START + 2, message="m_2")))
    delta = commit(state, SetNode(before=node, after=mentioned), id="d_1")
    commit(state, SetNode(before=mentioned, after=again), id="d_2")
    _, kept = take_back(state, delta)
    assert kept == ()
    assert state.nodes["n"].touches == (*node.touches, touch(START + 2, message="m_2"))
    assert state.nodes["n"].evidence == node.evidence


def test_undo_does_not_bring_back_what_something_newer_took_out() -> None:
    """A touch that the undone delta left alone and a later one removed stays removed."""
    first, second, third = (touch(START + i, message=f"m{i}") for i in range(3))
    node = make_node("n", touches=(first, second))
    state = state_of(node)
    added = replace(node, touches=(first, second, third))
    fewer = replace(node, touches=(first, third))
    delta = commit(state, SetNode(before=node, after=added), id="d_1")
    commit(state, SetNode(before=added, after=fewer), id="d_2")
    take_back(state, delta)
    assert state.nodes["n"].touches == (first,)


def test_undo_treats_each_attribute_as_a_field() -> None:
    """An attribute changed since stays and is listed; the others go back; no attribute appears twice."""

    def with_attributes(**attributes: str) -> Node:
        return make_node("n", attributes=tuple(sorted(attributes.items())))

    node = with_attributes(value="Tallinn", place="north")
    corrected = with_attributes(value="Tartu", when_text="in May")
    state = state_of(node)
    delta = commit(state, SetNode(before=node, after=corrected), id="d_1")
    newer = with_attributes(value="Narva", when_text="in May", person="Anna")
    commit(state, SetNode(before=corrected, after=newer), id="d_2")
    _, kept = take_back(state, delta)
    assert kept == ("n.value",)
    assert dict(state.nodes["n"].attributes) == {"value": "Narva", "place": "north", "person": "Anna"}
    assert len(state.nodes["n"].attributes) == 3


@pytest.mark.parametrize("retired_at", [None, START])
def test_undo_keeps_a_node_that_something_newer_hangs_on(retired_at: int | None) -> None:
    """An added node with a newer edge, retired or not, stays and is listed: no edge ever loses an end."""
    state = state_of(make_node("old"))
    delta = commit(state, AddNode(node=make_node("new")), id="d_1")
    commit(state, AddEdge(edge=make_edge("e", "old", "new", retired_at=retired_at)), id="d_2")
    _, kept = take_back(state, delta)
    assert kept == ("new",)
    assert "new" in state.nodes


def test_undo_keeps_an_edge_confirmed_since_and_its_ends() -> None:
    """An added edge that a later message confirmed stays, and so does the node that came with it."""
    state = state_of(make_node("old"))
    edge = make_edge("e", "old", "new")
    delta = commit(state, AddNode(node=make_node("new")), AddEdge(edge=edge), id="d_1")
    commit(state, SetEdge(before=edge, after=replace(edge, evidence=(LATER,))), id="d_2")
    _, kept = take_back(state, delta)
    assert kept == ("e", "new")
    assert state.edges["e"].evidence == (LATER,)


def test_undo_keeps_a_node_changed_since() -> None:
    """An added node that a later delta changed stays and is listed."""
    state = GraphState()
    node = make_node("n")
    delta = commit(state, AddNode(node=node), id="d_1")
    commit(state, SetNode(before=node, after=replace(node, importance=0.9)), id="d_2")
    _, kept = take_back(state, delta)
    assert kept == ("n",)
    assert state.nodes["n"].importance == 0.9


def test_redo_does_not_overwrite_what_was_learned_anew() -> None:
    """Undoing an undo leaves a node alone that was added again meanwhile."""
    state = GraphState()
    delta = commit(state, AddNode(node=make_node("n", content="first")), id="d_1")
    undone, _ = take_back(state, delta)
    commit(state, AddNode(node=make_node("n", content="second")), id="d_2")
    _, kept = take_back(state, undone, id="d_redo")
    assert kept == ("n",)
    assert state.nodes["n"].content == "second"


def test_redo_adds_no_edge_without_its_ends() -> None:
    """Undoing the undo of an edge whose node has gone since leaves the edge out and lists it."""
    state = GraphState()
    nodes = commit(state, AddNode(node=make_node("a")), AddNode(node=make_node("b")), id="d_1")
    edge = commit(state, AddEdge(edge=make_edge("e", "a", "b")), id="d_2")
    undone, _ = take_back(state, edge)
    take_back(state, nodes)
    operations, kept = take_back(state, undone, id="d_redo")
    assert (operations.operations, kept) == ((), ("e",))


def test_messages_stay_when_their_delta_is_undone() -> None:
    """An undo takes back what was made of a message, not the message and not the day's activity."""
    state = GraphState()
    delta = commit(state, PutMessage(message=make_message()), AddNode(node=make_node("n")), id="d_1")
    undone, _ = take_back(state, delta)
    assert [type(op) for op in undone.operations] == [RemoveNode]
    assert state.activity_days == {START // DAY_US}
