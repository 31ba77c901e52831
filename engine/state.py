"""The graph in memory and how a delta changes it.

`GraphState` is the follower that every profile has; it is rebuilt from the checkpoint and the journal. It holds nodes,
edges, adjacency and the activity days. Messages are held elsewhere (they are large and never change)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from selfimprint.engine.codec import from_stored
from selfimprint.engine.decay import day_of
from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    GraphDelta,
    Operation,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.graph import Edge, EdgeType, Message, Node, Role
from selfimprint.engine.records import Records

Listener = Callable[[Node | None, Node | None], None]
"""Called with (before, after) of each node change; None where there is none."""


class GraphState:
    def __init__(self) -> None:
        self.nodes: MutableMapping[str, Node] = Records(lambda stored: from_stored(Node, stored))
        self.edges: MutableMapping[str, Edge] = Records(lambda stored: from_stored(Edge, stored))
        self.out: dict[str, set[str]] = {}
        self.into: dict[str, set[str]] = {}
        self.activity_days: set[int] = set()
        self.listeners: list[Listener] = []

    def apply(self, delta: GraphDelta) -> None:
        """Carry out a delta that the door let in."""
        for operation in delta.operations:
            self.apply_operation(operation)

    def apply_operation(self, operation: Operation) -> None:
        match operation:
            case PutMessage(message=message):
                self.note_activity(message)
            case AddNode(node=node):
                self._set_node(None, node)
            case SetNode(before=before, after=after):
                self._set_node(before, after)
            case RemoveNode(before=before):
                self._set_node(before, None)
            case AddEdge(edge=edge):
                self._set_edge(edge)
            case SetEdge(after=after):
                self._set_edge(after)
            case RemoveEdge(before=before):
                del self.edges[before.id]
                self.out[before.from_id].discard(before.id)
                self.into[before.to_id].discard(before.id)

    def note_activity(self, message: Message) -> None:
        """A message of the owner or a named person counts as activity of its day."""
        if message.role in (Role.USER, Role.PERSON):
            self.activity_days.add(day_of(message.at))

    def edges_of(self, node_id: str) -> Iterator[Edge]:
        """Every edge from or to the node that is not retired, in a fixed order."""
        ids = self.out.get(node_id, set()) | self.into.get(node_id, set())
        for edge_id in sorted(ids):
            edge = self.edges[edge_id]
            if edge.retired_at is None:
                yield edge

    def causes(self, node_id: str) -> list[Edge]:
        """The node's `caused_by` edges towards its causes, surest first."""
        found = [self.edges[i] for i in self.out.get(node_id, ())]
        kept = [e for e in found if e.type is EdgeType.CAUSED_BY and e.retired_at is None]
        return sorted(kept, key=lambda e: (-e.confidence, e.created_at, e.id))

    def load(self, nodes: Iterable[Node], edges: Iterable[Edge], activity_days: Iterable[int]) -> None:
        """Fill an empty state from a checkpoint."""
        for node in nodes:
            self._set_node(None, node)
        for edge in edges:
            self._set_edge(edge)
        self.activity_days.update(activity_days)

    def offer(self, nodes: Mapping[str, Any], edges: Mapping[str, Any], ends: Iterable[tuple[str, str, str]]) -> None:
        """Fill from a checkpoint's stored forms; each becomes a record when somebody asks for it.

        `ends` are the edges' (id, from, to)."""
        assert isinstance(self.nodes, Records) and isinstance(self.edges, Records)
        self.nodes.offer(nodes)
        self.edges.offer(edges)
        out, into = self.out, self.into
        for edge_id, start, end in ends:
            if start in out:
                out[start].add(edge_id)
            else:
                out[start] = {edge_id}
            if end in into:
                into[end].add(edge_id)
            else:
                into[end] = {edge_id}

    def _set_node(self, before: Node | None, after: Node | None) -> None:
        if after is not None:
            self.nodes[after.id] = after
        elif before is not None:
            del self.nodes[before.id]
        for listener in self.listeners:
            listener(before, after)

    def _set_edge(self, edge: Edge) -> None:
        self.edges[edge.id] = edge
        self.out.setdefault(edge.from_id, set()).add(edge.id)
        self.into.setdefault(edge.to_id, set()).add(edge.id)


def is_hanging(node_id: str, state: GraphState, edges: dict[str, Edge | None], ends: dict[str, set[str]]) -> bool:
    """Whether an edge, retired or not, still ends at the node once `edges` are carried out; `ends` has the new ones."""
    ids = state.out.get(node_id, set()) | state.into.get(node_id, set()) | ends.get(node_id, set())
    return any(edges.get(i, state.edges.get(i)) is not None for i in ids)


def check_applicable(delta: GraphDelta, state: GraphState) -> None:
    """Refuse a delta whose before-images are not what the state holds, or that refers to what is not there."""
    reasons: list[str] = []
    nodes: dict[str, Node | None] = {}
    edges: dict[str, Edge | None] = {}
    ends: dict[str, set[str]] = {}
    for operation in delta.operations:
        match operation:
            case AddNode(node=node):
                if nodes.get(node.id, state.nodes.get(node.id)) is not None:
                    reasons.append("a node is added twice")
                nodes[node.id] = node
            case SetNode(before=before, after=after):
                if nodes.get(before.id, state.nodes.get(before.id)) != before or after.id != before.id:
                    reasons.append("a node has changed since the delta was made")
                nodes[after.id] = after
            case RemoveNode(before=before):
                if nodes.get(before.id, state.nodes.get(before.id)) != before:
                    reasons.append("a node to take back has changed")
                if is_hanging(before.id, state, edges, ends):
                    reasons.append("a node to take back still has edges")
                nodes[before.id] = None
            case AddEdge(edge=edge):
                if edges.get(edge.id, state.edges.get(edge.id)) is not None:
                    reasons.append("an edge is added twice")
                for end in (edge.from_id, edge.to_id):
                    ends.setdefault(end, set()).add(edge.id)
                    if (nodes[end] if end in nodes else state.nodes.get(end)) is None:
                        reasons.append("an edge ends at an unknown node")
                edges[edge.id] = edge
            case SetEdge(before=before_edge, after=after_edge):
                held = edges.get(before_edge.id, state.edges.get(before_edge.id))
                same_ends = (after_edge.from_id, after_edge.to_id) == (before_edge.from_id, before_edge.to_id)
                if held != before_edge or after_edge.id != before_edge.id or not same_ends:
                    reasons.append("an edge has changed since the delta was made")
                edges[after_edge.id] = after_edge
            case RemoveEdge(before=gone):
                if edges.get(gone.id, state.edges.get(gone.id)) != gone:
                    reasons.append("an edge to take back has changed")
                edges[gone.id] = None
            case PutMessage():
                pass
    if reasons:
        raise DeltaRefused(tuple(dict.fromkeys(reasons)))
