"""What the adapters share in answering: filtering, order and bounds over edges that were found. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from selfimprint.engine.store.port import LONGEST_CHAIN, Direction
from selfimprint.engine.store.records import HeldEdge
from selfimprint.engine.store.walks import maximal_paths, shortest_paths


def touching(edges: Iterable[HeldEdge], given: frozenset[str], hidden: frozenset[str]) -> tuple[HeldEdge, ...]:
    """The edges whose every end was given by the asker or is not hidden."""
    barred = hidden - given
    return tuple(edge for edge in edges if edge.from_id not in barred and edge.to_id not in barred)


def nearest(edges: Iterable[HeldEdge], limit: int) -> tuple[HeldEdge, ...]:
    """By falling confidence, then id; the first `limit`."""
    return tuple(sorted(edges, key=lambda edge: (-edge.confidence, edge.id))[: max(limit, 0)])


def checked_depth(max_depth: int) -> int:
    """`max_depth`, if a database can go that deep."""
    if max_depth > LONGEST_CHAIN:
        raise ValueError(f"max_depth {max_depth} is more than {LONGEST_CHAIN}")
    return max_depth


def ask_chain(
    node_id: str, edges: Iterable[HeldEdge], direction: Direction, *, max_depth: int, max_paths: int
) -> tuple[tuple[str, ...], ...]:
    """The maximal `caused_by` paths from a node through the edges of its surroundings."""
    onward: dict[str, set[str]] = {}
    for edge in edges:
        here, there = (edge.from_id, edge.to_id) if direction == "causes" else (edge.to_id, edge.from_id)
        onward.setdefault(here, set()).add(there)
    successors = {here: frozenset(there) for here, there in onward.items()}
    return maximal_paths(node_id, successors, max_depth=checked_depth(max_depth), max_paths=max_paths)


def ask_paths(
    a: str, b: str, hop: Callable[[frozenset[str]], Iterable[HeldEdge]], *, max_length: int, max_paths: int
) -> tuple[tuple[str, ...], ...]:
    """The shortest paths between two nodes, given the edges one hop from any nodes."""

    def step(ids: frozenset[str]) -> dict[str, frozenset[str]]:
        near: dict[str, set[str]] = {node_id: set() for node_id in ids}
        for edge in hop(ids):
            for here, there in ((edge.from_id, edge.to_id), (edge.to_id, edge.from_id)):
                if here in near and here != there:
                    near[here].add(there)
        return {here: frozenset(there) for here, there in near.items()}

    return shortest_paths(a, b, step, max_length=max_length, max_paths=max_paths)
