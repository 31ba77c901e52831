"""A delta in the making: reads through to the graph, collects changes, and gives the operations in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator

from selfimprint.engine.delta import AddEdge, AddNode, Operation, SetEdge, SetNode
from selfimprint.engine.graph import Edge, Node
from selfimprint.engine.state import GraphState


class Draft:
    def __init__(self, state: GraphState) -> None:
        self.state = state
        self._nodes: dict[str, Node] = {}
        self._edges: dict[str, Edge] = {}

    def node(self, node_id: str) -> Node | None:
        return self._nodes.get(node_id) or self.state.nodes.get(node_id)

    def edge(self, edge_id: str) -> Edge | None:
        return self._edges.get(edge_id) or self.state.edges.get(edge_id)

    def put(self, node: Node) -> None:
        self._nodes[node.id] = node

    def put_edge(self, edge: Edge) -> None:
        self._edges[edge.id] = edge

    def drafted(self) -> Iterator[Node]:
        """Nodes that this draft made or changed."""
        yield from list(self._nodes.values())

    def changed(self, node_id: str) -> bool:
        return node_id in self._nodes

    def operations(self) -> tuple[Operation, ...]:
        """Nodes first, so that every edge finds its ends; unchanged records leave no trace."""
        found: list[Operation] = []
        for node in self._nodes.values():
            before = self.state.nodes.get(node.id)
            if before is None:
                found.append(AddNode(node=node))
            elif before != node:
                found.append(SetNode(before=before, after=node))
        for edge in self._edges.values():
            held = self.state.edges.get(edge.id)
            if held is None:
                found.append(AddEdge(edge=edge))
            elif held != edge:
                found.append(SetEdge(before=held, after=edge))
        return tuple(found)
