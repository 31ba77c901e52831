"""One open profile: the vault on disk, the graph, the trace and the hot index in memory, and the one door for change.

Order of a commit: admit → journal (durable) → apply to the followers. A follower that fails is rebuilt; it never
refuses a commit. All access goes through one lock: a single writer, and readers that never see half a delta."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.codec import decode_delta, encode
from selfimprint.engine.decay import DecayClock
from selfimprint.engine.delta import GraphDelta, PutMessage
from selfimprint.engine.door import admit
from selfimprint.engine.echo import SentText
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.graph import DAY_US, Node
from selfimprint.engine.lookup import Lookup, content_stems
from selfimprint.engine.ports import Clock
from selfimprint.engine.recall.blocks import StaleBlocksError
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.settings import EngineSettings
from selfimprint.engine.state import GraphState
from selfimprint.synx.errors import VaultError
from selfimprint.synx.journal import Ticket
from selfimprint.synx.text import decode_document, encode_document
from selfimprint.synx.uncollected import uncollected
from selfimprint.synx.vault import Vault

from selfimprintd.documents import history_text, read_history
from selfimprintd.graphfiles import GraphFiles
from selfimprintd.items import Items
from selfimprintd.strengths import Marks, Strengths
from selfimprintd.trace import INDEX, Trace

log = logging.getLogger("selfimprintd.profile")
FORMAT = 1
GRAPH_FILES = ("core-", "domain/", "archive/")
INDEX_FOLDERS = ("postings/", "vectors/")


class Graph(Protocol):
    """The graph store behind graph questions; filled lazily."""

    def rebuild(self, nodes: Any, edges: Any, seq: int) -> None: ...
    def apply(self, seq: int, operations: Any) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSettings:
    engine: EngineSettings = field(default_factory=EngineSettings)
    checkpoint_records: int = 5_000
    checkpoint_bytes: int = 32 * 1024 * 1024
    history_days: int = 90
    history_bytes: int = 3 * 1024 * 1024
    refresh_us: int = 3_600_000_000
    kept_deltas: int = 10_000


class Profile:
    def __init__(
        self,
        profile_id: str,
        vault: Vault,
        clock: Clock,
        settings: ProfileSettings,
        open_graph: Callable[[Callable[[], tuple[Any, Any, int]]], Graph],
    ) -> None:
        self.id = profile_id
        self.vault = vault
        self.clock = clock
        self.settings = settings
        self.lock = threading.RLock()
        self.listeners: list[Callable[[GraphDelta], None]] = []
        self.reload_listeners: list[Callable[[], None]] = []
        self.embedder_fingerprint = ""
        self._open_graph = open_graph
        self._graph: Graph | None = None
        self._is_stale = False
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
        self._newest: Ticket | None = None
        self._on_their_way: list[Ticket] = []
        self._uncovered: list[tuple[int, GraphDelta, bytes]] = []
        self._uncovered_bytes = 0
        self._filed_sendings = self.sent.sendings
        self._index_is_filed = False
        self.marks = Marks()
        self.strengths = self.strengths_over(self.state, self.marks)
        self._lookup_is_full = False

    def strengths_over(self, state: GraphState, marks: Marks) -> Strengths:
        """The weights of a state, by this profile's clock and settings, for its present index."""
        return Strengths(state, lambda: self.index, marks, self.clock, self.settings.engine.decay)

    # -- reading ---------------------------------------------------------------------------------------------------

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
            if self._graph is None:
                graph = self._open_graph(self._graph_source)
                graph.rebuild(*self._graph_source())
                self._graph = graph  # only now: one that could not be filled is tried anew
            return self._graph

    def deltas(self) -> Iterator[tuple[int, GraphDelta]]:
        """All recorded deltas that history still holds, newest first."""
        yield from ((seq, delta) for seq, delta, _ in reversed(self._uncovered))
        names = sorted((n for n in self.vault.names() if n.startswith("history/")), reverse=True)
        for name in names:
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

    # -- writing ---------------------------------------------------------------------------------------------------

    def commit(self, delta: GraphDelta) -> int:
        """Let a delta in, make it durable, apply it. Raises DeltaRefused or a vault error; then nothing changed."""
        return self.finish([self.begin(delta)])

    def begin(self, delta: GraphDelta) -> Ticket:
        """Let a delta in and apply it; it may be acknowledged once `finish` returned. Deltas that begin before one of
        them finishes share a sync."""
        with self.lock:
            self._take_back()
            try:
                admit(delta, self.state, self.settings.engine)
            except DeltaRefused as refusal:
                for reason in refusal.reasons:
                    self.refused[reason] = self.refused.get(reason, 0) + 1
                raise
            data = encode(delta)
            ticket = self.vault.begin(data, after=self._seq)
            self._note(ticket)
            self._apply(ticket.seq, delta, data)
        for listener in list(self.listeners):
            listener(delta)
        return ticket

    def finish(self, tickets: Sequence[Ticket]) -> int:
        """Wait until all are durable; the last one's number. When the disk fails, memory goes back to what it holds."""
        seq = 0
        try:
            for ticket in tickets:
                seq = self.vault.finish(ticket)
        except VaultError:
            with self.lock:
                self._take_back()
            raise
        if len(self._uncovered) > self.settings.checkpoint_records or (
            self._uncovered_bytes > self.settings.checkpoint_bytes
        ):
            try:
                self.checkpoint()
            except VaultError as error:  # what was asked for is durable all the same
                log.warning("the checkpoint was put off: %s", error)
        return seq

    def newest(self) -> list[Ticket]:
        """What to finish before anybody is told of what is in memory now."""
        with self.lock:
            return [] if self._newest is None else [self._newest]

    def _note(self, ticket: Ticket) -> None:
        """Remember one ticket of each batch that is not on the disk yet."""
        self._newest = ticket
        if not self._on_their_way or self._on_their_way[-1].batch is not ticket.batch:
            self._on_their_way = [t for t in self._on_their_way if not t.batch.done or t.batch.error is not None]
            self._on_their_way.append(ticket)

    def _take_back(self) -> None:
        """Where a record was lost on its way to the disk, go back to what the disk holds, once for all who hear of it:
        the lost ones end together, so that nothing good is on its way then."""
        if self._is_stale or any(ticket.batch.error is not None for ticket in self._on_their_way):
            self._reload()

    def _reload(self) -> None:
        """Forget what is in memory and read the disk again: what was never durable never happened."""
        self._is_stale = True  # until all is read: nothing may build on a half of it
        self._drop_graph()
        sent, fingerprint = self.sent, self.embedder_fingerprint
        self._clear()
        with uncollected():
            self._load()
        self.sent = sent
        if fingerprint != self.embedder_fingerprint:
            self.embedder_fingerprint = fingerprint
            self.drop_vectors()
        self._is_stale = False
        for listener in list(self.reload_listeners):
            listener()

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
        if self._graph is not None:
            try:
                self._graph.apply(seq, delta.operations)
            except Exception:  # a follower that fails is rebuilt at the next question
                log.warning("the graph store fell behind and will be rebuilt", exc_info=False)
                self._drop_graph()

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

    # -- files -----------------------------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Write what changed since the last checkpoint; the deltas it covers move into history."""
        with self.lock:
            self._settle()
            if not self._uncovered and self.vault.names() and self.sent.sendings == self._filed_sendings:
                return
            now = self.clock.now_us()
            moved = {i for i, n in self.state.nodes.items() if self._misplaced(n, now)}
            self.files.touch(moved)
            changed: dict[str, bytes | None] = dict(self.files.changed(self.state, lambda n: self.is_active(n, now)))
            for name in sorted(self.trace.dirty):
                changed[name] = self.trace.file_bytes(name)
            changed.update(dict.fromkeys(self._trace_index()))
            changed.update(self.trace.index_files())
            changed.update(self._index_files())
            changed.update(self._history_files(now))
            changed["manifest"] = self._manifest()
            self._index_is_filed = False  # until the disk has it: its blocks count as unchanged from now on
            self.vault.checkpoint(changed, through_seq=self._seq, note={"nodes": len(self.state.nodes)})
            self._index_is_filed = True
            self._filed_sendings = self.sent.sendings
            self.files.written()
            self.trace.dirty.clear()
            self.trace.release()
            self._uncovered, self._uncovered_bytes = [], 0

    def _settle(self) -> None:
        """Wait for what is on its way: a checkpoint covers what is durable."""
        self._take_back()
        try:
            for ticket in self.newest():
                self.vault.finish(ticket)
        except VaultError:
            self._take_back()
            raise

    def _misplaced(self, node: Node, now: int) -> bool:
        place = self.files.place(node.id)
        return place.startswith("archive/") == self.is_active(node, now) and not place.startswith("core")

    def _trace_index(self) -> list[str]:
        """The files of the trace's index, in order."""
        names = (n for n in self.vault.names() if n.startswith(INDEX + "."))
        return sorted(names, key=lambda name: int(name.rsplit(".", 1)[1]))

    def _history_files(self, now: int) -> dict[str, bytes | None]:
        files: dict[str, bytes | None] = {}
        part: list[tuple[int, GraphDelta, bytes]] = []
        size = 0
        for record in self._uncovered:
            part.append(record)
            size += len(record[2])
            if size > self.settings.history_bytes or len(part) >= self.settings.kept_deltas:
                files[_history_name(part)] = history_text(part)
                part, size = [], 0
        if part:
            files[_history_name(part)] = history_text(part)
        horizon = now - self.settings.history_days * DAY_US
        for name in self.vault.names():
            if name.startswith("history/") and int(name.split("/")[1].split("-")[1]) < horizon // DAY_US:
                files[name] = None
        return files

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

    def _manifest(self) -> bytes:
        body = {
            "format": FORMAT,
            "activity_days": sorted(self.state.activity_days),
            "embedder": self.embedder_fingerprint,
            "messages": len(self.trace),
            "nodes": len(self.state.nodes),
            "edges": len(self.state.edges),
            "last_by_app": [{"app": app, "message": message} for app, message in self.last_by_app.items()],
            "failed": [{"message": m, "reason": r} for m, r in self.failed.items()],
            "marks": self.marks.to_table(),
            "sent": np.array(list(self.sent.seen.items()), dtype=np.uint64).tobytes(),
        }
        return encode_document(body).encode()

    def _load(self) -> None:
        names = self.vault.names()
        if "manifest" in names:
            body = decode_document(self.vault.read("manifest").decode())
            self.embedder_fingerprint = body["embedder"]
            self.last_by_app = {row["app"]: row["message"] for row in body["last_by_app"]}
            self.failed = {row["message"]: row["reason"] for row in body["failed"]}
            pairs = np.frombuffer(body["sent"], dtype=np.uint64).reshape(-1, 2)
            self.sent.load({int(a): int(b) for a, b in pairs})
            self.trace.load_index(self.vault.read(name) for name in self._trace_index())
            for name in names:
                if name.startswith(GRAPH_FILES):
                    self.state.offer(*self.files.load(name, self.vault.read, names))
            self.state.activity_days.update(body["activity_days"])
            self.strengths.trust_days(self.state.activity_days)
            self.marks.load(body["marks"])
            self._load_index()
        self._seq = self.vault.through_seq
        self.state.listeners += [self._follow_lookup, self.marks.listen, self.files.follow, self._follow]
        for seq, data in self.vault.replay():
            self._apply(seq, decode_delta(data), data)

    def _load_index(self) -> None:
        blocks = {block_of(n): self.vault.read(n) for n in self.vault.names() if n.startswith(INDEX_FOLDERS)}
        try:
            self.index = HotIndex.from_blocks(blocks)
            self._index_is_filed = True
        except StaleBlocksError as error:
            log.warning("the index files do not fit and are made anew: %s", error)
            self.index = HotIndex()
            self.index.add([self.items.turn(message) for message in self.trace.all()])
            self.index.add([self.items.node(node) for node in self.state.nodes.values()])
            self.strengths.refold()

    def _graph_source(self) -> tuple[Any, Any, int]:
        with self.lock:
            return list(self.state.nodes.values()), list(self.state.edges.values()), self._seq

    def _drop_graph(self) -> None:
        graph, self._graph = self._graph, None
        if graph is not None:
            with contextlib.suppress(Exception):  # it has failed already
                graph.close()

    def close(self) -> None:
        """Checkpoint where possible, then let go of everything."""
        with self.lock:
            if self.vault.read_only is None:
                try:
                    self.checkpoint()
                except VaultError as error:  # the journal holds it all
                    log.warning("closed without a checkpoint: %s", error)
            self._drop_graph()
            self.vault.close()


def _history_name(part: list[tuple[int, GraphDelta, bytes]]) -> str:
    return f"history/{part[0][0]:012d}-{max(d.recorded_at for _, d, _ in part) // DAY_US}"


def index_file(block: str) -> str:
    """The logical file of a block of the hot index: vectors apart, the rest among the postings."""
    return block if block.startswith("vectors/") else "postings/" + block.replace("/", ".")


def block_of(name: str) -> str:
    """The block that lies in a logical file."""
    return name if name.startswith("vectors/") else name.removeprefix("postings/").replace(".", "/")
