"""One open database: errors, memory, bulk load."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from graphs import START, make_edge, make_node, random_graph
from selfimprint.engine.store.cypher import SET_NODE, Query
from selfimprint.engine.store.database import Database, KuzuSettings, Module
from selfimprint.engine.store.port import StoreFailed
from selfimprint.engine.store.records import held_edge, held_node, to_datetime


@pytest.fixture
def database(driver: Module) -> Iterator[Database]:
    made = Database(driver, KuzuSettings(rows_per_chunk=7, buffer_pool_bytes=64 << 20))
    yield made
    made.close()


def test_load_in_chunks(database: Database) -> None:
    """A load larger than a chunk, and one that ends on a chunk's edge, arrive whole."""
    nodes, edges = random_graph(30, 21, seed=2)
    database.load(map(held_node, nodes), map(held_edge, edges))
    assert database.run(Query.COUNT_NODES) == [[30]]
    assert database.run(Query.COUNT_EDGES) == [[21]]


def test_load_nothing(database: Database) -> None:
    """Loading nothing is no error."""
    database.load([], [])
    assert database.run(Query.COUNT_NODES) == [[0]]


def test_load_missing_ends(database: Database) -> None:
    """An edge without its node fails in the store's own error."""
    with pytest.raises(StoreFailed, match="LOAD_EDGES"):
        database.load([held_node(make_node("a"))], [held_edge(make_edge("e", "a", "nowhere"))])


def test_one_statement_takes_null_and_value(database: Database) -> None:
    """A prepared statement is reused between a value and none, either first."""
    database.load([held_node(make_node("a", valid_to=START))], [])
    for value in (None, START, None, START + 1):
        rows = database.run(SET_NODE["valid_to"], {"id": "a", "value": to_datetime(value)})
        assert rows == [["a"]]
        assert database.run(Query.ALL_NODES)[0][7] == to_datetime(value)


def test_driver_errors_are_ours(database: Database) -> None:
    """A parameter that cannot be taken fails as StoreFailed with the statement's name, and the database goes on."""
    for parameters in ({"id": "\ud800"}, {"wrong": "a"}):
        with pytest.raises(StoreFailed, match="HAS_NODE"):
            database.run(Query.HAS_NODE, parameters)
    assert database.run(Query.HAS_NODE, {"id": "a"}) == []


def test_pool_fills_with_sets(database: Database, driver: Module) -> None:
    """The watch sees what SETs use up, on a driver whose own figure stands still too."""
    database.load([held_node(make_node("a"))], [])
    before = database.pool_fill(0)
    for i in range(300):
        database.run(SET_NODE["content"], {"id": "a", "value": f"text {i}"})
    assert 0 < before < database.pool_fill(300) < 1
