"""The reference store, beyond the contract: it is compared with here by a search that is plainly right."""

from __future__ import annotations

from graphs import random_graph
from selfimprint.engine.graph import EdgeType
from selfimprint.engine.store.memory import MemoryStore
from selfimprint.engine.store.records import held_edge


def test_against_filters() -> None:
    """Neighbours and chains of one step are what filters over the lists of records give."""
    nodes, edges = random_graph(60, 240, seed=8)
    store = MemoryStore()
    store.rebuild(nodes, edges, 0)
    standing = {n.id for n in nodes if n.retired_at is None and n.archived_at is None}
    for node in nodes:
        mine = [e for e in edges if node.id in (e.from_id, e.to_id) and e.retired_at is None]
        near = [e for e in mine if {e.from_id, e.to_id} - {node.id} <= standing]
        assert store.neighbours([node.id]) == tuple(sorted(map(held_edge, near), key=lambda e: (-e.confidence, e.id)))
        causes = {e.to_id for e in near if e.type is EdgeType.CAUSED_BY and e.from_id == node.id} - {node.id}
        assert store.chain(node.id, direction="causes", max_depth=1) == tuple((node.id, c) for c in sorted(causes))
