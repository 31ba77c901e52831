"""The Kùzu adapter, in memory only; the same code runs on the maintained fork `ladybug`.

Kùzu on disk writes plaintext, so there is no path here, only `:memory:`. It may never be open across a fork. Updates
use up its buffer pool for good, so the pool is watched and the database is rebuilt from the truth in time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from selfimprint.engine.delta import Operation
from selfimprint.engine.graph import Edge, EdgeType, Node, NodeType
from selfimprint.engine.store.changes import Change, changes, is_due, to_held_edge, to_held_node
from selfimprint.engine.store.cypher import Query
from selfimprint.engine.store.database import Database, KuzuSettings, Module, PoolExhausted
from selfimprint.engine.store.port import LIMITS, Direction, ForkedStore, StoreFailed
from selfimprint.engine.store.questions import ask_chain, ask_paths, checked_depth, nearest, touching
from selfimprint.engine.store.records import Contents, HeldEdge, is_text
from selfimprint.engine.store.rows import commit, edge_of, node_of, sets

Source = Callable[[], tuple[Iterable[Node], Iterable[Edge], int]]
"""The truth to rebuild from: nodes, edges, and the journal record they stand at."""

DEFAULTS = KuzuSettings()
_CLOSED = "the store is closed"
_ALL_TYPES = [edge_type.value for edge_type in EdgeType]


class KuzuStore:
    """Implements GraphStore. Safe to use from several threads of one process.

    `source` is called, under the writer's lock, when the pool fills up; it must not call this store. Two locks: one
    lets one writer at a time think, the other guards the open database, so that questions go on during a rebuild."""

    def __init__(self, source: Source, *, module: Module = "kuzu", settings: KuzuSettings = DEFAULTS) -> None:
        self._source, self._module, self._settings = source, module, settings
        self._pid = os.getpid()
        self._writing, self._using = threading.RLock(), threading.RLock()
        self._database: Database | None = Database(module, settings)
        self._applied = self._rebuilt_at = 0
        self._sets = self._watch_at = 0  # SET statements on this database, and at how many to look at the pool
        self._broken = ""
        self.rebuilds = 0
        """How often the pool made it rebuild by itself."""

    @property
    def applied_seq(self) -> int:
        return self._applied

    def apply(self, seq: int, operations: Sequence[Operation]) -> None:
        self._check_process()
        with self._writing:
            self._check()
            if not is_due(seq, applied=self._applied, rebuilt_at=self._rebuilt_at):
                return
            wanted = changes(operations)
            self._watch_pool()
            try:
                try:
                    self._commit(seq, wanted)
                except PoolExhausted:
                    if not self._refill_if_current():
                        raise
                    self._commit(seq, wanted)
            except BaseException as error:
                self._broken = f"record {seq} was not applied: {error}"
                raise

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], seq: int) -> None:
        self._check_process()
        with self._writing:
            if self._broken == _CLOSED:
                raise StoreFailed(_CLOSED)
            fresh = Database(self._module, self._settings)
            try:
                fresh.load(map(to_held_node, nodes), map(to_held_edge, edges))
            except BaseException:
                fresh.close()
                raise
            with self._using:
                old, self._database = self._database, fresh
                self._applied = self._rebuilt_at = seq
                self._broken = ""
                self._sets, self._watch_at = 0, self._settings.watch_every_sets
            if old is not None:
                old.close()

    def refill(self) -> None:
        """Rebuild from the source."""
        with self._writing:
            self.rebuild(*self._source())

    def close(self) -> None:
        self._check_process()
        with self._writing, self._using:
            old, self._database, self._broken = self._database, None, _CLOSED
            if old is not None:
                old.close()

    def neighbours(
        self,
        ids: Sequence[str],
        *,
        types: frozenset[EdgeType] | None = None,
        limit: int = LIMITS.neighbours,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[HeldEdge, ...]:
        reach = {"retired": include_retired, "archived": include_archived}
        with self._open() as database:
            asked = frozenset(ids)
            return nearest(self._hop(database, asked, asked, types, reach), limit)

    def chain(
        self,
        node_id: str,
        *,
        direction: Direction,
        max_depth: int = LIMITS.chain_depth,
        max_paths: int = LIMITS.chain_paths,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        checked_depth(max_depth)
        if not is_text(node_id):
            return ()
        reach = {"retired": include_retired, "archived": include_archived}
        query = Query.CAUSES if direction == "causes" else Query.EFFECTS
        with self._open() as database:
            rows = database.run(query, {"id": node_id, "type": EdgeType.CAUSED_BY.value, **reach})
            reached = frozenset(row[0] for row in rows) | {node_id}
            edges = self._hop(database, reached, frozenset({node_id}), frozenset({EdgeType.CAUSED_BY}), reach)
        return ask_chain(node_id, edges, direction, max_depth=max_depth, max_paths=max_paths)

    def paths(
        self,
        a: str,
        b: str,
        *,
        max_length: int = LIMITS.path_length,
        max_paths: int = LIMITS.paths,
        types: frozenset[EdgeType] | None = None,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        reach = {"retired": include_retired, "archived": include_archived}
        with self._open() as database:

            def hop(ids: frozenset[str]) -> Iterable[HeldEdge]:
                return self._hop(database, ids, ids | {a, b}, types, reach)

            return ask_paths(a, b, hop, max_length=max_length, max_paths=max_paths)

    def matching(
        self,
        *,
        type: NodeType | None = None,
        slot: str | None = None,
        subject: str | None = None,
        limit: int = LIMITS.matching,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[str, ...]:
        wanted = {
            "any_type": type is None, "type": type.value if type else "",
            "any_slot": slot is None, "slot": slot or "",
            "any_subject": subject is None, "subject": subject or "",
            "retired": include_retired, "archived": include_archived,
        }  # fmt: skip
        if not is_text(f"{slot}{subject}"):
            return ()
        with self._open() as database:
            rows = database.run(Query.MATCHING, wanted)
        return tuple(row[1] for row in sorted(rows)[: max(limit, 0)])

    def count(self) -> tuple[int, int]:
        with self._open() as database:
            [[nodes]], [[edges]] = database.run(Query.COUNT_NODES), database.run(Query.COUNT_EDGES)
        return nodes, edges

    def contents(self) -> Contents:
        with self._open() as database:
            nodes, edges = database.run(Query.ALL_NODES), database.run(Query.ALL_EDGES)
        return Contents(
            nodes=tuple(sorted(map(node_of, nodes), key=lambda node: node.id)),
            edges=tuple(sorted(map(edge_of, edges), key=lambda edge: edge.id)),
        )

    @contextmanager
    def _open(self) -> Iterator[Database]:
        """The database, to oneself."""
        self._check_process()
        with self._using:
            self._check()
            if self._database is None:
                raise StoreFailed(_CLOSED)
            yield self._database

    def _check(self) -> None:
        if self._broken:
            raise StoreFailed(self._broken)

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise ForkedStore(f"this graph store was opened by process {self._pid}; open another one after the fork")

    def _commit(self, seq: int, wanted: Sequence[Change]) -> None:
        """Apply a record, unless a rebuild has brought it meanwhile."""
        if not is_due(seq, applied=self._applied, rebuilt_at=self._rebuilt_at):
            return
        with self._open() as database:
            commit(database, wanted)
            self._applied = seq
        self._sets += sets(wanted)

    def _watch_pool(self) -> None:
        """Rebuild when the pool has filled up."""
        if self._sets < self._watch_at:
            return
        self._watch_at = self._sets + self._settings.watch_every_sets
        with self._open() as database:
            fill = database.pool_fill(self._sets)
        if fill >= self._settings.rebuild_at_fill:
            self._refill_if_current()

    def _refill_if_current(self) -> bool:
        """Rebuild from the source, unless it is behind what we hold."""
        nodes, edges, seq = self._source()
        if seq < self._applied:
            return False
        self.rebuild(nodes, edges, seq)
        self.rebuilds += 1
        return True

    def _hop(
        self,
        database: Database,
        ids: frozenset[str],
        given: frozenset[str],
        types: frozenset[EdgeType] | None,
        reach: Mapping[str, bool],
    ) -> tuple[HeldEdge, ...]:
        """The edges at any of `ids` that lead to what may be reached, each once."""
        wanted = _ALL_TYPES if types is None else sorted(edge_type.value for edge_type in types)
        ids = frozenset(filter(is_text, ids))  # others are held nowhere, and the drivers fail on them
        if not ids or not wanted:  # empty lists have no type to the drivers
            return ()
        how: dict[str, object] = {"types": wanted, "retired": reach["retired"]}
        if self._scans(len(ids)):
            rows = database.run(Query.HOP_FROM_MANY, {"ids": sorted(ids), **how})
        else:
            rows = [row for node_id in sorted(ids) for row in database.run(Query.HOP_FROM_ONE, {"id": node_id, **how})]
        edges = {row[0]: edge_of(row) for row in rows}.values()
        ends = frozenset(end for edge in edges for end in (edge.from_id, edge.to_id)) - given
        if not ends:
            return tuple(edges)
        hidden = frozenset(row[0] for row in database.run(Query.HIDDEN, {"ids": sorted(ends), **reach}))
        return touching(edges, given, hidden)

    def _scans(self, size: int) -> bool:
        """One scan beats a query per node on kuzu from a few nodes on, never on ladybug."""
        least = self._settings.scan_from
        return self._module == "kuzu" and least is not None and size >= least
