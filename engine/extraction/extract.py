"""From one message to candidates, links and signals, by the rules of its language's pack. Pure and deterministic."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.extraction.clauses import Clause, any_match, split_clauses
from selfimprint.engine.extraction.dates import find_dates
from selfimprint.engine.extraction.importance import importance
from selfimprint.engine.extraction.language import identify
from selfimprint.engine.extraction.linking import Linker, plain_candidate
from selfimprint.engine.extraction.packs import BundledPacks, Pack
from selfimprint.engine.extraction.persons import PET, Mention, Referents, find_mentions
from selfimprint.engine.extraction.rules import ClauseContext, apply_rules, denies
from selfimprint.engine.extraction.segments import mask, sentences
from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS, ExtractionSettings
from selfimprint.engine.extraction.valence import feelings, valence
from selfimprint.engine.graph import SELF, NodeType
from selfimprint.engine.slots import is_single

_WORD = re.compile(r"[^\W_]+")
BUNDLED: Mapping[str, Pack] = BundledPacks()


def extract(
    text: str,
    *,
    at_us: int,
    offset_minutes: int,
    language: str = "",
    earlier: Sequence[str] = (),
    packs: Mapping[str, Pack] = BUNDLED,
    settings: ExtractionSettings = DEFAULT_SETTINGS,
) -> Extraction:
    """What the rules find in one message said at `at_us` (microseconds UTC) at a UTC offset.

    `language` is a hint that decides short or doubtful text. `earlier` are the speaker's turns before, the latest
    first: a pronoun may mean whom they name. A language without a pack yields no candidates. First person is bound to
    `self`; the caller maps that to the speaker and decides by role what is used."""
    known = identify(text, hint=language, settings=settings)
    pack = packs.get(known)
    if pack is None:
        return Extraction(language=known, said="" if "?" in text else text)
    masked = mask(text, pack, settings)
    signals = [name for name, patterns in pack.signals.items() if any_match(patterns, masked)]
    if any_match(pack.guards["message"], masked):
        return Extraction(language=known, signals=tuple(signals))
    reader = Reader(text, _clauses(masked, pack, settings), pack, settings, at_us, offset_minutes)
    if earlier:
        reader.referents.earlier = cache(lambda: _spoken_of(earlier, pack, settings))
    per_clause = [reader.read(i) for i in range(len(reader.clauses))]
    links = Linker(reader).link(per_clause)
    said = " ".join(c.text for c in reader.clauses if c.usable and c.modality == "stated" and not denies(c.text, pack))
    return Extraction(
        language=known,
        candidates=tuple(reader.candidates),
        links=links,
        signals=tuple(dict.fromkeys([*signals, *reader.signals])),
        said=said,
    )


def _clauses(masked: str, pack: Pack, settings: ExtractionSettings) -> tuple[Clause, ...]:
    return tuple(
        clause
        for index, sentence in enumerate(sentences(masked, pack.abbreviations))
        for clause in split_clauses(sentence, index, pack, settings)
    )


def _spoken_of(turns: Sequence[str], pack: Pack, settings: ExtractionSettings) -> tuple[Mention, ...]:
    """The persons and pets of the first of these turns that has any."""
    for text in turns:
        reader = Reader(text, _clauses(mask(text, pack, settings), pack, settings), pack, settings, 0, 0)
        for index in range(len(reader.clauses)):
            reader.read(index)
        if reader.referents.seen:
            return tuple(reader.referents.seen)
    return ()


def warm(language: str, packs: Mapping[str, Pack] = BUNDLED, still_wanted: Callable[[], bool] = lambda: True) -> bool:
    """Loads and compiles a language's pack, which takes seconds, so that its first message does not wait; false where
    there is no pack or it was no longer wanted. Safe to call from a background thread."""
    pack = packs.get(language)
    if pack is None:
        return False
    pack.compile(still_wanted)
    if not still_wanted():
        return False
    extract("I am here today.", at_us=0, offset_minutes=0, language=language, packs=packs)
    return True


class Reader:
    """One pass over a message's clauses; collects candidates in order and remembers who was named."""

    def __init__(
        self,
        text: str,
        clauses: tuple[Clause, ...],
        pack: Pack,
        settings: ExtractionSettings,
        at_us: int,
        offset_minutes: int,
    ) -> None:
        self.text, self.clauses, self.pack, self.settings = text, clauses, pack, settings
        self.at_us, self.offset_minutes = at_us, offset_minutes
        self.referents = Referents(pack)
        self.candidates: list[Candidate] = []
        self.signals: list[str] = []
        self._marks: set[tuple[object, ...]] = set()
        self.dates = [find_dates(c.text, pack, at_us, offset_minutes, past=_tells_past(c.text, pack)) for c in clauses]

    def read(self, index: int) -> list[int]:
        """Adds the clause's candidates; returns their indices."""
        clause = self.clauses[index]
        if not clause.usable or not _WORD.search(clause.text):
            return []
        mentions = find_mentions(clause.text, self.pack)
        if named := self.referents.named_later(clause.text):
            mentions = (*(m for m in mentions if m.start >= named.end or m.end <= named.start), named)
            self._name_earlier(named)
        self.referents.note(mentions)
        context = self.context(index)
        found, signals = apply_rules(context, self.referents)
        self._note_unnamed(found)
        self.signals += signals
        if clause.modality in ("stated", "reported"):
            found += self._persons(clause, mentions, found, named)
        if clause.modality == "stated":
            found += self._notes(context, found)
        names = tuple(dict.fromkeys(m.name or m.relation for m in mentions if m.slot != PET))
        first = len(self.candidates)
        for candidate in found:
            people = tuple(dict.fromkeys([*candidate.persons, *names]))
            if candidate.type is NodeType.PERSON:
                people = candidate.persons
            self._add(replace(candidate, persons=people))
        return list(range(first, len(self.candidates)))

    def _add(self, candidate: Candidate) -> None:
        key = (candidate.type, candidate.subject, candidate.slot, candidate.value.casefold(), candidate.polarity)
        is_told_once = bool(candidate.slot) or candidate.type is NodeType.PERSON
        mark = (*key, None if is_told_once else candidate.start)
        if mark in self._marks or len(self.candidates) >= self.settings.message_max_candidates:
            return
        self._marks.add(mark)
        self.candidates.append(candidate)

    def context(self, index: int) -> ClauseContext:
        clause = self.clauses[index]
        dates = self.dates[index]
        if not dates:
            siblings = [i for i in (index - 1, index + 1) if 0 <= i < len(self.clauses)]
            near = [i for i in siblings if self.clauses[i].sentence == clause.sentence and self._shares_date(i, index)]
            dates = tuple(replace(d, start=-1, end=-1) for i in near[:1] for d in self.dates[i] if d.when)
        return ClauseContext(
            message=self.text,
            clause=clause,
            dates=dates,
            valence=valence(clause.text, self.pack, self.settings),
            pack=self.pack,
            settings=self.settings,
        )

    def _shares_date(self, other: int, index: int) -> bool:
        """A date carries over to a clause joined by a plain connective, not across a cause or condition."""
        later = self.clauses[max(other, index)]
        return other < index and later.relation in ("plain", "main", "effect") and bool(later.prefix)

    def _persons(
        self, clause: Clause, mentions: tuple[Mention, ...], found: list[Candidate], named: Mention | None
    ) -> list[Candidate]:
        made: list[Candidate] = []
        for mention in mentions:
            start, end = clause.offset(mention.start), clause.offset(mention.end)
            common = Candidate(
                type=NodeType.PERSON,
                content=self.text[start:end].strip() or clause.text,
                start=start,
                end=end,
                subject=mention.subject,
                value=mention.name,
                relation=mention.relation,
                persons=(mention.name or mention.relation,),
                importance=self.settings.person_importance,
                reason="mention",
            )
            if mention.slot != PET:
                made.append(common)
            if self._is_fact(mention):
                fact = replace(
                    common,
                    type=NodeType.FACT,
                    content=self.text[clause.start : clause.end].strip(),
                    start=clause.start,
                    end=clause.end,
                    subject=SELF,
                    slot=mention.slot,
                    value=_pet(mention)
                    if mention is named and mention.slot == PET
                    else mention.name or mention.relation,
                    persons=() if mention.slot == PET else common.persons,
                    importance=importance("", NodeType.FACT, mention.slot, None, self.pack, self.settings),
                    reason="mention.relation",
                )
                if not any(c.slot == fact.slot and c.subject == SELF for c in found):
                    made.append(fact)
        return made

    def _is_fact(self, mention: Mention) -> bool:
        """Naming someone by relation tells a fact; a bare relation only for the slots the pack lists, and not where the
        message has said who that is."""
        if not mention.slot or mention.ended:
            return False
        if mention.slot == PET and mention.name:
            return not any(c.slot == PET and mention.name in c.value for c in self.candidates)
        if mention.name or mention.slot == PET:
            return True
        known = (c.slot == mention.slot and c.subject == SELF for c in self.candidates)
        return mention.slot in self.pack.bare_relations and not (is_single(mention.slot) and any(known))

    def _note_unnamed(self, found: list[Candidate]) -> None:
        """Whom a rule's value introduces ("We adopted a dog", "I have a sister") may be spoken of later."""
        for candidate in found:
            if candidate.subject != SELF or candidate.polarity < 0 or candidate.type is not NodeType.FACT:
                continue
            for word in candidate.value.casefold().split():
                if candidate.slot and self.pack.relations.get(word) == candidate.slot:
                    unnamed = Mention(start=0, end=0, name="", relation=word, slot=candidate.slot)
                    self.referents.note((unnamed,))

    def _name_earlier(self, named: Mention) -> None:
        """A name given later goes to the fact that the bare relation made ("We got a dog. His name is Muri")."""
        name = _pet(named) if named.slot == PET else named.name
        for i, old in enumerate(self.candidates):
            if old.slot == named.slot and old.subject == SELF and old.value.casefold().endswith(named.relation):
                self.candidates[i] = replace(old, value=name)

    def _notes(self, context: ClauseContext, found: list[Candidate]) -> list[Candidate]:
        clause = context.clause
        if any(c.type is NodeType.EMOTIONAL_NOTE for c in found) or not self._is_felt(clause):
            return []
        notes = []
        for weight in feelings(clause.text, self.pack, self.settings):
            note = plain_candidate(NodeType.EMOTIONAL_NOTE, context, "feeling")
            notes.append(replace(note, valence=weight))
        return notes

    def _is_felt(self, clause: Clause) -> bool:
        """Whether somebody feels: in the clause, or in the one it hangs on ("I'm excited but also scared")."""
        if any_match(self.pack.not_felt, clause.text):
            return False
        if self.pack.experiencer.search(clause.text):
            return True
        before = [c for c in self.clauses if c.sentence == clause.sentence and c.end <= clause.start]
        return (
            clause.relation == "plain"
            and bool(before)
            and not self.pack.subject.search(clause.text)
            and bool(self.pack.experiencer.search(before[-1].text))
        )


def _pet(named: Mention) -> str:
    """What a pet is, with the name it was given afterwards."""
    return f"{named.relation} {named.name}"


def _tells_past(text: str, pack: Pack) -> bool:
    """Whether a bare weekday in the clause would be the last one; asked only where one is named."""
    folded = text.casefold()
    return any(day in folded for day in pack.weekdays) and any_match(pack.guards["past"], text)
