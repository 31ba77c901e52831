"""The parts of a language pack, compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from selfimprint.engine.extraction.candidates import Modality
from selfimprint.engine.extraction.packs.literals import Needs, PieceIndex, grams
from selfimprint.engine.graph import NodeType


class PackError(ValueError):
    """A language pack is missing or malformed; the message names the key."""


@dataclass(frozen=True)
class LazyPattern:
    """A pattern compiled at first use, so that loading a pack costs little. `source` is macro-free regex; `needs` are
    pieces of which every match contains one, `further` more such sets (see `literals.py`)."""

    source: str
    where: str
    needs: Needs = None
    further: tuple[frozenset[str], ...] = ()

    @cached_property
    def regex(self) -> re.Pattern[str]:
        try:
            return re.compile(self.source, re.IGNORECASE)
        except re.error as error:
            raise PackError(f"{self.where}: {error}: {self.source}") from error

    def search(self, text: str) -> re.Match[str] | None:
        if self.needs and self.needs.isdisjoint(grams(text)):
            return None
        return self.regex.search(text)

    def finditer(self, text: str) -> list[re.Match[str]]:
        if self.needs and self.needs.isdisjoint(grams(text)):
            return []
        return list(self.regex.finditer(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One extraction rule; see `docs/language-packs.md` for each key."""

    id: str
    type: NodeType
    patterns: tuple[LazyPattern, ...]
    slot: str = ""
    excludes: tuple[LazyPattern, ...] = ()
    polarity: int = 1
    value: str = ""
    importance: float | None = None
    modalities: frozenset[Modality] = frozenset({"stated"})
    also: NodeType | None = None
    also_slot: str = ""
    also_value: str = ""
    relation: str = ""
    blocks: frozenset[str] = frozenset()
    weak: bool = False
    split: bool = False
    many: bool = False
    needs_date: bool = False
    recurring: bool = False
    signal: str = ""
    valence: float | None = None
    resolve: bool = False
    requires: tuple[LazyPattern, ...] = ()


ConnectiveKind = Literal["cause", "effect", "then", "after", "before", "plain", "condition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRule:
    """A span grammar: `kind` says how the named groups are read (see `dates.py`); `shift` and `unit` parametrise it."""

    kind: str
    pattern: LazyPattern
    shift: int = 0
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """A one-clause causal construction with the groups `cause` and `effect`."""

    pattern: LazyPattern
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Weighted words; `stems` are matched as prefixes, grouped by their first three letters, longest first."""

    words: Mapping[str, float]
    stems: Mapping[str, tuple[tuple[str, float], ...]]

    def may_know(self, word: str) -> bool:
        """A cheap first test; most words fail it."""
        return word in self.words or word[:3] in self.stems

    def weight(self, word: str) -> float:
        """The weight of a casefolded word; 0 for an unknown one."""
        if word in self.words:
            return self.words[word]
        return next((weight for stem, weight in self.stems.get(word[:3], ()) if word.startswith(stem)), 0.0)


def _patterns_in(part: object) -> Iterator[LazyPattern]:
    if isinstance(part, LazyPattern):
        yield part
    elif isinstance(part, Rule):
        yield from (*part.patterns, *part.excludes, *part.requires)
    elif isinstance(part, DateRule | LinkRule):
        yield part.pattern
    elif isinstance(part, Mapping):
        for value in part.values():
            yield from _patterns_in(value)
    elif isinstance(part, tuple):
        for value in part:
            yield from _patterns_in(value)


@dataclass(frozen=True, kw_only=True)
class Pack:
    """Everything one language brings."""

    language: str
    rules: tuple[Rule, ...]
    links: tuple[LinkRule, ...]
    connectives: LazyPattern
    leading: LazyPattern
    guards: Mapping[str, tuple[LazyPattern, ...]]
    subject: LazyPattern
    first_person: LazyPattern
    surroundings: LazyPattern  # what belongs to anybody's life: of causes told about it the speaker is concerned
    elided: LazyPattern
    elided_prefix: str
    elisions: tuple[tuple[str, LazyPattern], ...]
    main_start: tuple[LazyPattern, ...]
    clause_comma: LazyPattern | None
    mentions: tuple[LazyPattern, ...]
    relations: Mapping[str, str]
    pronouns: frozenset[str]
    naming: tuple[LazyPattern, ...]
    genders: Mapping[str, str]
    bare_relations: frozenset[str]
    ended_relations: frozenset[str]
    object_pronouns: Mapping[str, str]
    not_names: frozenset[str]
    value_strip_left: LazyPattern
    value_strip_right: LazyPattern
    not_values: frozenset[str]
    without: str  # how a food is said that somebody does not eat: "no {value}"
    not_places: frozenset[str]
    list_separator: LazyPattern
    numbers: Mapping[str, int]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    units: Mapping[str, str]
    dates: tuple[DateRule, ...]
    feelings: Lexicon
    valence: Lexicon
    negations: frozenset[str]
    denials: frozenset[str]  # of these the ones that say that what a clause tells did not happen
    intensifiers: frozenset[str]
    diminishers: frozenset[str]
    experiencer: LazyPattern
    not_felt: tuple[LazyPattern, ...]
    importance: tuple[tuple[float, tuple[LazyPattern, ...]], ...]
    abbreviations: frozenset[str]
    signals: Mapping[str, tuple[LazyPattern, ...]]
    normalize: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def rule_patterns(self) -> tuple[tuple[Rule, LazyPattern], ...]:
        """Every pattern of every rule, in the order in which they are tried."""
        return tuple((rule, pattern) for rule in self.rules for pattern in rule.patterns)

    @cached_property
    def rule_index(self) -> PieceIndex:
        """Finds the members of `rule_patterns` worth searching."""
        patterns = [pattern for _, pattern in self.rule_patterns]
        return PieceIndex([p.needs for p in patterns], [p.further for p in patterns])

    def compile(self, still_wanted: Callable[[], bool] = lambda: True) -> None:
        """Compiles every pattern that is compiled at first use, as long as that is wanted; `PackError` for a malformed
        one."""
        _ = self.rule_index
        for part in vars(self).values():
            for pattern in _patterns_in(part):
                if not still_wanted():
                    return
                _ = pattern.regex
