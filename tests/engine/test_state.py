"""Twin of engine/state.py: the graph in memory, what a delta makes of it, and who is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graphs import START, make_edge, make_node
from records import make_delta, make_message, state_of
from selfimprint.engine.delta import AddNode, PutMessage, RemoveNode, SetNode
from selfimprint.engine.graph import EdgeType, Node, Role
from selfimprint.engine.state import GraphState


@pytest.mark.parametrize(
    ("role", "counts"),
    [(Role.USER, True), (Role.PERSON, True), (Role.ASSISTANT, False), (Role.TOOL, False), (Role.DOCUMENT, False)],
)
def test_only_people_make_activity(role: Role, counts: bool) -> None:
    """The owner's and named persons' messages move the decay clock; assistants, tools and documents do not."""
    state = GraphState()
    state.apply(make_delta(PutMessage(message=make_message(role=role))))
    assert bool(state.activity_days) is counts


def test_adjacency_leaves_retired_edges_out() -> None:
    """`edges_of` gives both directions without retired edges; `causes` gives causes only, surest first."""
    nodes = [make_node(i) for i in "abc"]
    sure = make_edge("e1", "a", "b", confidence=0.9)
    unsure = make_edge("e2", "a", "c", confidence=0.5)
    inward = make_edge("e3", "c", "a", type=EdgeType.FOLLOWED_BY)
    gone = make_edge("e4", "b", "a", retired_at=START)
    state = state_of(*nodes, unsure, sure, inward, gone)
    assert [e.id for e in state.edges_of("a")] == ["e1", "e2", "e3"]
    assert state.causes("a") == [sure, unsure]
    assert list(state.edges_of("unknown")) == []


def test_listeners_hear_every_node_change() -> None:
    """A follower is told before and after of each addition, change and removal."""
    state = GraphState()
    heard: list[tuple[Node | None, Node | None]] = []
    state.listeners.append(lambda before, after: heard.append((before, after)))
    node = make_node("n")
    changed = replace(node, importance=0.9)
    state.apply(make_delta(AddNode(node=node), SetNode(before=node, after=changed), RemoveNode(before=changed)))
    assert heard == [(None, node), (node, changed), (changed, None)]
