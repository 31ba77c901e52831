"""Twin of selfimprintd/graphfiles.py."""

from __future__ import annotations

import pytest
from graphs import make_edge, make_node
from records import make_delta
from selfimprint.engine.delta import AddEdge, AddNode, RemoveEdge, RemoveNode
from selfimprint.engine.graph import Edge, Node, NodeType
from selfimprint.engine.state import GraphState

from selfimprintd import graphfiles
from selfimprintd.documents import graph_text
from selfimprintd.graphfiles import GraphFiles, quick_name


class _Kept:
    """A state, its files, and the files as they lie on a disk."""

    def __init__(self) -> None:
        self.state = GraphState()
        self.files = GraphFiles()
        self.state.listeners.append(self.files.follow)
        self.disk: dict[str, bytes] = {}

    def change(self, *operations: object) -> None:
        delta = make_delta(*operations)  # type: ignore[arg-type]
        self.state.apply(delta)
        self.files.follow_edges(delta)

    def changed(self, archived: frozenset[str] = frozenset()) -> dict[str, bytes | None]:
        return self.files.changed(self.state, lambda n: n.id not in archived)

    def write(self, changed: dict[str, bytes | None]) -> None:
        for name, data in changed.items():
            if data is None:
                del self.disk[name]
            else:
                self.disk[name] = data
        self.files.written()

    def read(self) -> tuple[dict[str, Node], dict[str, Edge]]:
        state = GraphState()
        count = 0
        for name in self.disk:
            if not name.startswith("quick"):
                stored = GraphFiles().load(name, self.disk.__getitem__, ())
                state.offer(*stored)
                count += len(stored.nodes)
        assert count == len(state.nodes)
        return dict(state.nodes), dict(state.edges)


def _filled() -> _Kept:
    kept = _Kept()
    nodes = [make_node(f"n{i}", type=t) for i, t in enumerate(list(NodeType) * 3) if t is not NodeType.HYPOTHESIS]
    kept.change(*(AddNode(node=n) for n in nodes))
    kept.change(AddEdge(edge=make_edge("e", nodes[0].id, nodes[1].id)))
    return kept


def test_the_files_hold_the_state() -> None:
    """What is written reads back as the graph, each record once; an unchanged graph writes nothing."""
    kept = _filled()
    kept.write(kept.changed())
    assert kept.read() == (dict(kept.state.nodes), dict(kept.state.edges))
    assert kept.changed() == {}


def test_what_could_not_be_written_is_given_again() -> None:
    """Until `written` is said, every changed file is given again, moved and emptied ones too."""
    kept = _filled()
    first = kept.changed()
    assert kept.changed() == first
    kept.write(first)
    everything = frozenset(kept.state.nodes)
    kept.files.touch(set(everything))
    moved = kept.changed(archived=everything)
    assert None in moved.values()
    assert kept.changed(archived=everything) == moved
    kept.write(moved)
    assert kept.read() == (dict(kept.state.nodes), dict(kept.state.edges))


def test_removed_records_leave_their_files() -> None:
    """An undone edge and node are gone from the files at the next writing."""
    kept = _filled()
    kept.write(kept.changed())
    edge = kept.state.edges["e"]
    kept.change(RemoveEdge(before=edge), RemoveNode(before=kept.state.nodes[edge.from_id]))
    kept.write(kept.changed())
    assert kept.read() == (dict(kept.state.nodes), {})


def test_parts_fill_up_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file takes more nodes than a part may hold."""
    monkeypatch.setattr(graphfiles, "NODES_A_FILE", 2)
    kept = _filled()
    kept.write(kept.changed())
    assert all(
        len(GraphFiles().load(name, kept.disk.__getitem__, ())[0]) <= 2
        for name in kept.disk
        if not name.startswith("quick")
    )
    assert kept.read() == (dict(kept.state.nodes), dict(kept.state.edges))


def test_a_damaged_quick_form_is_passed_over() -> None:
    """The quick form only spares time: one that cannot be read does not keep the profile from opening."""
    store = {"core-0": graph_text([], []), quick_name("core-0"): b"{"}
    assert GraphFiles().load("core-0", store.__getitem__, store) == ({}, {}, [])
