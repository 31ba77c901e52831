"""What the database adapter does beyond the contract: its pool, its source, its process, its threads."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from graphs import make_edge, make_node, random_graph
from selfimprint.engine.delta import AddNode, SetNode
from selfimprint.engine.graph import Edge, Node
from selfimprint.engine.store import kuzu
from selfimprint.engine.store.cypher import Query
from selfimprint.engine.store.database import KuzuSettings, Module
from selfimprint.engine.store.kuzu import KuzuStore
from selfimprint.engine.store.memory import MemoryStore
from selfimprint.engine.store.port import ForkedStore, StoreFailed

EAGER = KuzuSettings(buffer_pool_bytes=64 << 20, rebuild_at_fill=0.0, watch_every_sets=1)
"""Finds its pool too full after every SET."""


class Truth:
    """A source whose record number can be set apart from what the store has applied."""

    def __init__(self, seq: int) -> None:
        self.nodes, self.seq, self.asked = [make_node("a"), make_node("b")], seq, 0

    def __call__(self) -> tuple[list[Node], list[Edge], int]:
        self.asked += 1
        return self.nodes, [], self.seq


@pytest.fixture
def eager(driver: Module) -> Any:
    """An eager store filled as of record 5, which has one SET behind it (record 6), and its source."""
    truth = Truth(5)
    store = KuzuStore(truth, module=driver, settings=EAGER)
    store.refill()
    changed = replace(truth.nodes[0], content="changed")
    store.apply(6, [SetNode(before=truth.nodes[0], after=changed)])
    truth.nodes, truth.asked = [changed, truth.nodes[1]], 0
    yield store, truth
    store.close()


class TestOwnRebuild:
    def test_source_at_the_same_record(self, eager: tuple[KuzuStore, Truth]) -> None:
        """Too full a pool is rebuilt before the next record, which is then applied."""
        store, truth = eager
        truth.seq = 6
        store.apply(7, [AddNode(node=make_node("c"))])
        assert (store.rebuilds, store.applied_seq, store.count()) == (1, 7, (3, 0))
        assert store.contents().nodes[0].content == "changed"

    def test_source_ahead(self, eager: tuple[KuzuStore, Truth]) -> None:
        """Records that the source already contained are not applied again."""
        store, truth = eager
        truth.nodes, truth.seq = [*truth.nodes, make_node("c"), make_node("d")], 8
        store.apply(7, [AddNode(node=make_node("c"))])
        assert (store.applied_seq, store.count()) == (8, (4, 0))
        store.apply(8, [AddNode(node=make_node("d"))])
        store.apply(9, [AddNode(node=make_node("e"))])
        assert (store.rebuilds, store.applied_seq, store.count()) == (1, 9, (5, 0))

    def test_source_behind(self, eager: tuple[KuzuStore, Truth]) -> None:
        """A source that is behind loses nothing: the store goes on with what it has."""
        store, truth = eager
        truth.seq = 5
        store.apply(7, [AddNode(node=make_node("c"))])
        assert truth.asked == 1
        assert (store.rebuilds, store.applied_seq, store.count()) == (0, 7, (3, 0))

    def test_a_full_pool(self, driver: Module) -> None:
        """When the pool runs out unforeseen, the record is applied after a rebuild."""
        nodes, _ = random_graph(300, 0, seed=1)
        truth = {node.id: node for node in nodes}
        seq = 0
        never_looks = KuzuSettings(buffer_pool_bytes=32 << 20, watch_every_sets=1 << 40)
        store = KuzuStore(lambda: (list(truth.values()), [], seq), module=driver, settings=never_looks)
        store.refill()
        while store.rebuilds < 2 and seq < 9000:
            before = truth[nodes[seq % 300].id]
            after = replace(before, content=f"said {seq}", valid_to=seq)
            store.apply(seq + 1, [SetNode(before=before, after=after)])
            truth[after.id], seq = after, seq + 1
        assert store.rebuilds == 2
        assert [node.content for node in store.contents().nodes] == [node.content for node in truth.values()]
        store.close()

    def test_a_graph_too_large(self, driver: Module) -> None:
        """A rebuild that does not fit into the pool fails in words, and the old graph still answers."""
        tight = KuzuSettings(buffer_pool_bytes=24 << 20, max_db_size_bytes=1 << 30)
        store = KuzuStore(lambda: ([], [], 0), module=driver, settings=tight)
        store.rebuild([make_node("a")], [], 1)
        large = (make_node(f"n{i}", content=f"{i}-" * 2000) for i in range(30_000))
        with pytest.raises(StoreFailed):
            store.rebuild(large, [], 2)
        assert (store.applied_seq, store.count()) == (1, (1, 0))
        store.close()


class TestFailure:
    def test_a_driver_error(self, open_kuzu: Callable[..., KuzuStore], monkeypatch: pytest.MonkeyPatch) -> None:
        """An error of the driver in the middle of a record leaves nothing of it, and a rebuild heals."""
        store = open_kuzu([make_node("a")])
        commit = kuzu.commit

        def half(database: Any, wanted: Any) -> None:
            commit(_Failing(database, after=2), wanted)

        monkeypatch.setattr(kuzu, "commit", half)
        with pytest.raises(StoreFailed, match="the cable is out"):
            store.apply(1, [AddNode(node=make_node("b")), AddNode(node=make_node("c"))])
        monkeypatch.undo()
        with pytest.raises(StoreFailed, match="record 1 was not applied"):
            store.matching()
        assert store.applied_seq == 0
        store.refill()
        assert store.matching() == ("a",)
        store.apply(1, [AddNode(node=make_node("b"))])
        assert store.matching() == ("a", "b")

    def test_an_unknown_driver(self) -> None:
        """A driver that is not installed is named."""
        with pytest.raises(StoreFailed, match="no_such_driver"):
            KuzuStore(lambda: ([], [], 0), module="no_such_driver")  # type: ignore[arg-type]


class _Failing:
    """A database whose driver fails after some statements, but still rolls back."""

    def __init__(self, database: Any, *, after: int) -> None:
        self._database, self._left = database, after

    def run(self, query: Query, parameters: Any = None) -> Any:
        self._left -= 1
        if self._left < 0 and query is not Query.ROLLBACK:
            raise StoreFailed("the cable is out")
        return self._database.run(query, parameters)


def test_fork(driver: Module) -> None:
    """In a forked child every call fails with a clear error; the parent's store goes on."""
    code = (
        "import os, sys\n"
        "from selfimprint.engine.store.kuzu import KuzuStore\n"
        "from selfimprint.engine.store.port import ForkedStore\n"
        "store = KuzuStore(lambda: ([], [], 0), module=sys.argv[1])\n"
        "if (child := os.fork()) == 0:\n"
        "    refused = 0\n"
        "    for call in (store.count, store.contents, store.matching, store.refill, store.close,\n"
        "                 lambda: store.apply(1, []), lambda: store.neighbours(['a']),\n"
        "                 lambda: store.chain('a', direction='causes'), lambda: store.paths('a', 'b')):\n"
        "        try:\n"
        "            call()\n"
        "        except ForkedStore:\n"
        "            refused += 1\n"
        "    os._exit(refused)\n"
        "_, status = os.waitpid(child, 0)\n"
        "print(os.waitstatus_to_exitcode(status), store.count())\n"
        "store.close()\n"
    )
    run = subprocess.run([sys.executable, "-c", code, driver], capture_output=True, text=True, timeout=60)
    assert run.stdout == "9 (0, 0)\n", run.stderr


