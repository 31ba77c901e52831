"""What a profile holds in memory: the graph, the trace, the hot index and all else that follows the journal, read from
the vault's files and written into them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.codec import decode_delta
from selfimprint.engine.decay import DecayClock
from selfimprint.engine.delta import GraphDelta, PutMessage
from selfimprint.engine.echo import SentText
from selfimprint.engine.graph import Node
from selfimprint.engine.lookup import Lookup, content_stems
from selfimprint.engine.ports import Clock
from selfimprint.engine.recall.blocks import StaleBlocksError
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.settings import EngineSettings
from selfimprint.engine.state import GraphState
from selfimprint.synx.errors import Damaged
from selfimprint.synx.uncollected import uncollected
from selfimprint.synx.vault import Vault

from selfimprintd.documents import read_history
from selfimprintd.filing import (
    GRAPH_FILES,
    INDEX_FOLDERS,
    Recorded,
    block_of,
    history_files,
    history_newest_first,
    index_file,
    trace_index_files,
)
from selfimprintd.graphfiles import GraphFiles
from selfimprintd.graphstore import Graph, GraphStore, OpenGraph
from selfimprintd.items import Items
from selfimprintd.manifest import Manifest, manifest_bytes, read_manifest
from selfimprintd.strengths import Marks, Strengths
from selfimprintd.trace import Trace

log = logging.getLogger("selfimprintd.memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSettings:
    engine: EngineSettings = field(default_factory=EngineSettings)
    checkpoint_records: int = 5_000
    checkpoint_bytes: int = 32 * 1024 * 1024
    history_days: int = 90
    history_bytes: int = 3 * 1024 * 1024
    refresh_us: int = 3_600_000_000
    kept_deltas: int = 10_000


class Memory:
    """Everything that can be read anew from the disk. All access goes through one lock."""

    def __init__(self, vault: Vault, clock: Clock, settings: ProfileSettings, open_graph: OpenGraph) -> None:
        self.vault = vault
        self.clock = clock
        self.settings = settings
        self.lock = threading.RLock()
        self.embedder_fingerprint = ""
        self._graph = GraphStore(open_graph, self._graph_source)
        self._read_all()

    def _read_all(self) -> None:
        """Forget what is in memory and read the disk."""
        self._clear()
        with uncollected():
            self._load()

    def _clear(self) -> None:
        """Everything that is read from the disk, empty."""
        self.state = GraphState()
        self._lookup = Lookup(content_stems)
        self.trace = Trace(self.vault.read)
        self.index = HotIndex()
        self.files = GraphFiles()
        self.sent = SentText()
        self.items = Items(self.state, self.trace)
        self.failed: dict[str, str] = {}
        self.refused: dict[str, int] = {}
        self.last_by_app: dict[str, str] = {}
        self._seq = 0
        self._uncovered: list[Recorded] = []
        self._uncovered_bytes, self._filed_sendings = 0, self.sent.sendings
        self._index_is_filed = False
        self.marks = Marks()
        self.strengths = self.strengths_over(self.state, self.marks)
        self._lookup_is_full = False

    def strengths_over(self, state: GraphState, marks: Marks) -> Strengths:
        """The weights of a state, by this profile's clock and settings, for its present index."""
        return Strengths(state, lambda: self.index, marks, self.clock, self.settings.engine.decay)

    def decay_clock(self) -> DecayClock:
        """The decay clock over today's activity table."""
        return self.strengths.clock()

    def weight(self, node: Node, at: int) -> float:
        return self.strengths.weight(node, at)

    def is_active(self, node: Node, at: int | None = None) -> bool:
        return self.strengths.is_active(node, self.clock.now_us() if at is None else at)

    def graph(self) -> Graph:
        """The graph store, filled at the first graph question."""
        with self.lock:
            return self._graph.filled()

    def deltas(self) -> Iterator[tuple[int, GraphDelta]]:
        """All recorded deltas that history still holds, newest first."""
        yield from ((seq, delta) for seq, delta, _ in reversed(self._uncovered))
        for name in history_newest_first(self.vault.names()):
            yield from reversed(read_history(self.vault.read(name)))

    @property
    def lookup(self) -> Lookup:
        """Where resolution looks; filled at the first message after opening, or by `warm`."""
        with self.lock:
            if not self._lookup_is_full:
                self._lookup_is_full = True
                for node in self.state.nodes.values():
                    self._lookup.listen(None, node)
            return self._lookup

    def warm(self, still_wanted: Callable[[], bool]) -> None:
        """Make ready in the background what the first message would wait for, a little at a time."""
        for node_id in list(self.state.nodes):
            if not still_wanted():
                return
            with self.lock:
                if not self._lookup_is_full and node_id in self.state.nodes:
                    self._lookup.analyze(self.state.nodes[node_id].content, self.state.nodes[node_id].language)
        _ = self.lookup

    def _follow_lookup(self, before: Node | None, after: Node | None) -> None:
        if self._lookup_is_full:
            self._lookup.listen(before, after)

    def vector_of(self, key: str) -> NDArray[np.float32] | None:
        """The vector of a turn or a node, where there is one."""
        slot = self.index.slots.get(key)
        return None if slot is None else self.index.vectors.get(slot)

    def nodes_from(self, message_id: str) -> list[Node]:
        """The nodes that reading this message made, retired ones too: their ids follow from its own."""
        stem = message_id.removeprefix("m_")
        found: list[Node] = []
        for prefix in ("n_", "h_"):
            number = 1
            while (node := self.state.nodes.get(f"{prefix}{stem}.{number}")) is not None:
                found.append(node)
                number += 1
        return found

    @property
    def seq(self) -> int:
        return self._seq

    def _apply(self, seq: int, delta: GraphDelta, data: bytes) -> None:
        self._seq = seq
        self._uncovered.append((seq, delta, data))
        self._uncovered_bytes += len(data)
        for operation in delta.operations:
            if isinstance(operation, PutMessage):
                message = operation.message
                self.trace.add(message)
                self.last_by_app[message.app] = message.id
                if delta.failed:
                    self.failed[message.id] = delta.failed
                self.index.add([self.items.turn(message)])
        self.state.apply(delta)
        self.files.follow_edges(delta)
        self._graph.apply(seq, delta.operations)

    def _follow(self, before: Node | None, after: Node | None) -> None:
        if after is None:
            if before is not None:
                self.index.remove([before.id])
            return
        self.index.add([self.items.node(after)])
        self.strengths.set([after])

    def refresh_strengths(self) -> None:
        """Bring weights up to date where time or the activity table moved on."""
        self.strengths.refresh(self.settings.refresh_us)

    def age_from_now(self) -> None:
        """Fold every strength anew at once."""
        self.strengths.refold()
        self.refresh_strengths()

    def _files(self, now: int) -> dict[str, bytes | None]:
        """The files to write, None for those to drop, so that they hold what is in memory."""
        moved = {i for i, n in self.state.nodes.items() if self._misplaced(n, now)}
        self.files.touch(moved)
        changed: dict[str, bytes | None] = dict(self.files.changed(self.state, lambda n: self.is_active(n, now)))
        for name in sorted(self.trace.dirty):
            changed[name] = self.trace.file_bytes(name)
        changed.update(dict.fromkeys(trace_index_files(self.vault.names())))
        changed.update(self.trace.index_files())
        changed.update(self._index_files())
        changed.update(
            history_files(
                self._uncovered,
                self.vault.names(),
                now,
                kept_days=self.settings.history_days,
                most_bytes=self.settings.history_bytes,
                most_deltas=self.settings.kept_deltas,
            )
        )
        changed["manifest"] = manifest_bytes(self._manifest())
        return changed

    def _filed(self) -> None:
        """The disk holds what `_files` gave."""
        self._index_is_filed = True
        self._filed_sendings = self.sent.sendings
        self.files.written()
        self.trace.dirty.clear()
        self.trace.release()
        self._uncovered, self._uncovered_bytes = [], 0

    def _misplaced(self, node: Node, now: int) -> bool:
        place = self.files.place(node.id)
        return place.startswith("archive/") == self.is_active(node, now) and not place.startswith("core")

    def _index_files(self) -> dict[str, bytes | None]:
        """The blocks of the hot index that changed; all of them where the files hold another index."""
        blocks = self.index.to_blocks(changed_only=self._index_is_filed)
        files: dict[str, bytes | None] = {index_file(name): block for name, block in blocks.items()}
        if not self._index_is_filed:
            stale = {n for n in self.vault.names() if n.startswith(INDEX_FOLDERS)} - files.keys()
            files.update(dict.fromkeys(stale))
        return files

    def drop_vectors(self) -> None:
        """Another embedder is about to fill them: vectors of different models never mix."""
        with self.lock:
            self.index.clear_vectors()
            self._index_is_filed = False

    def _manifest(self) -> Manifest:
        return Manifest(
            activity_days=self.state.activity_days,
            embedder=self.embedder_fingerprint,
            messages=len(self.trace),
            nodes=len(self.state.nodes),
            edges=len(self.state.edges),
            last_by_app=self.last_by_app,
            failed=self.failed,
            marks=self.marks.to_table(),
            sent=self.sent.seen,
        )

    def _load(self) -> None:
        names = self.vault.names()
        if "manifest" in names:
            manifest = read_manifest(self.vault.read("manifest"))
            self.embedder_fingerprint = manifest.embedder
            self.last_by_app, self.failed = dict(manifest.last_by_app), dict(manifest.failed)
            self.sent.load(dict(manifest.sent))
            self.trace.load_index(self.vault.read(name) for name in trace_index_files(names))
            for name in names:
                if name.startswith(GRAPH_FILES):
                    self.state.offer(*self.files.load(name, self.vault.read, names))
            self.state.activity_days.update(manifest.activity_days)
            self.strengths.trust_days(self.state.activity_days)
            self.marks.load(manifest.marks)
            self._load_index()
        self._seq = self.vault.through_seq
        self.state.listeners += [self._follow_lookup, self.marks.listen, self.files.follow, self._follow]
        for seq, data in self.vault.replay():
            self._apply(seq, decode_delta(data), data)

    def _load_index(self) -> None:
        names = [n for n in self.vault.names() if n.startswith(INDEX_FOLDERS)]
        try:
            blocks = {block_of(n): self.vault.read(n) for n in names}
            self.index = HotIndex.from_blocks(blocks)
            self._index_is_filed = True
        except (StaleBlocksError, Damaged) as error:
            log.warning("the index files do not fit and are made anew: %s", error)
            self.index = HotIndex()
            self.index.add([self.items.turn(message) for message in self.trace.all()])
            self.index.add([self.items.node(node) for node in self.state.nodes.values()])
            self.strengths.refold()

    def _graph_source(self) -> tuple[Any, Any, int]:
        with self.lock:
            return list(self.state.nodes.values()), list(self.state.edges.values()), self._seq
