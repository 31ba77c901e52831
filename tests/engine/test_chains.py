"""Twin of engine/chains.py."""

from __future__ import annotations

from dataclasses import replace

from graphs import START, make_edge, make_node
from records import state_of
from selfimprint.engine.chains import chain_from, chains_through, effect_end
from selfimprint.engine.graph import EdgeType
from selfimprint.engine.state import GraphState


def _line(count: int, *more: object) -> GraphState:
    """n0 because of n1 because of n2, and so on."""
    nodes = [make_node(f"n{i}") for i in range(count)]
    edges = [make_edge(f"e{i}", f"n{i}", f"n{i + 1}") for i in range(count - 1)]
    return state_of(*nodes, *edges, *more)  # type: ignore[arg-type]


def test_a_chain_is_told_whole_from_any_of_its_nodes() -> None:
    """Whichever link is recalled, the chain runs from its last effect to its root, once."""
    state = _line(5)
    whole = ["n0", "n1", "n2", "n3", "n4"]
    for number in range(5):
        assert effect_end(state, f"n{number}") == "n0"
        assert [[n.id for n in c] for c in chains_through(state, [f"n{number}", "n1"], 3)] == [whole]


def test_the_surest_cause_is_followed_and_of_equals_the_deepest() -> None:
    """A surer edge wins over a longer way; of equally sure ones the longer way is told."""
    nodes = [make_node(i) for i in ("a", "b", "c", "d")]
    equal = [make_edge("e1", "a", "b"), make_edge("e2", "a", "c"), make_edge("e3", "c", "d")]
    assert [n.id for n in chain_from(state_of(*nodes, *equal), "a")] == ["a", "c", "d"]
    less = [equal[0], replace(equal[1], confidence=0.5), equal[2]]
    assert [n.id for n in chain_from(state_of(*nodes, *less), "a")] == ["a", "b"]


def test_circles_and_retired_links_end_a_chain() -> None:
    """A circle is walked once, a retired edge or node not at all, other edges never."""
    circle = _line(3, make_edge("back", "n2", "n0"))
    assert [n.id for n in chain_from(circle, "n0")] == ["n0", "n1", "n2"]
    assert chains_through(circle, ["n1"], 3)
    nodes = [make_node("a"), make_node("b"), make_node("c", retired_at=START)]
    edges = [
        make_edge("e1", "a", "b", retired_at=START),
        make_edge("e2", "a", "c"),
        make_edge("e3", "a", "b", type=EdgeType.ASSOCIATED_WITH),
    ]
    assert chains_through(state_of(*nodes, *edges), ["a", "b", "unknown"], 3) == []


def test_no_more_chains_than_asked_for() -> None:
    """The limit counts distinct chains in the order of their sources."""
    nodes = [make_node(f"n{i}") for i in range(6)]
    edges = [make_edge(f"e{i}", f"n{i}", f"n{i + 3}") for i in range(3)]
    found = chains_through(state_of(*nodes, *edges), ["n2", "n0", "n1"], 2)
    assert [[n.id for n in c] for c in found] == [["n2", "n5"], ["n0", "n3"]]
