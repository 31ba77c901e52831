"""Who is spoken of: names and relations in a clause, and the subject a rule's `who` group points to."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from selfimprint.engine.extraction.packs.model import Pack

PET = "pet"
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A person (or pet) named in a text; `name` may be empty, `relation` too, never both.

    `ended` marks one who no longer stands in the relation ("my late husband", "my ex-boss")."""

    start: int
    end: int
    name: str
    relation: str
    slot: str
    ended: bool = False

    @property
    def subject(self) -> str:
        return f"person:{self.name or self.relation}"


def _is_name(word: str, pack: Pack) -> bool:
    """False for the capitalised words a pack lists as nobody, also with a clitic ("You've")."""
    folded = word.strip().casefold()
    return folded not in pack.not_names and folded.split("'")[0] not in pack.not_names


def find_mentions(text: str, pack: Pack) -> tuple[Mention, ...]:
    """The mentions that the pack's patterns find, in order; groups `rel` and `name` (a list splits into several)."""
    found: list[Mention] = []
    for pattern in pack.mentions:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            relation = re.sub(r"\s+", " ", (groups.get("rel") or "").casefold())
            slot = pack.relations.get(relation, "")
            raw = groups.get("name") or ""
            names = [n for n in pack.list_separator.regex.split(raw) if n and _is_name(n, pack)]
            if raw and not names:
                continue
            if any(match.start() < m.end and m.start < match.end() for m in found):
                continue
            words = {word.casefold() for word in _WORD.findall(match[0])} if pack.ended_relations else set()
            ended = not pack.ended_relations.isdisjoint(words)
            found += [
                Mention(
                    start=match.start(), end=match.end(), name=name.strip(), relation=relation, slot=slot, ended=ended
                )
                for name in names or [""]
                if name or relation
            ]
    return tuple(sorted(found, key=lambda m: m.start))


@dataclass(slots=True)
class Referents:
    """The persons and pets mentioned so far in one message: for pronouns, for names that came with a relation before,
    and for names given afterwards."""

    pack: Pack
    seen: list[Mention] = field(default_factory=list)
    pets: set[str] = field(default_factory=set)
    earlier: Callable[[], tuple[Mention, ...]] = tuple
    """Who was spoken of in the speaker's turn before; asked once a pronoun finds nobody in this message."""

    def note(self, mentions: tuple[Mention, ...]) -> None:
        self.pets |= {m.name for m in mentions if m.slot == PET and m.name}
        self.seen += mentions

    def antecedent(self, pronoun: str) -> Mention | None:
        """The latest mention the pronoun may stand for: a relation of another gender cannot be meant."""
        wanted = self.pack.genders.get(pronoun.casefold(), "")
        for mention in reversed(self.seen):
            gender = self.pack.genders.get(mention.relation, "")
            if not wanted or not gender or wanted == gender:
                return mention
        return self._from_before(wanted)

    def _from_before(self, wanted: str) -> Mention | None:
        """The one person of the turn before who may be meant; nobody where there are two."""
        found: dict[str, Mention] = {}
        for mention in self.earlier():
            gender = self.pack.genders.get(mention.relation, "")
            if not wanted or not gender or wanted == gender:
                found[mention.subject] = mention
        people = list(found.values())
        surest = [m for m in people if wanted and self.pack.genders.get(m.relation, "") == wanted] or people
        return surest[0] if len(surest) == 1 else None

    def named_later(self, text: str) -> Mention | None:
        """The name that a clause gives to someone or some animal mentioned before ("Her name is Anna")."""
        for pattern in self.pack.naming:
            match = pattern.search(text)
            if match is None or not _is_name(match["name"], self.pack):
                continue
            who = self.antecedent(match.groupdict().get("who") or "")
            if who is not None and not who.name:
                return Mention(
                    start=match.start(),
                    end=match.end(),
                    name=match["name"].strip(),
                    relation=who.relation,
                    slot=who.slot,
                )
        return None

    def spell_out(self, value: str) -> str:
        """The value with each object pronoun replaced by whom it means; empty when that is not known."""
        if not self.pack.object_pronouns:
            return value
        words = value.split(" ")
        for i, word in enumerate(words):
            possessive = self.pack.object_pronouns.get(word.casefold())
            if possessive is None:
                continue
            who = self.antecedent(word)
            if who is None:
                return ""
            words[i] = who.name or f"{possessive} {who.relation}".strip()
        return " ".join(words)

    def subject(self, who: str) -> str:
        """`person:<name>`, or `person:<relation>` where no name is known; empty for words that are neither, for an
        animal, and for a pronoun nobody answers to."""
        folded = re.sub(r"\s+", " ", who.strip().casefold())
        if folded in self.pack.pronouns:
            meant = self.antecedent(folded)
            return meant.subject if meant is not None and meant.slot != PET else ""
        for mention in find_mentions(who, self.pack):
            if mention.slot == PET:
                return ""
            known = next((m for m in self.seen if m.relation == mention.relation and m.name), None)
            return known.subject if known and not mention.name else mention.subject
        if who.strip() in self.pets:
            return ""
        is_name = all(word[:1].isupper() for word in who.split()) and _is_name(who, self.pack)
        return f"person:{who.strip()}" if folded and is_name else ""