def test_fork_error_says_what_to_do(open_kuzu: Callable[..., KuzuStore], monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the process that owns the store."""
    store = open_kuzu()
    with monkeypatch.context() as patch:
        patch.setattr(kuzu.os, "getpid", lambda: -1)
        with pytest.raises(ForkedStore, match=r"opened by process \d+; open another one after the fork"):
            store.count()


@pytest.mark.parametrize("scan_from", [1, 4, None])
def test_both_ways_to_hop(open_kuzu: Callable[..., KuzuStore], scan_from: int | None) -> None:
    """A scan and a query per node find the same edges, whatever the threshold."""
    nodes, edges = random_graph(80, 300, seed=6)
    model = MemoryStore()
    model.rebuild(nodes, edges, 0)
    store = open_kuzu(nodes, edges, scan_from=scan_from)
    for size in (1, 3, 4, 20):
        ids = [node.id for node in nodes[:size]]
        assert store.neighbours(ids) == model.neighbours(ids)
        assert store.neighbours(ids, include_archived=True, limit=5) == model.neighbours(
            ids, include_archived=True, limit=5
        )
        assert store.paths(nodes[0].id, nodes[size].id) == model.paths(nodes[0].id, nodes[size].id)


def test_writers_queue(open_kuzu: Callable[..., KuzuStore]) -> None:
    """Writers and readers on several threads do not get in each other's way."""
    store = open_kuzu([make_node("hub")], [make_edge("loop", "hub", "hub")])
    turn, failures = threading.Lock(), list[Exception]()

    def write() -> None:
        for _ in range(20):
            with turn:  # the sequence is the caller's; the database is the store's
                seq = store.applied_seq + 1
                store.apply(seq, [AddNode(node=make_node(f"n{seq}"))])

    def read() -> None:
        for _ in range(20):
            try:
                assert len(store.neighbours(["hub"])) == 1
                store.count()
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=work) for work in (write, write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert (store.applied_seq, store.count()) == (40, (41, 1))
