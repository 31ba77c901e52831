"""What only shows at size: deletion beside many unrelated rows, very many updates, and a rebuild under load."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import replace

from graphs import make_edge, make_node, random_graph
from selfimprint.engine.delta import Operation, RemoveEdge, RemoveNode, SetNode
from selfimprint.engine.graph import Edge, Node
from selfimprint.engine.store.database import KuzuSettings, Module
from selfimprint.engine.store.kuzu import KuzuStore
from selfimprint.engine.store.port import GraphQuestions
from selfimprint.engine.store.records import Contents, held_edge, held_node

UNRELATED = 50_000  # of each kind, 100,000 rows together
UPDATES = {"kuzu": 20_000, "ladybug": 4_000}


def checksum(rows: Contents) -> str:
    digest = hashlib.sha256()
    for row in (*rows.nodes, *rows.edges):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def test_deletion_beside_unrelated_rows(open_kuzu: Callable[..., KuzuStore]) -> None:
    """Removing nodes with their edges, and single edges, changes none of 100,000 other rows."""
    nodes, edges = random_graph(UNRELATED, UNRELATED, seed=9)
    places = [i * UNRELATED // 60 for i in range(60)]  # the victims lie scattered between the others
    victims = {i: make_node(f"v{i:06d}") for i in places}
    theirs = {i: [make_edge(f"v{i}-{k}", f"v{i:06d}", nodes[(i + k) % UNRELATED].id) for k in range(4)] for i in places}
    for i in reversed(places):
        nodes.insert(i, victims[i])
        edges[i:i] = [*theirs[i], make_edge(f"v{i}-in", nodes[i - 1].id, f"v{i:06d}")]
    store = open_kuzu(nodes, edges)
    removals: list[Operation] = [RemoveNode(before=node) for node in victims.values()]
    gone = {node.id for node in victims.values()}
    single = [edge for edge in edges if not {edge.from_id, edge.to_id} & gone][::2500]
    removals += [RemoveEdge(before=edge) for edge in single]
    for seq, operation in enumerate(removals, 1):
        store.apply(seq, [operation])
    left_nodes = (node for node in nodes if node.id not in gone)
    dropped = {edge.id for edge in single}
    left_edges = (e for e in edges if e.id not in dropped and e.from_id not in gone and e.to_id not in gone)
    expected = Contents(
        nodes=tuple(sorted(map(held_node, left_nodes), key=lambda n: n.id)),
        edges=tuple(sorted(map(held_edge, left_edges), key=lambda e: e.id)),
    )
    assert store.count() == (UNRELATED, len(expected.edges))
    assert checksum(store.contents()) == checksum(expected)


def test_single_updates_in_a_bounded_pool(driver: Module) -> None:
    """Thousands of updates, a record each, go on in a small pool, because it rebuilds itself in time."""
    nodes, edges = random_graph(500, 1500, seed=5)
    truth: dict[str, Node] = {node.id: node for node in nodes}
    seq, count = 0, UPDATES[driver]

    def source() -> tuple[list[Node], list[Edge], int]:
        return list(truth.values()), edges, seq

    store = KuzuStore(source, module=driver, settings=KuzuSettings(buffer_pool_bytes=48 << 20, threads=1))
    store.refill()
    for i in range(count):
        before = truth[nodes[i * 7 % 500].id]
        after = replace(before, content=f"said {i}") if i % 3 else replace(before, valid_to=i, retired_at=None)
        store.apply(seq + 1, [SetNode(before=before, after=after)])
        truth[after.id], seq = after, seq + 1
    assert store.applied_seq == count
    assert store.contents().nodes == tuple(map(held_node, truth.values()))
    assert 2 <= store.rebuilds <= count // 100
    store.close()


def answers(store: GraphQuestions, ids: tuple[str, ...]) -> tuple[object, ...]:
    return (
        store.neighbours(ids),
        store.chain(ids[0], direction="causes"),
        store.paths(ids[0], ids[1]),
        store.matching(slot="home", limit=50),
        store.count(),
    )


def test_rebuild_under_load(open_kuzu: Callable[..., KuzuStore]) -> None:
    """While the graph is rebuilt again and again, every question gets the old answer or the new one, never an error."""
    graphs = [random_graph(1500, 4500, seed=seed) for seed in (1, 2)]
    store = open_kuzu(*graphs[0])
    ids = ("n000003", "n000007", "n000011")
    right: list[tuple[object, ...]] = []
    for nodes, edges in graphs:
        store.rebuild(nodes, edges, 1)
        right.append(answers(store, ids))
    allowed = [set(pair) for pair in zip(*right, strict=True)]
    assert all(len(pair) == 2 for pair in allowed[:1])
    wrong: list[object] = []
    asked = [0, 0]
    seen: set[object] = set()
    done = threading.Event()

    def ask(reader: int) -> None:
        while not done.is_set():
            try:
                for answer, pair in zip(answers(store, ids), allowed, strict=True):
                    if answer not in pair:
                        wrong.append(answer)
                    seen.add(answer)
            except Exception as error:
                wrong.append(error)
                return
            asked[reader] += 1

    readers = [threading.Thread(target=ask, args=(reader,)) for reader in range(2)]
    for reader in readers:
        reader.start()
    for turn in range(8):
        store.rebuild(*graphs[turn % 2], turn)
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert min(asked) > 0
    assert {right[0][0], right[1][0]} <= seen  # both graphs were asked
