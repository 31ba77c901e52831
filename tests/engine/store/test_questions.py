"""What adapters share in answering."""

from __future__ import annotations

import pytest
from graphs import make_edge
from selfimprint.engine.store.port import LONGEST_CHAIN
from selfimprint.engine.store.questions import ask_chain, ask_paths, checked_depth, nearest, touching
from selfimprint.engine.store.records import HeldEdge, held_edge


def edge(name: str, confidence: float = 1.0) -> HeldEdge:
    return held_edge(make_edge(name, name[0], name[1], confidence=confidence))


def test_touching() -> None:
    """An edge stays if each end was given or is not hidden."""
    edges = [edge("ab"), edge("bc"), edge("cd")]
    assert touching(edges, frozenset(), frozenset()) == tuple(edges)
    assert touching(edges, frozenset(), frozenset("c")) == (edges[0],)
    assert touching(edges, frozenset("c"), frozenset("cd")) == tuple(edges[:2])


def test_nearest() -> None:
    """Surest first, equals by id; no negative counts."""
    edges = [edge("xb", 0.2), edge("ab", 0.9), edge("ca", 0.9), edge("bb", 0.2)]
    assert [e.id for e in nearest(edges, 3)] == ["ab", "ca", "bb"]
    assert nearest(edges, -1) == ()


def test_depth() -> None:
    """Depths up to the longest chain pass."""
    assert checked_depth(LONGEST_CHAIN) == LONGEST_CHAIN
    with pytest.raises(ValueError, match="max_depth"):
        checked_depth(LONGEST_CHAIN + 1)


def test_chain_directions() -> None:
    """Causes follow the edges, effects go against them."""
    edges = [edge("ab"), edge("bc"), edge("db")]
    assert ask_chain("b", edges, "causes", max_depth=5, max_paths=5) == (("b", "c"),)
    assert ask_chain("b", edges, "effects", max_depth=5, max_paths=5) == (("b", "a"), ("b", "d"))


def test_paths_ignore_direction_and_loops() -> None:
    """Edges are walked either way, and one from a node to itself leads nowhere."""
    edges = [edge("ba"), edge("bc"), edge("bb"), edge("aa")]

    def hop(ids: frozenset[str]) -> list[HeldEdge]:
        return [e for e in edges if e.from_id in ids or e.to_id in ids]

    assert ask_paths("a", "c", hop, max_length=3, max_paths=3) == (("a", "b", "c"),)
