"""Which store a test runs on. The two drivers of the kuzu family do not fit into one process: this run has the one
that SELFIMPRINT_TEST_DRIVER names (kuzu unless given), and `test_ladybug.py` starts a second run with the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from graphs import Edge, Node
from selfimprint.engine.store.database import KuzuSettings, Module
from selfimprint.engine.store.kuzu import KuzuStore
from selfimprint.engine.store.memory import MemoryStore
from selfimprint.engine.store.port import GraphStore

DRIVER: Module = "ladybug" if os.environ.get("SELFIMPRINT_TEST_DRIVER") == "ladybug" else "kuzu"


@pytest.fixture
def driver() -> Module:
    return DRIVER


@pytest.fixture
def open_kuzu(driver: Module) -> Iterator[Callable[..., KuzuStore]]:
    """Opens stores on this run's driver, filled with a graph as of record 0, and closes them in the end."""
    opened: list[KuzuStore] = []

    def open_one(nodes: list[Node] | None = None, edges: list[Edge] | None = None, **settings: object) -> KuzuStore:
        graph = (nodes or [], edges or [], 0)
        store = KuzuStore(lambda: graph, module=driver, settings=KuzuSettings(**settings))  # type: ignore[arg-type]
        opened.append(store)
        store.refill()
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture(params=["memory", DRIVER])
def store(request: pytest.FixtureRequest) -> Iterator[GraphStore]:
    """An empty store of each kind that this run has."""
    made: GraphStore = MemoryStore() if request.param == "memory" else KuzuStore(lambda: ([], [], 0), module=DRIVER)
    yield made
    made.close()
