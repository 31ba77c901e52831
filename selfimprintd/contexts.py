"""A request for context: recall, one hop around it, whole chains, then one paragraph (whitepaper §3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from selfimprint.engine.chains import chains_through
from selfimprint.engine.context.compose import compose
from selfimprint.engine.context.counters import COUNTERS
from selfimprint.engine.context.parts import ContextItem, ContextRequest, Occurrences
from selfimprint.engine.context.settings import ComposeSettings
from selfimprint.engine.context.statements import is_past
from selfimprint.engine.graph import DAY_US, SELF, EdgeType, Message, Node, NodeType, Role
from selfimprint.engine.lookup import content_stems

from selfimprintd.facade import ContextQuery
from selfimprintd.items import speaker_name
from selfimprintd.owner import base_profile, facts_asked, tellable
from selfimprintd.profile import Profile
from selfimprintd.recalling import BadQuestion, Entry, Recall, Recalled, holds_at
from selfimprintd.views import status_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings:
    k: int = 20  # whitepaper §3.4
    looked_at: int = 60  # entries handed to the composer after the first K, best first
    neighbours: int = 8
    chains: int = 3
    chain_sources: int = 8
    base_facts: int = 12
    max_budget: int = 4_000
    language_turns: int = 20
    asked_facts: int = 12
    near: int = 8  # what is over, or still open, further down than this is told only where the question is about it
    loop_days: int = 60  # what nobody has spoken of for so long is not told as open
    assistant_words: int = 8  # an assistant's turn of fewer says nothing worth a place
    least_share: float = 0.5
    """Of the best entry's score; below it one turn in 449 that LoCoMo's questions wanted stood (dev, 60 entries)."""


class Contexts:
    def __init__(self, profile: Profile, recall: Recall, settings: ContextSettings | None = None) -> None:
        self._profile = profile
        self._recall = recall
        self._settings = settings or ContextSettings()
        self._compose = ComposeSettings()

    def answer(self, query: ContextQuery) -> dict[str, Any]:
        if query.style != "composed":
            raise BadQuestion("unknown style; use composed")
        if query.counter not in COUNTERS:
            raise BadQuestion(f"unknown counter; use one of {', '.join(COUNTERS)}")
        if not 0 <= query.budget <= self._settings.max_budget:
            raise BadQuestion(f"the budget must lie between 0 and {self._settings.max_budget} tokens")
        found = self._recall.find(
            query.message,
            preset=query.preset,
            limit=self._settings.looked_at,
            as_of=query.as_of_us,
            exclude=query.exclude,
        )
        with self._profile.lock:
            return self._composed(query, found)

    def _composed(self, query: ContextQuery, found: Recalled) -> dict[str, Any]:
        profile, settings = self._profile, self._settings
        asked = content_stems(query.message, found.language)
        least = settings.least_share * max((e.score for e in found.entries), default=0.0)
        entries = [
            e
            for e in found.entries
            if e.score >= least and not self._withheld(e, asked) and self._worth_quoting(e, found)
        ]
        nodes = [n for e in entries[: settings.k] for n in e.nodes]
        facts = facts_asked(profile, query, found, settings.asked_facts)
        items = [self._node_item(n, found.at) for n in facts]
        near = entries[: settings.near]
        items += [i for e in near for i in self._items(e, found.at)]
        items += self._present_items(entries[settings.near : settings.k], found.at)
        items += self._neighbours(nodes, {i.key for i in items}, found.at, asked, query.as_of_us)
        items += self._present_items(entries[settings.k :], found.at)
        sources = [n.id for n in nodes if tellable(n) or self._about(n, asked)][: settings.chain_sources]
        wants_reason = found.ranking.cues.wants_reason
        is_sure = found.ranking.confidence >= self._compose.uncertain_below
        chains = [
            tuple(self._node_item(n, found.at) for n in chain)
            for chain in chains_through(profile.state, sources, settings.chains)
            if self._worth_telling(chain, asked, wants_reason, is_sure)
        ]
        near_ids = {n.id for e in near for n in e.nodes}
        loops = [
            self._node_item(n, found.at)
            for n in dict.fromkeys(nodes)
            if self._is_open(n, found.at) and (n.id in near_ids or self._about(n, asked))
        ]
        language = query.language or self._language(found.language)
        pinned = base_profile(profile, found.at, query.as_of_us, settings.base_facts)
        base = [self._node_item(n, found.at) for n in pinned]
        composed = compose(
            items,
            chains,
            loops,
            base,
            ContextRequest(
                question=query.message,
                language=language,
                budget=query.budget,
                counter=query.counter,
                now_us=found.at,
                offset_minutes=self._offset(),
                confidence=found.ranking.confidence,
                answered=bool(facts),
                max_items=settings.k + len(facts),
            ),
            self._compose,
        )
        profile.sent.sent(composed.text, profile.clock.now_us())
        answer: dict[str, Any] = {
            "text": composed.text,
            "language": composed.language,
            "tokens": composed.tokens,
            "confidence": round(found.ranking.confidence, 4),
            "degraded": found.ranking.degraded,
            "empty": composed.empty,
            "omitted": composed.omitted_count,
            "citations": [
                {"node": c.key, "message": c.message_id, "start": c.start, "end": c.end} for c in composed.citations
            ],
        }
        if query.explain:
            answer["explain"] = {
                "preset": found.ranking.preset,
                "items": [
                    {
                        "id": e.key,
                        "score": round(e.score, 4),
                        "parts": {k: round(float(v), 4) for k, v in e.parts.items()},
                    }
                    for e in entries
                ],
                "withheld": len(found.entries) - len(entries),
            }
        return answer

    def _worth_telling(self, chain: tuple[Node, ...], asked: frozenset[str], wants_reason: bool, is_sure: bool) -> bool:
        """A chain that the question is about; for a why-question whose answer was found, any near it."""
        if not all(tellable(n) or self._about(n, asked) for n in chain):
            return False
        if wants_reason and is_sure:
            return True
        return (wants_reason or _spans_messages(chain)) and any(self._about(n, asked) for n in chain)

    def _worth_quoting(self, entry: Entry, found: Recalled) -> bool:
        """An assistant's small answers say nothing about the owner; they count where its words are asked for."""
        message = self._profile.trace.get(entry.key)
        if message is None or message.role is not Role.ASSISTANT or found.ranking.cues.asks_assistant:
            return True
        return len(message.content.split()) >= self._settings.assistant_words

    def _items(self, entry: Entry, at: int) -> list[ContextItem]:
        """A turn in its own words, which say what its nodes say; where all that it taught is over, those as history."""
        message = self._profile.trace.get(entry.key)
        node_items = [self._node_item(n, at, score=entry.score) for n in entry.nodes if n.type is not NodeType.PERSON]
        over = [i for i in node_items if i.slot and i.status in ("ended", "retired")]
        if message is None:
            return node_items
        if over and (entry.superseded or len(over) == len(node_items)):
            return over
        return [self._turn_item(message, entry.score)]

    def _present_items(self, entries: list[Entry], at: int) -> list[ContextItem]:
        return [i for e in entries for i in self._items(e, at) if not is_past(i)]

    def _is_open(self, node: Node, at: int) -> bool:
        """A loop that the owner has left open and that may still be so; other people's are told in their own words."""
        if node.type is not NodeType.OPEN_LOOP or node.subject != SELF:
            return False
        due = int(node.attribute("when_end") or 0)
        is_past = at - node.last_reinforced_at > self._settings.loop_days * DAY_US or 0 < due < at - DAY_US
        return not is_past and status_of(self._profile, node, at) == "current"

    def _neighbours(
        self, nodes: list[Node], held: set[str], at: int, asked: frozenset[str], as_of: int | None
    ) -> list[ContextItem]:
        """One hop around what was recalled, whatever the edge (whitepaper §3.4), each in its own words."""
        state = self._profile.state
        found: dict[str, ContextItem] = {}
        for node in nodes:
            for edge in state.edges_of(node.id):
                other = state.nodes.get(edge.to_id if edge.from_id == node.id else edge.from_id)
                if other is None or other.id in held or other.type is NodeType.PERSON or other.retired_at is not None:
                    continue
                if as_of is not None and not holds_at(other, as_of):
                    continue
                if edge.type is EdgeType.ASSOCIATED_WITH or not (tellable(other) or self._about(other, asked)):
                    continue
                turn = other.evidence[0].message if other.evidence else ""
                if turn in held:
                    continue
                found.setdefault(other.id, self._node_item(other, at))
        return list(found.values())[: self._settings.neighbours]

    def _withheld(self, entry: Entry, asked: frozenset[str]) -> bool:
        """Sensitive things are told only when the message itself is about them (design §5)."""
        return any(not tellable(n) and not self._about(n, asked) for n in entry.nodes)

    def _about(self, node: Node, asked: frozenset[str]) -> bool:
        words = content_stems(f"{node.content} {node.slot} {node.attribute('value')}", node.language)
        return bool(words & asked)

    def _turn_item(self, message: Message, score: float) -> ContextItem:
        return ContextItem(
            key=message.id,
            kind="turn",
            text=message.content,
            speaker="" if message.role is Role.USER else speaker_name(message),
            role=message.role.value,
            at_us=message.at,
            offset_minutes=message.offset_minutes,
            session=message.session,
            language=message.language,
            score=score,
            evidence_message=message.id,
        )

    def _node_item(self, node: Node, at: int, score: float = 0.0) -> ContextItem:
        profile = self._profile
        proof = node.evidence[-1] if node.evidence else None
        message = profile.trace.get(proof.message) if proof is not None else None
        when, end = node.attribute("when"), node.attribute("when_end")
        dated = [e.when for e in node.evidence if e.when is not None]
        return ContextItem(
            key=node.id,
            kind="node",
            text=node.content,
            speaker="" if message is None or message.role is Role.USER else speaker_name(message),
            role=message.role.value if message is not None else "user",
            at_us=message.at if message is not None else node.created_at,
            offset_minutes=message.offset_minutes if message is not None else 0,
            session=proof.session if proof is not None else "",
            language=node.language,
            score=score,
            node_type=node.type.value,
            slot=node.slot,
            value=node.attribute("value"),
            relation=node.attribute("relation"),
            person="" if node.subject == SELF else profile.items.name(node.subject),
            when_us=(int(when), int(end or when)) if when else None,
            when_text=node.attribute("when_text"),
            status=status_of(profile, node, at),
            polarity=-1 if node.attribute("polarity") == "-1" else 1,
            valence=node.valence,
            sensitive=node.sensitive,
            trust=node.trust.value,
            evidence_message=proof.message if proof is not None else "",
            valid_from_us=node.valid_from,
            valid_to_us=node.valid_to,
            occurrences=Occurrences(count=len(dated), last_us=max(dated)) if len(dated) > 1 else None,
        )

    def _language(self, spoken: str) -> str:
        """The language of the message, or that of the owner's last turns where the message does not tell."""
        if spoken not in ("", "und"):
            return spoken
        for line in sorted(self._profile.trace.sessions.values(), key=lambda s: -s.last_at)[:1]:
            for message_id in reversed(line.ids[-self._settings.language_turns :]):
                message = self._profile.trace.get(message_id)
                if message is not None and message.role in (Role.USER, Role.PERSON) and message.language != "und":
                    return message.language
        return "en"

    def _offset(self) -> int:
        latest = max(self._profile.trace.sessions.values(), key=lambda s: s.last_at, default=None)
        message = self._profile.trace.get(latest.ids[-1]) if latest is not None and latest.ids else None
        return message.offset_minutes if message is not None else 0


def _spans_messages(chain: tuple[Node, ...]) -> bool:
    """Longer than one message tells: a single one, once quoted, says its own causes in full."""
    return len(chain) > 2 and len({e.message for n in chain for e in n.evidence}) > 1
