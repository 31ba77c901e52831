"""One conversation told to the daemon and asked about, through the public API alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from told import Conversation, Turn

from selfimprintd.batching import in_batches
from selfimprintd.client import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    preset: str = "default"
    budget: int = 400
    counter: str = "words"
    k: int = 100
    batch_messages: int = 100
    batch_bytes: int = 400_000
    drain_s: float = 600.0
    most_excluded: int = 2_000  # of one call of the API
    retries: int = 10
    retry_pause_s: float = 0.3
    """A question's vector has a deadline; on a busy machine it may be missed, and the answer says so. It is asked again
    so often before a lexical answer counts."""


@dataclass(slots=True)
class Answers:
    """What `quality.py` writes, by question id."""

    ranked: dict[str, list[Any]] = field(default_factory=dict)
    contexts: dict[str, str] = field(default_factory=dict)
    doubt: dict[str, float] = field(default_factory=dict)
    """1 − confidence: higher is “there is no evidence”."""
    degraded: int = 0


class Stuck(Exception):
    """The daemon stopped embedding; the message says how much is left."""


class Told:
    """A profile that has heard a conversation, and which message became of which unit."""

    def __init__(self, client: Client, settings: AskSettings) -> None:
        self._client = client
        self._settings = settings
        self._units: dict[str, str] = {}
        self._messages: dict[str, list[str]] = {}
        self._cited: dict[str, set[str]] = {}
        self._has_vectors = False

    def tell(self, turns: Sequence[Turn]) -> None:
        """All turns, in order; returns when every vector is there."""
        for batch in batches(turns, self._settings):
            added = self._client.add_many([turn.body for turn in batch])
            for turn, answer in zip(batch, added, strict=True):
                self._units[answer["id"]] = turn.unit
                self._messages.setdefault(turn.unit, []).append(answer["id"])
        waiting = -1
        while not (answer := self._client.drain(self._settings.drain_s))["drained"]:
            if answer["waiting"] == waiting:
                raise Stuck(f"{waiting} texts wait for their vectors and none came in {self._settings.drain_s:.0f} s")
            waiting = answer["waiting"]
        self._has_vectors = self._client.status()["embedding"]["embedder"] != "none"

    def unit_of(self, message: str) -> str | None:
        """The unit of a message, or of a part of one that was split."""
        return self._units.get(message) or self._units.get(message.rsplit("-", 1)[0])

    def all_that_rests_on(self, units: Sequence[str]) -> list[str]:
        """The messages of the units, and the nodes seen in answers so far that cite one of them."""
        messages = [m for unit in units for m in self._messages.get(unit, ())]
        return messages + [node for node, cited in self._cited.items() if cited & set(messages)]

    def recall(self, question: str, exclude: Sequence[str] = (), k: int = 0, preset: str = "") -> dict[str, Any]:
        body = {
            "k": k or self._settings.k,
            "mode": preset or self._settings.preset,
            "exclude": list(exclude)[: self._settings.most_excluded],
        }
        answer = self._patiently(lambda: self._client.recall(question, **body))
        for item in answer["items"]:
            for node in item["nodes"]:
                self._cited[node["id"]] = {e["message"] for e in node["evidence"]}
        return answer

    def ranked(self, answer: dict[str, Any]) -> list[Any]:
        """Unit ids, best first; a node without its turn stands as the list of its evidence."""
        found: list[Any] = []
        for item in answer["items"]:
            unit = self.unit_of(item["id"])
            if unit is not None:
                found.append(unit)
                continue
            proof = (self.unit_of(e["message"]) for node in item["nodes"] for e in node["evidence"])
            units = list(dict.fromkeys(u for u in proof if u is not None))
            if units:
                found.append(units)
        return found

    def ask(self, conversation: Conversation, answers: Answers, preset: str = "") -> None:
        """Each question once for its ranking and once for its context."""
        settings = self._settings
        for qid, question in conversation.questions:
            recalled = self.recall(question, preset=preset)
            answers.degraded += bool(recalled["degraded"])
            answers.ranked[qid] = self.ranked(recalled)
            answers.doubt[qid] = 1.0 - float(recalled["confidence"])
            answer = self._context(question, preset or settings.preset)
            answers.degraded += bool(answer["degraded"])
            answers.contexts[qid] = answer["text"]

    def _context(self, question: str, preset: str) -> dict[str, Any]:
        settings = self._settings
        options = {"budget": settings.budget, "counter": settings.counter, "preset": preset}
        return self._patiently(lambda: self._client.context(question, **options))

    def _patiently(self, call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The answer, asked for again while it had to do without the question's vector though there are vectors."""
        answer = call()
        for _ in range(self._settings.retries if self._has_vectors else 0):
            if not answer["degraded"]:
                break
            time.sleep(self._settings.retry_pause_s)
            answer = call()
        return answer


def batches(turns: Sequence[Turn], settings: AskSettings) -> Iterator[list[Turn]]:
    """The turns in calls that the API takes."""
    return in_batches(turns, _size, most=settings.batch_messages, most_bytes=settings.batch_bytes)


def _size(turn: Turn) -> int:
    return len(json.dumps(turn.body, ensure_ascii=False).encode())
