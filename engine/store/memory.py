"""The reference store: dictionaries and adjacency. Every other adapter is compared with it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence

from selfimprint.engine.delta import Operation
from selfimprint.engine.graph import Edge, EdgeType, Node, NodeType
from selfimprint.engine.store.changes import (
    Change,
    EdgeAdded,
    EdgeRemoved,
    EdgeSet,
    NodeAdded,
    NodeRemoved,
    NodeSet,
    changes,
    is_due,
    to_held_edge,
    to_held_node,
)
from selfimprint.engine.store.port import LIMITS, Direction, StoreFailed
from selfimprint.engine.store.questions import ask_chain, ask_paths, nearest, touching
from selfimprint.engine.store.records import Contents, HeldEdge, HeldNode, is_visible


class MemoryStore:
    """Implements GraphStore. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._graph = _Graph()
        self._applied = self._rebuilt_at = 0
        self._broken = ""

    @property
    def applied_seq(self) -> int:
        return self._applied

    def apply(self, seq: int, operations: Sequence[Operation]) -> None:
        with self._lock:
            self._check()
            if not is_due(seq, applied=self._applied, rebuilt_at=self._rebuilt_at):
                return
            wanted = changes(operations)
            try:
                for change in wanted:
                    self._graph.change(change)
            except KeyError as error:
                self._broken = f"record {seq} does not fit the graph: {error.args[0]}"
                raise StoreFailed(self._broken) from error
            self._applied = seq

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], seq: int) -> None:
        fresh = _Graph()
        try:
            for node in nodes:
                fresh.change(NodeAdded(node=to_held_node(node)))
            for edge in edges:
                fresh.change(EdgeAdded(edge=to_held_edge(edge)))
        except KeyError as error:
            raise StoreFailed(f"the graph of record {seq} does not fit together: {error.args[0]}") from error
        with self._lock:
            if self._broken == _CLOSED:
                raise StoreFailed(_CLOSED)
            self._graph, self._broken = fresh, ""
            self._applied = self._rebuilt_at = seq

    def close(self) -> None:
        with self._lock:
            self._graph, self._broken = _Graph(), _CLOSED

    def neighbours(
        self,
        ids: Sequence[str],
        *,
        types: frozenset[EdgeType] | None = None,
        limit: int = LIMITS.neighbours,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[HeldEdge, ...]:
        with self._lock:
            self._check()
            asked = frozenset(ids)
            found = self._graph.touching(asked, types, include_retired)
            hidden = self._graph.hidden(found, include_retired, include_archived)
            return nearest(touching(found, asked, hidden), limit)

    def chain(
        self,
        node_id: str,
        *,
        direction: Direction,
        max_depth: int = LIMITS.chain_depth,
        max_paths: int = LIMITS.chain_paths,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        with self._lock:
            self._check()
            causes = frozenset({EdgeType.CAUSED_BY})
            seen, frontier, found = {node_id}, frozenset({node_id}), dict[str, HeldEdge]()
            while frontier:
                edges = self._graph.touching(frontier, causes, include_retired)
                hidden = self._graph.hidden(edges, include_retired, include_archived)
                kept = touching(edges, frozenset({node_id}), hidden)
                found.update((edge.id, edge) for edge in kept)
                frontier = frozenset(end for edge in kept for end in (edge.from_id, edge.to_id)) - seen
                seen |= frontier
            return ask_chain(node_id, found.values(), direction, max_depth=max_depth, max_paths=max_paths)

    def paths(
        self,
        a: str,
        b: str,
        *,
        max_length: int = LIMITS.path_length,
        max_paths: int = LIMITS.paths,
        types: frozenset[EdgeType] | None = None,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        def hop(ids: frozenset[str]) -> Iterable[HeldEdge]:
            found = self._graph.touching(ids, types, include_retired)
            hidden = self._graph.hidden(found, include_retired, include_archived)
            return touching(found, ids | {a, b}, hidden)

        with self._lock:
            self._check()
            return ask_paths(a, b, hop, max_length=max_length, max_paths=max_paths)

    def matching(
        self,
        *,
        type: NodeType | None = None,
        slot: str | None = None,
        subject: str | None = None,
        limit: int = LIMITS.matching,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[str, ...]:
        with self._lock:
            self._check()
            found = [
                node
                for node in self._graph.nodes.values()
                if (type is None or node.type is type)
                and (slot is None or node.slot == slot)
                and (subject is None or node.subject == subject)
                and is_visible(node, include_retired=include_retired, include_archived=include_archived)
            ]
        return tuple(node.id for node in sorted(found, key=lambda n: (n.created_at, n.id))[: max(limit, 0)])

    def count(self) -> tuple[int, int]:
        with self._lock:
            self._check()
            return len(self._graph.nodes), len(self._graph.edges)

    def contents(self) -> Contents:
        with self._lock:
            self._check()
            nodes, edges = self._graph.nodes, self._graph.edges
            return Contents(
                nodes=tuple(nodes[key] for key in sorted(nodes)), edges=tuple(edges[key] for key in sorted(edges))
            )

    def _check(self) -> None:
        if self._broken:
            raise StoreFailed(self._broken)


_CLOSED = "the store is closed"


class _Graph:
    """Nodes, edges, and which edges touch a node. A change that does not fit raises KeyError."""

    def __init__(self) -> None:
        self.nodes: dict[str, HeldNode] = {}
        self.edges: dict[str, HeldEdge] = {}
        self._touching: dict[str, set[str]] = {}

    def change(self, change: Change) -> None:
        match change:
            case NodeAdded(node=node):
                if node.id in self.nodes:
                    raise KeyError(f"node {node.id!a} is held already")
                self.nodes[node.id] = node
                self._touching[node.id] = set()
            case NodeSet(node=node):
                self._known(self.nodes, node.id)
                self.nodes[node.id] = node
            case NodeRemoved(id=key):
                self._known(self.nodes, key)
                for edge_id in tuple(self._touching[key]):
                    self._remove(self.edges[edge_id])
                del self.nodes[key], self._touching[key]
            case EdgeAdded(edge=edge):
                if edge.id in self.edges:
                    raise KeyError(f"edge {edge.id!a} is held already")
                self._known(self.nodes, edge.from_id)
                self._known(self.nodes, edge.to_id)
                self.edges[edge.id] = edge
                self._touching[edge.from_id].add(edge.id)
                self._touching[edge.to_id].add(edge.id)
            case EdgeSet(edge=edge):
                self._ends(edge.id, edge.from_id, edge.to_id)
                self.edges[edge.id] = edge
            case EdgeRemoved(id=key, from_id=from_id, to_id=to_id):
                self._ends(key, from_id, to_id)
                self._remove(self.edges[key])

    def touching(
        self, ids: Iterable[str], types: frozenset[EdgeType] | None, include_retired: bool
    ) -> tuple[HeldEdge, ...]:
        """The edges at any of the nodes, each once."""
        found = {key for node_id in ids for key in self._touching.get(node_id, ())}
        edges = (self.edges[key] for key in found)
        return tuple(
            edge
            for edge in edges
            if (types is None or edge.type in types) and (include_retired or edge.retired_at is None)
        )

    def hidden(self, edges: Iterable[HeldEdge], include_retired: bool, include_archived: bool) -> frozenset[str]:
        """Those ends that a question may not reach."""
        ends = {end for edge in edges for end in (edge.from_id, edge.to_id)}
        return frozenset(
            end
            for end in ends
            if not is_visible(self.nodes[end], include_retired=include_retired, include_archived=include_archived)
        )

    def _ends(self, key: str, from_id: str, to_id: str) -> None:
        self._known(self.edges, key)
        held = self.edges[key]
        if (held.from_id, held.to_id) != (from_id, to_id):
            raise KeyError(f"edge {key!a} has other ends")

    def _remove(self, edge: HeldEdge) -> None:
        del self.edges[edge.id]
        self._touching[edge.from_id].discard(edge.id)
        self._touching[edge.to_id].discard(edge.id)

    @staticmethod
    def _known(held: Mapping[str, object], key: str) -> None:
        if key not in held:
            raise KeyError(f"{key!a} is not held")
