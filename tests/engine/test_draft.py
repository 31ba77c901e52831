"""Twin of engine/draft.py: a delta in the making."""

from __future__ import annotations

from dataclasses import replace

from graphs import make_edge, make_node
from hypothesis import given, settings
from hypothesis import strategies as st
from records import make_delta, state_of
from selfimprint.engine.delta import AddEdge, AddNode, SetEdge, SetNode
from selfimprint.engine.draft import Draft
from selfimprint.engine.state import check_applicable


def test_a_draft_reads_through_to_the_graph() -> None:
    """What the draft did not touch is read from the graph; what it did, as drafted; the graph stays as it was."""
    node, edge = make_node("a"), make_edge("e", "a", "b")
    state = state_of(node, make_node("b"), edge)
    draft = Draft(state)
    changed, surer = replace(node, importance=0.9), replace(edge, confidence=0.3)
    assert (draft.node("a"), draft.edge("e"), draft.node("none"), draft.edge("none")) == (node, edge, None, None)
    draft.put(changed)
    draft.put_edge(surer)
    assert (draft.node("a"), draft.edge("e")) == (changed, surer)
    assert (state.nodes["a"], state.edges["e"]) == (node, edge)
    assert [n.id for n in draft.drafted()] == ["a"]
    assert draft.changed("a") and not draft.changed("b")


def test_operations_say_what_is_new_and_what_changed() -> None:
    """New records are added, changed ones set with their before-image, and nodes come before the edges on them."""
    node, edge = make_node("a"), make_edge("e", "a", "a")
    draft = Draft(state_of(node, edge))
    added, newer = make_edge("f", "a", "b"), replace(edge, confidence=0.3)
    changed = replace(node, importance=0.9)
    draft.put_edge(added)
    draft.put_edge(newer)
    draft.put(make_node("b"))
    draft.put(changed)
    assert draft.operations() == (
        AddNode(node=make_node("b")),
        SetNode(before=node, after=changed),
        AddEdge(edge=added),
        SetEdge(before=edge, after=newer),
    )


def test_what_ends_as_it_was_leaves_no_trace() -> None:
    """A record that was drafted and put back as the graph has it is no operation."""
    node = make_node("a")
    draft = Draft(state_of(node))
    draft.put(replace(node, importance=0.9))
    draft.put(node)
    assert draft.operations() == ()


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([0.1, 0.5, 0.9])), max_size=8))
def test_a_draft_fits_its_graph_and_gives_what_was_drafted(puts: list[tuple[str, float]]) -> None:
    """Whatever is put: the operations can be applied, each record in one of them, and the graph then reads as the draft
    did."""
    state = state_of(make_node("a", importance=0.1), make_node("b", importance=0.5))
    draft = Draft(state)
    for node_id, importance in puts:
        draft.put(make_node(node_id, importance=importance))
    read = {node_id: draft.node(node_id) for node_id in "abcd"}
    delta = make_delta(*draft.operations())
    check_applicable(delta, state)
    state.apply(delta)
    assert {node_id: state.nodes.get(node_id) for node_id in "abcd"} == read
    assert len(delta.operations) <= len({node_id for node_id, _ in puts})
