"""One profile's memory as the doors see it: the parts put behind one facade (selfimprintd.facade)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfimprint.engine.delta import GraphDelta
from selfimprint.engine.extraction.extract import warm
from selfimprint.engine.graph import Role
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
from selfimprintd.strengths import node_counts

log = logging.getLogger("selfimprintd.service")
EMBEDDED_WAIT_S = 60.0
WARM_AFTER_S = 2.0
WARM_TURNS = 20
"""The owner's last turns, whose languages are the ones that the next message will be in."""


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
        self._answered = threading.Event()
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
            answer = self._contexts.answer(query)
            self._answered.set()
            return answer
        with as_known_at(self.profile, query.known_at_us) as then:
            recall = Recall(then, self.queue, self._calibration)
            return Contexts(then, recall).answer(query)

    def recall(self, query: RecallQuery) -> dict[str, Any]:
        if query.known_at_us is None:
            found = self._recall.answer(query)
            self._answered.set()
            return found
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
            profile.refresh_strengths()
            return {
                "profile": profile.id,
                "now": profile.clock.now_us(),
                "messages": len(profile.trace),
                "sessions": len(profile.trace.sessions),
                "nodes": {"retired": len(profile.marks.retired), **node_counts(profile.index)},
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
        self._answered.set()
        self._warming.join()
        self.queue.stop()
        self.profile.close()

    def _warm(self) -> None:
        """What the first message would wait for: the rules of the owner's languages compiled, the lookup filled. Begins
        when the first answer is out, or nobody asks for a while, so that no first question waits for it."""
        self._answered.wait(WARM_AFTER_S)
        for language in self._languages():
            if self._closing.is_set():
                return
            warm(language, still_wanted=lambda: not self._closing.is_set())
        self.profile.warm(lambda: not self._closing.is_set())

    def _languages(self) -> list[str]:
        """What the owner spoke last, and English."""
        trace = self.profile.trace
        with self.profile.lock:
            latest = max(trace.sessions.values(), key=lambda s: s.last_at, default=None)
            turns = [trace.get(i) for i in (latest.ids[-WARM_TURNS:] if latest is not None else ())]
            spoken = [m.language for m in reversed(turns) if m is not None and m.role is Role.USER]
        return list(dict.fromkeys([*spoken, "en"]))

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
