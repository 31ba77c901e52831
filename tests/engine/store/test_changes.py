"""Operations as changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graphs import make_edge, make_node
from selfimprint.engine.delta import AddEdge, AddNode, RemoveEdge, RemoveNode, SetEdge, SetNode
from selfimprint.engine.graph import Touch, TouchKind
from selfimprint.engine.store.changes import (
    EdgeAdded,
    EdgeRemoved,
    EdgeSet,
    NodeAdded,
    NodeRemoved,
    NodeSet,
    changes,
    is_due,
)
from selfimprint.engine.store.port import FollowerGap, UnstorableRecord
from selfimprint.engine.store.records import held_edge, held_node

NODE, EDGE = make_node("a"), make_edge("e", "a", "b")


def test_only_what_differs_is_set() -> None:
    """A set names the held fields that differ; a mention changes none of them, yet remains a change."""
    touched = replace(NODE, touches=(*NODE.touches, Touch(at=5, kind=TouchKind.MENTIONED)), importance=0.9)
    older = replace(NODE, retired_at=5, content="x")
    confirmed, weaker = replace(EDGE, last_confirmed_at=9), replace(EDGE, confidence=0.5)
    assert changes([SetNode(before=NODE, after=touched), SetNode(before=NODE, after=older)]) == (
        NodeSet(node=held_node(NODE), fields=()),
        NodeSet(node=held_node(older), fields=("content", "retired_at")),
    )
    assert changes([SetEdge(before=EDGE, after=confirmed), SetEdge(before=EDGE, after=weaker)]) == (
        EdgeSet(edge=held_edge(EDGE), fields=()),
        EdgeSet(edge=held_edge(weaker), fields=("confidence",)),
    )


def test_in_order() -> None:
    """Changes keep the order of the operations; an edge that moves is removed, then added."""
    moved = replace(EDGE, to_id="c")
    assert changes(
        [AddNode(node=NODE), AddEdge(edge=EDGE), SetEdge(before=EDGE, after=moved), RemoveEdge(before=moved),
         RemoveNode(before=NODE)]
    ) == (
        NodeAdded(node=held_node(NODE)),
        EdgeAdded(edge=held_edge(EDGE)),
        EdgeRemoved(id="e", from_id="a", to_id="b"),
        EdgeAdded(edge=held_edge(moved)),
        EdgeRemoved(id="e", from_id="a", to_id="c"),
        NodeRemoved(id="a"),
    )  # fmt: skip


def test_unstorable() -> None:
    """One bad record spoils them all, and the error names it, not its content."""
    with pytest.raises(UnstorableRecord, match="node 'bad': content contains a lone surrogate") as caught:
        changes([AddNode(node=NODE), AddNode(node=make_node("bad", content="private \udc80"))])
    assert "private" not in str(caught.value)


def test_due() -> None:
    """The next record is due, a contained one is not, any other is a gap."""
    assert is_due(8, applied=7, rebuilt_at=5)
    assert not is_due(5, applied=7, rebuilt_at=5)
    for seq in (6, 7, 9):
        with pytest.raises(FollowerGap, match=f"record {seq} after record 7"):
            is_due(seq, applied=7, rebuilt_at=5)
