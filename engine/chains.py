"""Causal chains: from an effect along `caused_by` to its root, whole."""

from __future__ import annotations

from collections.abc import Iterable

from selfimprint.engine.graph import EdgeType, Node
from selfimprint.engine.state import GraphState

MAX_STEPS = 16


def chain_from(state: GraphState, node_id: str, max_steps: int = MAX_STEPS) -> tuple[Node, ...]:
    """The node and its causes, at each step the surest one; of equally sure ones the one that leads furthest."""
    path: list[str] = [node_id]
    while len(path) <= max_steps:
        causes = [e for e in state.causes(path[-1]) if e.to_id not in path and _stands(state, e.to_id)]
        if not causes:
            break
        best = max(causes, key=lambda e: (e.confidence, _depth(state, e.to_id, (*path,)), e.id))
        path.append(best.to_id)
    return tuple(state.nodes[i] for i in path)


def effect_end(state: GraphState, node_id: str, max_steps: int = MAX_STEPS) -> str:
    """The last effect reached from the node against the direction of its causes: where its story ends."""
    seen = [node_id]
    while len(seen) <= max_steps:
        effects = [
            state.edges[i]
            for i in state.into.get(seen[-1], ())
            if state.edges[i].type is EdgeType.CAUSED_BY and state.edges[i].retired_at is None
        ]
        effects = [e for e in effects if e.from_id not in seen and _stands(state, e.from_id)]
        if not effects:
            break
        seen.append(max(effects, key=lambda e: (e.confidence, e.created_at, e.id)).from_id)
    return seen[-1]


def chains_through(state: GraphState, node_ids: Iterable[str], limit: int) -> list[tuple[Node, ...]]:
    """Distinct whole chains of two nodes or more through the given ones, in their order; a part of one already told is
    left out."""
    told: list[tuple[Node, ...]] = []
    covered: set[str] = set()
    for node_id in node_ids:
        if node_id in covered or node_id not in state.nodes:
            continue
        chain = chain_from(state, effect_end(state, node_id))
        if node_id not in {n.id for n in chain}:
            chain = chain_from(state, node_id)
        if len(chain) < 2:
            continue
        covered |= {n.id for n in chain}
        told.append(chain)
        if len(told) == limit:
            break
    return told


def _stands(state: GraphState, node_id: str) -> bool:
    node = state.nodes.get(node_id)
    return node is not None and node.retired_at is None


def _depth(state: GraphState, node_id: str, path: tuple[str, ...], left: int = 6) -> int:
    if left == 0:
        return 0
    deeper = [
        1 + _depth(state, e.to_id, (*path, node_id), left - 1)
        for e in state.causes(node_id)
        if e.to_id not in path and e.to_id != node_id
    ]
    return max(deeper, default=0)
