"""Twin of engine/supersede.py."""

from __future__ import annotations

import random

from graphs import START, make_edge, make_node
from records import state_of
from selfimprint.engine.graph import DAY_US, EdgeType
from selfimprint.engine.supersede import newest_first, successor


def test_the_successor_is_the_end_of_the_line_at_the_instant() -> None:
    """Of homes that replaced one another, the last one that had begun by the instant; retired ones are passed over."""
    homes = [make_node(f"n{i}", slot="home", valid_from=START + i * DAY_US) for i in range(4)]
    edges = [make_edge(f"e{i}", f"n{i + 1}", f"n{i}", type=EdgeType.CONTRADICTS) for i in range(3)]
    state = state_of(*homes, *edges)
    for day in range(4):
        found = successor(state, homes[0], START + day * DAY_US)
        assert (found.id if found else None) == (f"n{day}" if day else None)
    assert successor(state, homes[3], START + 9 * DAY_US) is None


def test_circles_of_contradictions_end() -> None:
    """Nodes that contradict one another are followed once."""
    nodes = [make_node("a"), make_node("b")]
    edges = [make_edge(f"{x}{y}", x, y, type=EdgeType.CONTRADICTS) for x, y in (("a", "b"), ("b", "a"))]
    found = successor(state_of(*nodes, *edges), nodes[0], START)
    assert found is not None and found.id == "b"


def test_the_newer_stands_above_the_older() -> None:
    """In any ranking, and where it was missing from it, the successor comes before what it replaced, each key once."""
    replaced = {"old": "new", "older": "new", "lost": "found"}
    keys = ["old", "x", "new", "older", "y", "lost"]
    for seed in range(20):
        ranked = random.Random(seed).sample(keys, len(keys))
        found = newest_first(ranked, replaced.get)
        order = [key for key, _ in found]
        assert sorted(order) == sorted([*keys, "found"])
        for old, new in replaced.items():
            assert order.index(new) < order.index(old)
        assert dict(found) == {key: key in replaced for key in order}
        assert newest_first(ranked, replaced.get, room=3) == found[:3]
    assert newest_first(["self"], lambda key: key) == [("self", False)]
