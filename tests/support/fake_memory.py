"""A small, honest memory behind the doors for their tests: it keeps what it is told and answers from that."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfimprint.engine.errors import DeltaRefused, UnknownId
from selfimprint.synx.errors import BadName, Locked, NotFound

from selfimprintd.facade import Answer, ContextQuery, Event, IncomingMessage, RecallQuery, Wait


class FakeMemory:
    """Each message makes one node of its own words; retired nodes are kept for undo."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._messages: list[dict[str, Any]] = []
        self._nodes: dict[str, dict[str, Any]] = {}
        self._retired: dict[str, dict[str, Any]] = {}
        self._keys: dict[str, dict[str, Any]] = {}
        self._listeners: list[Callable[[Event], None]] = []

    def add_messages(self, items: Sequence[IncomingMessage], wait: Wait) -> list[Answer]:
        with self._lock:
            answers = [self._add(item, wait) for item in items]
        for answer in answers:
            self.tell({"type": "message", "id": answer["id"], "state": answer["state"]})
        return answers

    def _add(self, item: IncomingMessage, wait: Wait) -> Answer:
        if item.key and item.key in self._keys:
            return self._keys[item.key] | {"duplicate": True}
        number = len(self._messages)
        at = item.at_us if item.at_us is not None else 1_700_000_000_000_000 + number
        message = {
            "id": f"m{number}", "session": item.session or "s1", "role": item.role, "speaker": item.speaker, "at": at,
            "offset_minutes": item.offset_minutes, "content": item.content,
        }  # fmt: skip
        self._messages.append(message)
        node_id = f"n-{self._name}-{number}"
        self._nodes[node_id] = {
            "id": node_id, "type": "fact", "content": item.content, "subject": "self", "trust": "user-stated",
            "created_at": at, "weight": 1.0, "pinned": False,
            "evidence": [
                {
                    "session": message["session"], "message": message["id"], "start": 0, "end": len(item.content),
                    "speaker": item.speaker or "me", "at": at, "offset_minutes": item.offset_minutes,
                    "text": item.content,
                }
            ],
        }  # fmt: skip
        answer = {
            "id": message["id"], "state": "embedded" if wait == "embedded" else "searchable",
            "session": message["session"], "at": at, "offset_minutes": item.offset_minutes,
            "learned": [{"id": node_id, "type": "fact", "content": item.content, "change": "new"}],
            "duplicate": False, "warnings": [] if item.at_us is not None else ["time-assumed"], "delta": f"d{number}",
        }  # fmt: skip
        if item.key:
            self._keys[item.key] = answer
        return answer

    def _hits(self, words: str) -> list[dict[str, Any]]:
        asked = set(words.lower().split())
        return [node for node in self._nodes.values() if asked & set(node["content"].lower().split())]

    def context(self, query: ContextQuery) -> Answer:
        hits = [hit for hit in self._hits(query.message) if hit["id"] not in query.exclude]
        text = " ".join(hit["content"] for hit in hits)
        return {
            "text": text, "language": query.language or "en", "tokens": len(text.split()), "degraded": False,
            "confidence": 0.9 if hits else 0.0, "empty": not hits,
            "citations": [
                {"node": hit["id"], "message": hit["evidence"][0]["message"], "start": 0, "end": len(hit["content"])}
                for hit in hits
            ],
        }  # fmt: skip

    def recall(self, query: RecallQuery) -> Answer:
        hits = self._hits(query.query)[: query.k]
        items = [
            {
                "id": hit["id"], "kind": "node", "text": hit["content"], "score": 0.5, "trust": hit["trust"],
                "nodes": [hit], "as_of_us": query.as_of_us,
            }
            for hit in hits
        ]  # fmt: skip
        return {"items": items, "confidence": 0.5, "degraded": False}

    def nodes(self, type: str, slot: str, subject: str, status: str, limit: int, cursor: str) -> Answer:
        kept = [node for node in self._nodes.values() if type in ("", node["type"])]
        start = int(cursor or 0)
        more = str(start + limit) if len(kept) > start + limit else None
        return {"nodes": kept[start : start + limit], "next": more or "", "total": len(kept)}

    def node(self, id: str) -> Answer:
        if id not in self._nodes:
            raise UnknownId("no such node")
        return self._nodes[id]

    def patch_node(self, id: str, changes: Mapping[str, Any]) -> Answer:
        node = self.node(id)
        if changes.get("content") == "refuse me":
            raise DeltaRefused(("content: not allowed",))
        node.update(changes)
        return {"delta": f"p-{id}", "node": node}

    def retire_node(self, id: str) -> Answer:
        node = self._retired[f"r-{id}"] = self.node(id)
        del self._nodes[id]
        return {"delta": f"r-{id}", "node": node}

    def undo(self, delta_id: str) -> Answer:
        if delta_id not in self._retired:
            raise UnknownId("no such delta")
        node = self._retired.pop(delta_id)
        self._nodes[node["id"]] = node
        return {"undone": 1, "kept": []}

    def why(self, id: str) -> Answer:
        node = self.node(id)
        return {"node": node, "chains": []}

    def why_not(self, q: str) -> Answer:
        return {"searched": {"nodes": len(self._nodes), "turns": len(self._messages)}, "archived": [], "withheld": 0}

    def graph(self, center: str, hops: int, limit: int) -> Answer:
        nodes = [self.node(center)] if center else list(self._nodes.values())[:limit]
        return {"nodes": nodes, "edges": []}

    def timeline(self, from_us: int | None, to_us: int | None, limit: int, cursor: str) -> Answer:
        dated = sorted((node["created_at"], node["id"]) for node in self._nodes.values())
        entries = [
            {"at": at, "node": self._nodes[id]}
            for at, id in dated
            if (from_us is None or at >= from_us) and (to_us is None or at < to_us)
        ]
        return {"entries": entries[:limit], "next": "", "total": len(entries)}

    def sessions(self, limit: int, cursor: str) -> Answer:
        names = sorted({m["session"] for m in self._messages})
        return {"sessions": [{"id": name} for name in names[:limit]], "next": "", "total": len(names)}

    def session(self, id: str, limit: int, cursor: str) -> Answer:
        items = [m for m in self._messages if m["session"] == id]
        if not items:
            raise UnknownId("no such session")
        return {"id": id, "messages": items[:limit], "next": "", "total": len(items)}

    def deltas(self, limit: int) -> Answer:
        found = [{"id": f"d{n}", "cause": "ingest", "recorded_at": m["at"]} for n, m in enumerate(self._messages)]
        return {"deltas": found[::-1][:limit]}

    def status(self) -> Answer:
        return {"profile": self._name, "nodes": len(self._nodes), "messages": len(self._messages), "embedding_queue": 0}

    def drain(self, timeout_s: float) -> Answer:
        return {"drained": True, "pending": 0}

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    def tell(self, event: Event) -> None:
        for listener in list(self._listeners):
            listener(event)


class FakeDaemon:
    """Profiles `default` and `other`, unlocked until told otherwise."""

    def __init__(self) -> None:
        self.memories = {"default": FakeMemory("default"), "other": FakeMemory("other")}
        self.is_locked = False
        self.stopped = False
        self.stop_takes_s = 0.0
        self.stop_fails = False

    def profile(self, profile_id: str) -> FakeMemory:
        if self.is_locked:
            raise Locked("locked")
        if profile_id not in self.memories:
            raise NotFound("no such profile")
        return self.memories[profile_id]

    def health(self) -> Answer:
        return {"status": "locked" if self.is_locked else "ok", "owner": "must never be shown"}

    def stop(self) -> None:
        time.sleep(self.stop_takes_s)
        if self.stop_fails:
            raise BadName("zebra-canary")
        self.stopped = True
