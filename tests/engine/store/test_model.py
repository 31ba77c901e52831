"""A state machine: whatever happens to a database store, it answers as the in-memory reference does."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from graphs import edges, nodes
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from selfimprint.engine.delta import AddEdge, AddNode, Operation, RemoveEdge, RemoveNode, SetEdge, SetNode
from selfimprint.engine.graph import Edge, EdgeType, Node, NodeType
from selfimprint.engine.store.database import KuzuSettings, Module
from selfimprint.engine.store.kuzu import KuzuStore
from selfimprint.engine.store.memory import MemoryStore

DRIVER: Module = "ladybug" if os.environ.get("SELFIMPRINT_TEST_DRIVER") == "ladybug" else "kuzu"
IDS = ("a", "b", "c", "d", "e", "f", "ж\x00'", "\u2028")
SMALL = KuzuSettings(max_db_size_bytes=1 << 30, buffer_pool_bytes=64 << 20, scan_from=3)
STANDING = st.fixed_dictionaries({"include_retired": st.booleans(), "include_archived": st.booleans()})
TYPES = st.none() | st.frozensets(st.sampled_from(EdgeType))
some_id = st.sampled_from(IDS)


class StoreMachine(RuleBasedStateMachine):
    """The truth is two dictionaries; both stores follow it record by record, in batches of any size."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: dict[str, Node] = {}
        self.edges: dict[str, Edge] = {}
        self.seq = 0
        self.batch: list[Operation] = []
        self.model = MemoryStore()
        self.store: KuzuStore | None = None

    def opened(self) -> KuzuStore:
        return KuzuStore(self.truth, module=DRIVER, settings=SMALL)

    def truth(self) -> tuple[list[Node], list[Edge], int]:
        return list(self.nodes.values()), list(self.edges.values()), self.seq

    @initialize()
    def open(self) -> None:
        self.store = self.opened()

    def do(self, operation: Operation) -> None:
        self.batch.append(operation)

    @rule(node=nodes(some_id))
    def put_node(self, node: Node) -> None:
        held = self.nodes.get(node.id)
        self.do(AddNode(node=node) if held is None else SetNode(before=held, after=node))
        self.nodes[node.id] = node

    @rule(edge=edges(st.sampled_from([f"edge {i}" for i in range(12)]), some_id, some_id))
    def put_edge(self, edge: Edge) -> None:
        if edge.from_id in self.nodes and edge.to_id in self.nodes:
            held = self.edges.get(edge.id)
            self.do(AddEdge(edge=edge) if held is None else SetEdge(before=held, after=edge))
            self.edges[edge.id] = edge

    @rule(data=st.data(), at=st.none() | st.just(5))
    def retire(self, data: st.DataObject, at: int | None) -> None:
        """The most usual update: one field of a node."""
        if self.nodes:
            before = self.nodes[data.draw(st.sampled_from(sorted(self.nodes)))]
            after = replace(before, retired_at=at)
            self.do(SetNode(before=before, after=after))
            self.nodes[after.id] = after

    @rule(data=st.data())
    def remove_edge(self, data: st.DataObject) -> None:
        if self.edges:
            edge = self.edges.pop(data.draw(st.sampled_from(sorted(self.edges))))
            self.do(RemoveEdge(before=edge))

    @rule(data=st.data())
    def remove_node(self, data: st.DataObject) -> None:
        if self.nodes:
            node = self.nodes.pop(data.draw(st.sampled_from(sorted(self.nodes))))
            self.edges = {k: e for k, e in self.edges.items() if node.id not in (e.from_id, e.to_id)}
            self.do(RemoveNode(before=node))

    @rule()
    def commit(self) -> None:
        """What has gathered becomes one record."""
        assert self.store is not None
        self.seq += 1
        for follower in (self.model, self.store):
            follower.apply(self.seq, tuple(self.batch))
        self.batch = []

    @rule()
    def rebuild(self) -> None:
        assert self.store is not None
        self.commit()
        self.store.rebuild(*self.truth())

    @rule()
    def reopen(self) -> None:
        assert self.store is not None
        self.commit()
        self.store.close()
        self.store = self.opened()
        self.store.refill()

    @rule(ids=st.lists(some_id, max_size=5), types=TYPES, limit=st.integers(0, 9), standing=STANDING)
    def ask_neighbours(self, ids: list[str], types: frozenset[EdgeType] | None, limit: int, standing: Any) -> None:
        self.same("neighbours", ids, types=types, limit=limit, **standing)

    @rule(
        node_id=some_id,
        direction=st.sampled_from(["causes", "effects"]),
        depth=st.integers(0, 6),
        paths=st.integers(0, 9),
        standing=STANDING,
    )
    def ask_chain(self, node_id: str, direction: str, depth: int, paths: int, standing: Any) -> None:
        self.same("chain", node_id, direction=direction, max_depth=depth, max_paths=paths, **standing)

    @rule(a=some_id, b=some_id, length=st.integers(0, 5), paths=st.integers(0, 9), types=TYPES, standing=STANDING)
    def ask_paths(
        self, a: str, b: str, length: int, paths: int, types: frozenset[EdgeType] | None, standing: Any
    ) -> None:
        self.same("paths", a, b, max_length=length, max_paths=paths, types=types, **standing)

    @rule(
        node_type=st.none() | st.sampled_from(NodeType),
        slot=st.none() | st.sampled_from(["", "home"]),
        subject=st.none() | st.sampled_from(["self", "anna"]),
        standing=STANDING,
    )
    def ask_matching(self, node_type: NodeType | None, slot: str | None, subject: str | None, standing: Any) -> None:
        self.same("matching", type=node_type, slot=slot, subject=subject, **standing)

    def same(self, question: str, *about: Any, **how: Any) -> None:
        assert getattr(self.store, question)(*about, **how) == getattr(self.model, question)(*about, **how)

    @invariant()
    def same_contents(self) -> None:
        if self.store is not None:
            assert self.store.applied_seq == self.model.applied_seq
            assert self.store.count() == self.model.count()
            assert self.store.contents() == self.model.contents()

    def teardown(self) -> None:
        if self.store is not None:
            self.store.close()


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
