"""Changes as one transaction of statements."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from graphs import make_edge, make_node
from selfimprint.engine.graph import NodeType
from selfimprint.engine.store.changes import EdgeAdded, EdgeSet, NodeAdded, NodeRemoved, NodeSet
from selfimprint.engine.store.cypher import Query
from selfimprint.engine.store.database import Database, KuzuSettings, Module
from selfimprint.engine.store.port import StoreFailed
from selfimprint.engine.store.records import held_edge, held_node
from selfimprint.engine.store.rows import commit, edge_of, node_of, sets

A, B = held_node(make_node("a")), held_node(make_node("b"))
EDGE = held_edge(make_edge("e", "a", "b", confidence=0.5, retired_at=7))


@pytest.fixture
def database(driver: Module) -> Iterator[Database]:
    made = Database(driver, KuzuSettings(buffer_pool_bytes=64 << 20))
    yield made
    made.close()


def test_rows_are_the_records(database: Database) -> None:
    """What is written comes back as equal values of the same types."""
    commit(database, [NodeAdded(node=A), NodeAdded(node=B), EdgeAdded(edge=EDGE)])
    held = sorted(map(node_of, database.run(Query.ALL_NODES)), key=lambda node: node.id)
    assert held == [A, B]
    assert type(held[0].type) is NodeType
    assert [edge_of(row) for row in database.run(Query.ALL_EDGES)] == [EDGE]


def test_all_or_none(database: Database) -> None:
    """A change that does not fit takes the whole transaction with it."""
    commit(database, [NodeAdded(node=A)])
    with pytest.raises(StoreFailed, match="NodeRemoved does not fit"):
        commit(database, [NodeAdded(node=B), NodeRemoved(id="unknown")])
    assert [node_of(row) for row in database.run(Query.ALL_NODES)] == [A]
    commit(database, [NodeAdded(node=B)])
    assert database.run(Query.COUNT_NODES) == [[2]]


def test_sets_are_counted() -> None:
    """Each field that is set counts, adding and removing do not."""
    wanted = [
        NodeAdded(node=A),
        NodeSet(node=A, fields=("content", "slot")),
        NodeSet(node=A, fields=()),
        EdgeSet(edge=EDGE, fields=("confidence",)),
        NodeRemoved(id="a"),
    ]
    assert sets(wanted) == 3
