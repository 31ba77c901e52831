"""One profile's memory as the doors see it: the parts put behind one facade (selfimprintd.facade)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfimprint.engine.delta import GraphDelta
from selfimprint.engine.extraction.extract import extract
from selfimprint.engine.recall.calibrate import Calibration

from selfimprintd.browsing import Browse
from selfimprintd.changes import Changes
from selfimprintd.contexts import Contexts
from selfimprintd.embedding import Embedder, EmbeddingQueue
from selfimprintd.facade import ContextQuery, IncomingMessage, RecallQuery, Wait
from selfimprintd.hindsight import as_known_at
from selfimprintd.ingesting import Ingest, state_of
from selfimprintd.profile import Profile
from selfimprintd.reading import Reading
from selfimprintd.recalling import Recall

log = logging.getLogger("selfimprintd.service")
EMBEDDED_WAIT_S = 60.0


class ProfileService:
    def __init__(
        self,
        profile: Profile,
        embedder: Embedder | None,
        calibration: Calibration,
        new_id: Callable[[str], str],
        reading: Reading,
    ) -> None:
        self.profile = profile
        self._calibration = calibration
        self._reading = reading
        self._callbacks: list[Callable[[Mapping[str, Any]], None]] = []
        self.queue = EmbeddingQueue(profile, embedder, self._embedded)
        self._ingest = Ingest(profile)
        self._recall = Recall(profile, self.queue, calibration)
        self._contexts = Contexts(profile, self._recall)
        self._browse = Browse(profile, self._recall)
        self._changes = Changes(profile, new_id)
        profile.listeners.append(self._committed)
        self._closing = threading.Event()
        self._warming = threading.Thread(target=self._warm, name="warming", daemon=True)
        self._warming.start()

    def add_messages(self, items: Sequence[IncomingMessage], wait: Wait) -> list[dict[str, Any]]:
        answers = self._ingest.add(items)
        if wait == "embedded":
            self.queue.drain(EMBEDDED_WAIT_S)
            for answer in answers:
                message = self.profile.trace.get(answer["id"])
                if message is not None:
                    answer["state"] = state_of(self.profile, message).value
        return answers

    def context(self, query: ContextQuery) -> dict[str, Any]:
        if query.known_at_us is None:
            return self._contexts.answer(query)
        with as_known_at(self.profile, query.known_at_us) as then:
            recall = Recall(then, self.queue, self._calibration)
            return Contexts(then, recall).answer(query)

    def recall(self, query: RecallQuery) -> dict[str, Any]:
        if query.known_at_us is None:
            return self._recall.answer(query)
        with as_known_at(self.profile, query.known_at_us) as then:
            return Recall(then, self.queue, self._calibration).answer(query)

    def nodes(self, type: str, slot: str, subject: str, status: str, limit: int, cursor: str) -> dict[str, Any]:
        return self._browse.nodes(type, slot, subject, status, limit, cursor)

    def node(self, id: str) -> dict[str, Any]:
        return self._browse.node(id)

    def patch_node(self, id: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        return self._changes.patch(id, changes)

    def retire_node(self, id: str) -> dict[str, Any]:
        return self._changes.retire(id)

    def undo(self, delta_id: str) -> dict[str, Any]:
        return self._changes.undo(delta_id)

    def why(self, id: str) -> dict[str, Any]:
        return self._browse.why(id)

    def why_not(self, q: str) -> dict[str, Any]:
        return self._browse.why_not(q)

    def graph(self, center: str, hops: int, limit: int) -> dict[str, Any]:
        return self._browse.graph(center, hops, limit)

    def timeline(self, from_us: int | None, to_us: int | None, limit: int, cursor: str) -> dict[str, Any]:
        return self._browse.timeline(from_us, to_us, limit, cursor)

    def sessions(self, limit: int, cursor: str) -> dict[str, Any]:
        return self._browse.sessions(limit, cursor)

    def session(self, id: str, limit: int, cursor: str) -> dict[str, Any]:
        return self._browse.session(id, limit, cursor)

    def deltas(self, limit: int) -> dict[str, Any]:
        return self._browse.deltas(limit)

    def status(self) -> dict[str, Any]:
        """Counts and states; no content. Numbers of nodes are by type and by what became of them."""
        profile = self.profile
        with profile.lock:
            by_type: dict[str, int] = {}
            active = retired = 0
            now = profile.clock.now_us()
            for node in profile.state.nodes.values():
                by_type[node.type.value] = by_type.get(node.type.value, 0) + 1
                retired += node.retired_at is not None
                active += profile.is_active(node, now)
            total = len(profile.state.nodes)
            return {
                "profile": profile.id,
                "now": now,
                "messages": len(profile.trace),
                "sessions": len(profile.trace.sessions),
                "nodes": {"total": total, "active": active, "retired": retired, **by_type},
                "edges": len(profile.state.edges),
                "embedding": self.queue.state(),
                "calibration": self._calibration.fingerprint,
                "failed_messages": len(profile.failed),
                "refusals": dict(profile.refused),
                "journal": {"seq": profile.seq, "checkpointed": profile.vault.through_seq},
                "read_only": profile.vault.read_only or "",
                "traces_keep": "forever",
                "history_days": profile.settings.history_days,
            }

    def drain(self, timeout_s: float) -> dict[str, Any]:
        done = self.queue.drain(timeout_s)
        return {"drained": done, "waiting": self.queue.depth}

    def subscribe(self, callback: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    def close(self) -> None:
        self._closing.set()
        self._warming.join()
        self.queue.stop()
        self.profile.close()

    def _warm(self) -> None:
        """What the first message would wait for: the rules of English compiled, the lookup filled."""
        extract("I live here.", at_us=0, offset_minutes=0, language="en")
        self.profile.warm(lambda: not self._closing.is_set())

    def _committed(self, delta: GraphDelta) -> None:
        keys: list[str] = []
        for operation in delta.operations:
            record = getattr(operation, "message", None) or getattr(operation, "node", None)
            record = record or getattr(operation, "after", None)
            if record is not None:
                keys.append(record.id)
        self.queue.add(self.profile.index.without_vector(keys))
        event = {"type": "committed", "delta": delta.id, "cause": delta.cause.value, "changed": len(delta.operations)}
        for callback in list(self._callbacks):
            callback(event)

    def _embedded(self, message_ids: list[str]) -> None:
        self._reading.read(self.profile, message_ids)
