"""From a pack's merged TOML tables to a `Pack`: macro expansion, validation, lexicons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from selfimprint.engine.extraction.candidates import Modality
from selfimprint.engine.extraction.packs.literals import Needs, read_needs
from selfimprint.engine.extraction.packs.model import DateRule, LazyPattern, Lexicon, LinkRule, Pack, PackError, Rule
from selfimprint.engine.graph import NodeType
from selfimprint.engine.slots import SLOTS

_MACRO = re.compile(r"\{([A-Z][A-Z_]*)\}")
_MAX_DEPTH = 12
_STEM_LENGTH = 3
CONNECTIVE_KINDS = ("cause", "effect", "then", "after", "before", "condition", "plain")
GUARD_KINDS = ("message", "sentence", "question", "hypothetical", "reported", "sarcasm", "command", "beside", "past")
MODALITIES = ("stated", "hypothetical", "reported", "question")
DATE_KINDS = (
    "day", "span", "ago", "ahead", "weekday", "month_day", "month", "year", "numeric", "iso", "clock", "recurring",
)  # fmt: skip
_TABLES = frozenset(
    "language macros words clauses guards persons relations values numbers months weekdays units date feelings valence "
    "importance rule link signals normalize".split()
)
_RULE_KEYS = frozenset(
    "id type slot patterns not polarity value importance in also also_slot also_value relation blocks weak split "
    "many needs_date recurring signal valence resolve with".split()
)
_BUILT_IN = {
    "CAP": r"(?-i:(?!I(?:'|\b))[A-ZÀ-ÖØ-ÞĀŁŚŠŽČĆĐĒĢĪĶĻŅŪŹŻА-ЯЁ]\w*(?:['.-](?!s\b)\w+)*)",
    "W": r"[^\W\d_][\w'’-]*",
    "NUM": r"\d+(?:[.,]\d+)?",
    "END": r"(?=\s*(?:[.,;:!?)\n]|$))",
}


def expand(template: str, macros: Mapping[str, str], where: str, depth: int = 0) -> str:
    """The template with every `{MACRO}` replaced, each wrapped in a group."""
    if depth > _MAX_DEPTH:
        raise PackError(f"{where}: macros nest too deep")

    def one(match: re.Match[str]) -> str:
        name = match[1]
        if name not in macros:
            raise PackError(f"{where}: unknown macro {{{name}}}")
        return f"(?:{expand(macros[name], macros, where, depth + 1)})"

    return _MACRO.sub(one, template)


def _spaces(source: str) -> str:
    return source.replace(" ?", r"\s*").replace(" ", r"\s+")


class _Builder:
    def __init__(self, data: dict[str, Any]) -> None:
        unknown = set(data) - _TABLES
        if unknown:
            raise PackError(f"unknown tables: {sorted(unknown)}")
        self.data = data
        self.needs_cache: dict[str, Needs] = {}
        words = {name.upper(): _alternation(value) for name, value in data.get("words", {}).items()}
        relations = {word for group in data.get("relations", {}).values() for word in _terms(group)}
        tables = {name: _alternation(" | ".join(data.get(name, {}))) for name in ("numbers", "months", "weekdays")}
        units = _alternation(" | ".join(term for group in data.get("units", {}).values() for term in _terms(group)))
        self.macros: dict[str, str] = {
            **_BUILT_IN,
            "RELATION": _alternation(" | ".join(relations)),
            "NUMBER": tables["numbers"] + r"|\d+",
            "MONTH": tables["months"],
            "WEEKDAY": tables["weekdays"],
            "UNIT": units,
            **words,
            **data.get("macros", {}),
        }

    def pattern(self, template: str, where: str, *, bounded: bool = True) -> LazyPattern:
        source = _spaces(expand(template, self.macros, where))
        if bounded:
            left = r"(?<!\w)" if template[:1].isalnum() or (template[:1] in "({'" and template[:3] != "(?<") else ""
            right = "" if template.endswith((r"\b", "{END}")) or template[-1:] in '$ +*?."' else r"(?!\w)"
            source = f"{left}(?:{source}){right}"
        return LazyPattern(source, where, *read_needs(template, self.macros, self.needs_cache))

    def patterns(self, value: str | list[str], where: str) -> tuple[LazyPattern, ...]:
        templates = [value] if isinstance(value, str) else value
        return tuple(self.pattern(template, where) for template in templates)

    def union(self, value: str | list[str], where: str) -> LazyPattern:
        templates = [value] if isinstance(value, str) else value
        return self.pattern("(?:" + "|".join(templates) + ")" if templates else r"(?!)", where)

    def rule(self, raw: dict[str, Any]) -> Rule:
        where = f"rule {raw.get('id', '?')}"
        unknown = set(raw) - _RULE_KEYS
        if unknown or "id" not in raw or "patterns" not in raw:
            raise PackError(f"{where}: needs id and patterns; unknown keys {sorted(unknown)}")
        slot = raw.get("slot", "")
        for name in (slot, raw.get("also_slot", "")):
            if name and name not in SLOTS:
                raise PackError(f"{where}: unknown slot {name!r}")
        modalities = raw.get("in", ["stated"])
        patterns = self.patterns(raw["patterns"], where)
        if not set(modalities) <= set(MODALITIES):
            raise PackError(f"{where}: unknown modality in {modalities}")
        return Rule(
            id=raw["id"],
            type=NodeType(raw.get("type", "fact")),
            patterns=patterns,
            slot=slot,
            excludes=self.patterns(raw.get("not", []), where),
            polarity=raw.get("polarity", 1),
            value=raw.get("value", ""),
            importance=raw.get("importance"),
            modalities=frozenset(cast("list[Modality]", modalities)),
            also=NodeType(raw["also"]) if "also" in raw else None,
            also_slot=raw.get("also_slot", ""),
            also_value=raw.get("also_value", ""),
            relation=raw.get("relation", ""),
            blocks=frozenset(raw.get("blocks", [])),
            weak=raw.get("weak", False),
            split=raw.get("split", False),
            many=raw.get("many", False),
            needs_date=raw.get("needs_date", False),
            recurring=raw.get("recurring", False),
            signal=raw.get("signal", ""),
            valence=raw.get("valence"),
            resolve=raw.get("resolve", False),
            requires=self.patterns(raw.get("with", []), where),
        )

    def date(self, raw: dict[str, Any]) -> list[DateRule]:
        if raw.get("kind") not in DATE_KINDS:
            raise PackError(f"date {raw}: kind must be one of {DATE_KINDS}")
        where = f"date {raw['kind']}"
        return [
            DateRule(kind=raw["kind"], pattern=pattern, shift=raw.get("shift", 0), unit=raw.get("unit", ""))
            for pattern in self.patterns(raw["patterns"], where)
        ]

    def connectives(self, table: dict[str, Any], where: str) -> LazyPattern:
        parts = [
            f"(?P<{kind}>" + "|".join(self.pattern(t, where).source for t in table[kind]) + ")"
            for kind in CONNECTIVE_KINDS
            if table.get(kind)
        ]
        # A connective begins at a word or is none: saying so once spares trying each of them at every letter.
        return LazyPattern(r"(?:(?<!\w)|(?=\W))(?:" + "|".join(parts) + ")" if parts else r"(?!)", where)

    def build(self) -> Pack:
        data = self.data
        clauses, values, persons = data.get("clauses", {}), data.get("values", {}), data.get("persons", {})
        guards = data.get("guards", {})
        if set(guards) - set(GUARD_KINDS):
            raise PackError(f"unknown guards: {sorted(set(guards) - set(GUARD_KINDS))}")
        comma = clauses.get("comma_before")
        return Pack(
            language=data["language"],
            rules=tuple(sorted((self.rule(raw) for raw in data.get("rule", [])), key=lambda rule: rule.weak)),
            links=tuple(
                LinkRule(pattern=pattern, confidence=raw.get("confidence", 0.95))
                for raw in data.get("link", [])
                for pattern in self.patterns(raw["patterns"], "link")
            ),
            connectives=self.connectives(clauses.get("inner", {}), "clauses.inner"),
            leading=self.connectives(clauses.get("leading", {}), "clauses.leading"),
            guards={kind: self.patterns(guards.get(kind, []), f"guards.{kind}") for kind in GUARD_KINDS},
            subject=self.union(clauses.get("subject", []), "clauses.subject"),
            first_person=self.union(clauses.get("first_person", []), "clauses.first_person"),
            surroundings=self.union(clauses.get("surroundings", []), "clauses.surroundings"),
            elided=self.union(clauses.get("elided", []), "clauses.elided"),
            elided_prefix=clauses.get("elided_prefix", ""),
            elisions=tuple(
                (prefix, self.union(group, "clauses.elisions")) for prefix, group in clauses.get("elisions", {}).items()
            ),
            main_start=self.patterns(clauses.get("main_start", []), "clauses.main_start"),
            clause_comma=self.pattern(comma, "clauses.comma_before", bounded=False) if comma else None,
            mentions=self.patterns(persons.get("mentions", []), "persons.mentions"),
            relations={word: slot for slot, group in data.get("relations", {}).items() for word in _terms(group)},
            pronouns=frozenset(_terms(persons.get("pronouns", ""))),
            naming=self.patterns(persons.get("naming", []), "persons.naming"),
            genders={word: kind for kind, group in persons.get("genders", {}).items() for word in _terms(group)},
            bare_relations=frozenset(_terms(persons.get("bare", ""))),
            ended_relations=frozenset(_terms(persons.get("ended", ""))),
            object_pronouns=dict(persons.get("objects", {})),
            not_names=frozenset(_terms(persons.get("not_names", ""))),
            value_strip_left=self.pattern(values.get("strip_left", r"(?!)"), "values.strip_left"),
            value_strip_right=self.pattern(values.get("strip_right", r"(?!)"), "values.strip_right"),
            not_values=frozenset(_terms(values.get("not", ""))) | _days(data.get("weekdays", {})),
            without=values.get("without", "{value}"),
            not_places=frozenset(_terms(values.get("not_place", ""))),
            list_separator=self.pattern(values.get("list_separator", r","), "values.list_separator", bounded=False),
            numbers={key: int(value) for key, value in data.get("numbers", {}).items()},
            months=dict(data.get("months", {})),
            weekdays=dict(data.get("weekdays", {})),
            units={word: unit for unit, group in data.get("units", {}).items() for word in _terms(group)},
            dates=tuple(rule for raw in data.get("date", []) for rule in self.date(raw)),
            feelings=_lexicon(data.get("feelings", {}).get("words", {})),
            valence=_lexicon(data.get("valence", {}).get("words", {})),
            negations=frozenset(_terms(data.get("valence", {}).get("negations", ""))),
            denials=frozenset(_terms(data.get("valence", {}).get("denials", ""))),
            intensifiers=frozenset(_terms(data.get("valence", {}).get("intensifiers", ""))),
            diminishers=frozenset(_terms(data.get("valence", {}).get("diminishers", ""))),
            not_felt=self.patterns(data.get("feelings", {}).get("not", []), "feelings.not"),
            experiencer=self.union(data.get("feelings", {}).get("experiencer", []), "feelings.experiencer"),
            importance=tuple(
                (float(raw["at"]), self.patterns(raw["patterns"], "importance")) for raw in data.get("importance", [])
            ),
            abbreviations=frozenset(_terms(clauses.get("abbreviations", ""))),
            signals={name: self.patterns(value, f"signals.{name}") for name, value in data.get("signals", {}).items()},
            normalize={ord(key): value for key, value in data.get("normalize", {}).items()},
        )


def _terms(text: str) -> list[str]:
    return [term.strip() for term in text.split("|") if term.strip()]


def _alternation(text: str) -> str:
    terms = sorted(_terms(text), key=lambda term: (-len(term), term))
    torn = [term for term in terms if term.count("(") != term.count(")")]
    if torn:
        raise PackError(f"[words] splits at every |, also in brackets; write a macro for: {torn[0]}")
    return "|".join(terms) or r"(?!)"


def _days(weekdays: Mapping[str, int]) -> frozenset[str]:
    """Days of the week, also in the plural of most languages: who loves Fridays has told nothing of themselves."""
    return frozenset(day + ending for day in weekdays for ending in ("", "s", "e", "id"))


def _lexicon(table: Mapping[str, str]) -> Lexicon:
    words: dict[str, float] = {}
    stems: dict[str, tuple[tuple[str, float], ...]] = {}
    for weight, group in table.items():
        for term in _terms(group):
            if term.endswith("*"):
                stem = term[:-1].casefold()
                if len(stem) < _STEM_LENGTH:
                    raise PackError(f"a stem needs three letters: {term}")
                group_of = (*stems.get(stem[:_STEM_LENGTH], ()), (stem, float(weight)))
                stems[stem[:_STEM_LENGTH]] = tuple(sorted(group_of, key=lambda item: -len(item[0])))
            else:
                words[term.casefold()] = float(weight)
    return Lexicon(words=words, stems=stems)


def build_pack(data: dict[str, Any]) -> Pack:
    """A validated pack; `PackError` names the offending table, rule or macro."""
    if not isinstance(data.get("language"), str):
        raise PackError("a pack needs `language`")
    return _Builder(data).build()
