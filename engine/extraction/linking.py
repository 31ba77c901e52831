"""Discourse edges between the candidates of one message; a linked clause that had no candidate gets one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

from selfimprint.engine.extraction.candidates import Candidate, Link
from selfimprint.engine.extraction.clauses import Clause
from selfimprint.engine.extraction.importance import importance
from selfimprint.engine.extraction.links import clause_links
from selfimprint.engine.extraction.packs.model import Pack
from selfimprint.engine.extraction.persons import Referents, find_mentions
from selfimprint.engine.extraction.rules import ClauseContext, denies
from selfimprint.engine.extraction.settings import ExtractionSettings
from selfimprint.engine.extraction.valence import feelings, valence
from selfimprint.engine.graph import SELF, EdgeType, NodeType

_WORD = re.compile(r"[^\W_]+")
_DASHES = ("-", "–", "—")
_PREFERENCE = (NodeType.EVENT, NodeType.FACT, NodeType.EMOTIONAL_NOTE, NodeType.OPEN_LOOP)


class ReadMessage(Protocol):
    """What linking needs of a message that was read."""

    text: str
    clauses: tuple[Clause, ...]
    pack: Pack
    settings: ExtractionSettings
    candidates: list[Candidate]
    referents: Referents

    def context(self, index: int) -> ClauseContext: ...


class Linker:
    """Adds the links of one message, and candidates for linked clauses that had none."""

    def __init__(self, reader: ReadMessage) -> None:
        self.reader = reader
        self.text, self.clauses, self.pack, self.settings = reader.text, reader.clauses, reader.pack, reader.settings

    def link(self, per_clause: list[list[int]]) -> tuple[Link, ...]:
        """The edges between clauses, and those inside one clause; a linked clause without a candidate gets one."""
        made: list[Link] = []
        for pair in clause_links(self.clauses):
            # The effect first: a cause may be about anything as long as what it led to is told.
            about = any(self._concerns_somebody(i, per_clause) for i in (pair.first, pair.second))
            second = self._endpoint(pair.second, per_clause) if about else None
            first = self._endpoint(pair.first, per_clause) if second is not None else None
            if first is None or second is None or first == second:
                continue
            is_cause = pair.kind == "cause"
            made.append(
                Link(
                    effect=second,
                    cause=first,
                    type=EdgeType.CAUSED_BY if is_cause else EdgeType.FOLLOWED_BY,
                    confidence=self.settings.strong_connective_confidence
                    if "cause" in (self.clauses[pair.first].relation.removeprefix("fronted-"),)
                    else self.settings.weak_connective_confidence,
                )
            )
        for index, clause in enumerate(self.clauses):
            made += self._inner_links(index, clause)
            made += self._dash_link(index, clause, per_clause)
        return tuple(dict.fromkeys(made))

    def _dash_link(self, index: int, clause: Clause, per_clause: list[list[int]]) -> list[Link]:
        """A dash after a feeling gives its reason ("I cried all night - my dog ran away")."""
        if index == 0 or clause.relation != "plain" or clause.connective not in _DASHES:
            return []
        notes = [i for i in per_clause[index - 1] if self.reader.candidates[i].type is NodeType.EMOTIONAL_NOTE]
        happened = [i for i in per_clause[index] if self.reader.candidates[i].type in (NodeType.EVENT, NodeType.FACT)]
        if not notes or not happened:
            return []
        confidence = self.settings.dash_confidence
        return [Link(effect=notes[0], cause=happened[0], type=EdgeType.CAUSED_BY, confidence=confidence)]

    def _endpoint(self, index: int, per_clause: list[list[int]]) -> int | None:
        clause = self.clauses[index]
        if per_clause[index]:
            ranked = [i for i in per_clause[index] if _says_it(self.reader.candidates[i])]
            if ranked:
                return min(ranked, key=lambda i: _PREFERENCE.index(self.reader.candidates[i].type))
        words = len(_WORD.findall(clause.text))
        if (
            clause.modality not in ("stated", "reported")
            or not clause.usable
            or words < self.settings.linked_clause_min_words
        ):
            return None
        context = self.reader.context(index)
        is_note = bool(self.pack.experiencer.search(clause.text) and feelings(clause.text, self.pack, self.settings))
        node_type = NodeType.EMOTIONAL_NOTE if is_note else NodeType.EVENT
        subject = self._subject(clause.text)
        made = replace(plain_candidate(node_type, context, "linked"), modality=clause.modality, subject=subject)
        self.reader.candidates.append(made)
        per_clause[index].append(len(self.reader.candidates) - 1)
        return len(self.reader.candidates) - 1

    def _subject(self, text: str) -> str:
        """Whom a clause is about: the person or pronoun it opens with, unless the speaker stands in it too."""
        opening = _WORD.search(text)
        if opening is None:
            return SELF
        mention = next((m for m in find_mentions(text, self.pack) if m.start <= opening.start()), None)
        start, end = opening.span() if mention is None else (mention.start, mention.end)
        is_somebody = mention is not None or opening[0].casefold() in self.pack.pronouns
        if not is_somebody or self.pack.first_person.search(text[end:]):
            return SELF
        return self.reader.referents.subject(text[start:end]) or SELF

    def _concerns_somebody(self, index: int, per_clause: list[list[int]]) -> bool:
        """Whether a clause is about the speaker or someone they named, or told something by itself. A build that failed
        because a test broke concerns nobody."""
        text = self.clauses[index].text
        return bool(
            per_clause[index]
            or self.pack.first_person.search(text)
            or find_mentions(text, self.pack)
            or self.pack.surroundings.search(text)
        )

    def _inner_links(self, index: int, clause: Clause) -> list[Link]:
        if clause.modality != "stated" or not clause.usable:
            return []
        for rule in self.pack.links:
            match = rule.pattern.search(clause.text)
            if not match:
                continue
            sizes = [len(_WORD.findall(match[group])) for group in ("cause", "effect")]
            if min(sizes) < self.settings.linked_clause_min_words:
                continue
            ends = [self._part(index, match.start(group), match.end(group)) for group in ("cause", "effect")]
            if ends[0] != ends[1]:
                return [Link(effect=ends[1], cause=ends[0], type=EdgeType.CAUSED_BY, confidence=rule.confidence)]
        return []

    def _part(self, index: int, start: int, end: int) -> int:
        """A candidate for part of a clause."""
        clause = self.clauses[index]
        context = self.reader.context(index)
        text = clause.text[start:end]
        weights = feelings(text, self.pack, self.settings)
        made = plain_candidate(NodeType.EMOTIONAL_NOTE if weights else NodeType.EVENT, context, "link.part")
        begin, stop = clause.offset(start), clause.offset(end)
        weight = weights[0] if weights else valence(text, self.pack, self.settings)
        content = self.text[begin:stop].strip(" ,")
        polarity = -1 if denies(text, self.pack) else 1
        made = replace(made, content=content, start=begin, end=stop, valence=weight, polarity=polarity)
        self.reader.candidates.append(replace(made, subject=self._subject(text)))
        return len(self.reader.candidates) - 1


def _says_it(candidate: Candidate) -> bool:
    """Whether it holds what the clause says; that somebody's parents were named in it is beside the point."""
    return candidate.type in _PREFERENCE and not candidate.reason.startswith("mention")


def plain_candidate(node_type: NodeType, context: ClauseContext, reason: str) -> Candidate:
    """A candidate that is the whole clause."""
    clause = context.clause
    dated = next((d for d in context.dates if d.when), None)
    return Candidate(
        type=node_type,
        content=context.message[clause.start : clause.end].strip(),
        start=clause.start,
        end=clause.end,
        when=dated.when if dated else None,
        when_text=dated.text if dated else "",
        valence=context.valence,
        importance=importance(clause.text, node_type, "", None, context.pack, context.settings),
        polarity=-1 if node_type is NodeType.EVENT and denies(clause.text, context.pack) else 1,
        reason=reason,
    )
