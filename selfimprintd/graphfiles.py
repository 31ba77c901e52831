"""Which node and edge lies in which file, and which files a checkpoint must write anew."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Container

from selfimprint.engine.delta import AddEdge, GraphDelta, RemoveEdge, SetEdge
from selfimprint.engine.domains import file_of
from selfimprint.engine.graph import Node
from selfimprint.engine.state import GraphState
from selfimprint.synx.errors import Damaged

from selfimprintd.documents import StoredGraph, graph_text, quick_text, read_graph, read_quick

NODES_A_FILE = 2_000

log = logging.getLogger("selfimprintd.graphfiles")


class GraphFiles:
    """An edge lies with the node it starts at. A file is named `<domain>-<part>`; parts fill up one after another."""

    def __init__(self) -> None:
        self._file: dict[str, str] = {}
        self._members: dict[str, set[str]] = defaultdict(set)
        self._touched: set[str] = set()
        self._unwritten: set[str] = set()

    def load(self, name: str, read: Callable[[str], bytes], names: Container[str]) -> StoredGraph:
        """The file's nodes and edges as they are stored, from its quick form where there is one that can be read."""
        try:
            stored = read_quick(read(quick_name(name))) if quick_name(name) in names else read_graph(read(name))
        except (ValueError, KeyError, TypeError, IndexError, Damaged):
            log.warning("a quick form could not be read; the graph file is read instead")
            stored = read_graph(read(name))
        self._file.update(dict.fromkeys(stored.nodes, name))
        self._members[name] = set(stored.nodes)
        return stored

    def follow(self, before: Node | None, after: Node | None) -> None:
        """A listener of the graph state: remember what changed."""
        self._touched.add((after or before).id)  # type: ignore[union-attr]  # one of them is there

    def follow_edges(self, delta: GraphDelta) -> None:
        for operation in delta.operations:
            match operation:
                case AddEdge(edge=edge) | SetEdge(after=edge) | RemoveEdge(before=edge):
                    self._touched.add(edge.from_id)

    def changed(self, state: GraphState, is_active: Callable[[Node], bool]) -> dict[str, bytes | None]:
        """The files to write (None: to drop) so that they hold the state; `written` says that it was done."""
        dirty = self._unwritten
        for node_id in self._touched:
            node = state.nodes.get(node_id)
            old = self._file.get(node_id)
            wanted = None if node is None else file_of(node, active=is_active(node))
            if old is not None and (wanted is None or old.rsplit("-", 1)[0] != wanted):
                self._members[old].discard(node_id)
                del self._file[node_id]
                dirty.add(old)
            if wanted is not None and node_id not in self._file:
                name = self._part(wanted)
                self._file[node_id] = name
                self._members[name].add(node_id)
            if node_id in self._file:
                dirty.add(self._file[node_id])
        self._touched.clear()
        files: dict[str, bytes | None] = {}
        for name in sorted(dirty):
            files[name], files[quick_name(name)] = self._text(name, state)
        return files

    def written(self) -> None:
        """What `changed` gave last is on the disk."""
        self._unwritten = set()

    def touch(self, node_ids: set[str]) -> None:
        """Nodes whose place may have changed with time alone."""
        self._touched |= node_ids

    def place(self, node_id: str) -> str:
        return self._file.get(node_id, "")

    def _part(self, wanted: str) -> str:
        part = 0
        while len(self._members.get(f"{wanted}-{part}", ())) >= NODES_A_FILE:
            part += 1
        return f"{wanted}-{part}"

    def _text(self, name: str, state: GraphState) -> tuple[bytes, bytes] | tuple[None, None]:
        members = sorted(self._members.get(name, ()))
        if not members:
            self._members.pop(name, None)
            return None, None
        edges = [state.edges[e] for i in members for e in sorted(state.out.get(i, ()))]
        nodes = [state.nodes[i] for i in members]
        return graph_text(nodes, edges), quick_text(nodes, edges)


def quick_name(name: str) -> str:
    """The quick form of a graph file."""
    return "quick/" + name.replace("/", ".")
