"""One open `:memory:` database of the kuzu family, and the only place that touches its driver.

What the drivers need, found by measuring kuzu 0.11.3 and ladybug 0.22.0: `importlib.util` imported before them;
`max_db_size` set (the default maps 8 TiB); statements prepared once (each `execute` of a string leaks 8 KB); results
closed; parameters of one type for the life of a statement; one of the two drivers a process (the second does not load,
and the process dies of it later).
"""

from __future__ import annotations

import importlib
import importlib.util  # before kuzu: its COPY from a frame looks this up as an attribute
import itertools
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import pyarrow
from selfimprint.engine.store.cypher import Query
from selfimprint.engine.store.port import StoreFailed
from selfimprint.engine.store.records import HeldEdge, HeldNode

Module = Literal["kuzu", "ladybug"]
MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KuzuSettings:
    """Sizes in bytes. Address space is mapped up to `max_db_size_bytes`; memory is used up to the pool's size.

    `rebuild_at_fill`: the part of the pool whose use starts a rebuild. `watch_every_sets`: SET statements between two
    looks at it. `set_bytes`: what a SET may use up at most (measured: 16 KiB an instant, 8 to 38 KiB a string).
    `scan_from`: from so many nodes on, a hop is one scan instead of a query per node; None for never."""

    max_db_size_bytes: int = 4096 * MIB
    buffer_pool_bytes: int = 256 * MIB
    threads: int = 2
    rebuild_at_fill: float = 0.5
    watch_every_sets: int = 32
    set_bytes: int = 20 * 1024
    scan_from: int | None = 6
    rows_per_chunk: int = 50_000


class PoolExhausted(StoreFailed):
    """The buffer pool is full; a fresh database of the same contents would have room again."""


_EXHAUSTED = "buffer pool is full"
_STRING, _DOUBLE, _BOOL, _TIMESTAMP = pyarrow.string(), pyarrow.float64(), pyarrow.bool_(), pyarrow.timestamp("us")
_NODES = pyarrow.schema(
    {
        "id": _STRING, "type": _STRING, "subject": _STRING, "slot": _STRING, "content": _STRING,
        "created_at": _TIMESTAMP, "valid_from": _TIMESTAMP, "valid_to": _TIMESTAMP, "retired_at": _TIMESTAMP,
        "archived_at": _TIMESTAMP, "confidence": _DOUBLE, "is_inference": _BOOL,
    }
)  # fmt: skip
_EDGES = pyarrow.schema(
    {
        "start": _STRING, "end": _STRING, "id": _STRING, "type": _STRING, "from_id": _STRING, "to_id": _STRING,
        "confidence": _DOUBLE, "is_inferred": _BOOL, "created_at": _TIMESTAMP, "retired_at": _TIMESTAMP,
    }
)  # fmt: skip
_ENDS = {"start": "from_id", "end": "to_id"}


class Database:
    """Not safe for several threads at once; every driver error comes out as StoreFailed."""

    def __init__(self, module: Module, settings: KuzuSettings) -> None:
        if any(other in sys.modules for other in get_args(Module) if other != module):
            raise StoreFailed(f"{module} cannot be used: a process can load only one driver of its family")
        try:
            self._driver: Any = importlib.import_module(module)
        except ImportError as error:
            raise StoreFailed(f"the database driver {module} is not installed") from error
        self._module, self._settings = module, settings
        self._prepared: dict[Query, Any] = {}
        try:
            self._database = self._driver.Database(
                ":memory:",
                buffer_pool_size=settings.buffer_pool_bytes,
                max_num_threads=settings.threads,
                max_db_size=settings.max_db_size_bytes,
            )
            self._connection = self._driver.Connection(self._database, num_threads=settings.threads)
        except RuntimeError as error:
            raise StoreFailed(f"{module} does not open: {error}") from error
        self.run(Query.CREATE_NODES)
        self.run(Query.CREATE_EDGES)

    def run(self, query: Query, parameters: Mapping[str, object] | None = None) -> list[list[Any]]:
        """All rows of a statement's answer."""
        values = dict(parameters or {})
        try:
            statement = self._prepared.get(query)
            if statement is None:
                # The class instead of Connection.prepare, which warns of a deprecation at every call.
                statement = self._driver.PreparedStatement(self._connection, query.value, values)
                if not statement.is_success():
                    raise StoreFailed(f"{query.name}: {statement.get_error_message()}")
                self._prepared[query] = statement
            result = self._connection.execute(statement, values)
            try:
                rows: list[list[Any]] = result.get_all()
            finally:
                result.close()
        except (RuntimeError, MemoryError, IndexError, TypeError, ValueError) as error:
            if _EXHAUSTED in str(error):
                raise PoolExhausted(f"{query.name}: {error}") from error
            raise StoreFailed(f"{query.name}: {error}") from error
        return rows

    def load(self, nodes: Iterable[HeldNode], edges: Iterable[HeldEdge]) -> None:
        """Fill an empty database, in chunks, columns at a time."""
        for chunk in _chunks(nodes, self._settings.rows_per_chunk):
            self._copy(Query.LOAD_NODES, _table(_NODES, chunk))
        for chunk in _chunks(edges, self._settings.rows_per_chunk):
            self._copy(Query.LOAD_EDGES, _table(_EDGES, chunk))

    def pool_fill(self, sets: int) -> float:
        """The used part of the buffer pool, 0 to 1, after so many SET statements.

        Ladybug fails for want of memory without its BM_INFO having moved: there, what SETs use up is added."""
        [[limit, used]] = self.run(Query.POOL)
        unseen = sets * self._settings.set_bytes if self._module == "ladybug" else 0
        return float((used + unseen) / limit)

    def close(self) -> None:
        self._prepared.clear()
        self._connection.close()
        self._database.close()

    def _copy(self, query: Query, rows: Any) -> None:
        try:  # never a kept statement: it would hold on to the rows
            self._connection.execute(query.value, {"rows": rows}).close()
        except (RuntimeError, MemoryError, IndexError) as error:
            raise StoreFailed(f"{query.name}: {error}") from error


def _chunks(rows: Iterable[Any], size: int) -> Iterable[list[Any]]:
    rest = iter(rows)
    while chunk := list(itertools.islice(rest, size)):
        yield chunk


def _table(schema: Any, rows: list[Any]) -> Any:
    columns = []
    for field in schema:
        name = _ENDS.get(field.name, field.name)
        values = [getattr(row, name) for row in rows]
        if field.type == _TIMESTAMP:
            columns.append(pyarrow.array(values, type=pyarrow.int64()).cast(_TIMESTAMP))
        else:
            columns.append(pyarrow.array(values, type=field.type))
    return pyarrow.Table.from_arrays(columns, schema=schema)
