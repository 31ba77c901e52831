"""Applying a pack's rules to one clause."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from selfimprint.engine.extraction.candidates import Candidate
from selfimprint.engine.extraction.clauses import Clause, any_match
from selfimprint.engine.extraction.dates import DateSpan
from selfimprint.engine.extraction.importance import importance
from selfimprint.engine.extraction.numbers import parse_number
from selfimprint.engine.extraction.packs.model import Pack, Rule
from selfimprint.engine.extraction.persons import Referents
from selfimprint.engine.extraction.segments import FILLER
from selfimprint.engine.extraction.settings import ExtractionSettings
from selfimprint.engine.graph import SELF, NodeType
from selfimprint.engine.slots import is_sensitive, is_single

_EDGE = " \t\n,;:.!?-–—()\"'"
_VALUE_GROUPS = ("value", "place", "person", "n", "rel")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseContext:
    """What the rules need to know around a clause. `message` is the original text, for content in own words."""

    message: str
    clause: Clause
    dates: tuple[DateSpan, ...]
    valence: float
    pack: Pack
    settings: ExtractionSettings


def clean_value(raw: str, pack: Pack, dates: tuple[DateSpan, ...], at: int) -> str:
    """The value without articles, fillers and date expressions at its ends; empty when nothing worth keeping is left.

    `at` is where the value starts in the clause."""
    value = raw
    for span in dates if not any(d.recurring for d in dates) else ():  # when it recurs is part of what a habit is
        if at < span.start < at + len(raw):
            value = value[: span.start - at]
            break
        if at == span.start:
            value = value[span.end - at :]
    value = value.strip(_EDGE)
    for _ in range(3):
        before = value
        left = pack.value_strip_left.search(value)
        if left and left.start() == 0:
            value = value[left.end() :].strip(_EDGE)
        for right in pack.value_strip_right.finditer(value):
            if right.end() == len(value):
                value = value[: right.start()].strip(_EDGE)
        if value == before:
            break
    value = re.sub(r"\s+", " ", value)
    return "" if value.casefold() in pack.not_values or FILLER in value else value


_OLDEST = 122  # Jeanne Calment
_HELD_BESIDE = ("role", "employer")
"""Slots of which somebody may fill a second one for some hours a week."""


def _raw_value(rule: Rule, match: re.Match[str]) -> tuple[str, int]:
    groups = match.groupdict()
    if rule.value and not rule.value.startswith("@"):
        return rule.value, -1
    names = (rule.value[1:],) if rule.value else _VALUE_GROUPS
    for name in names:
        if groups.get(name):
            return str(groups[name]), match.start(name)
    return "", -1


def _values(rule: Rule, match: re.Match[str], context: ClauseContext, referents: Referents) -> tuple[str, ...]:
    raw, at = _raw_value(rule, match)
    if at < 0:
        return (raw,)
    pack = context.pack
    groups = match.groupdict()
    if any((groups.get(name) or "").casefold() in pack.not_places for name in ("place", "prev")):
        return ()
    parts: list[tuple[str, int]] = [(raw, at)]
    if rule.split:
        parts, start = [], 0
        for separator in pack.list_separator.finditer(raw):
            parts.append((raw[start : separator.start()], at + start))
            start = separator.end()
        parts.append((raw[start:], at + start))
    cleaned = (clean_value(part, pack, context.dates, position) for part, position in parts)
    cleaned = (v for v in cleaned if len(v) > 1 or v.isdigit() or (v and not v.isascii()))  # no rest of a cut word
    named = (referents.spell_out(v) if rule.resolve else v for v in cleaned)
    return tuple(v for v in (_age(n, pack) if rule.slot == "age" else n for n in named if n) if v)


def _age(text: str, pack: Pack) -> str:
    """In digits; empty for what nobody has lived to be."""
    number = parse_number(text, pack.numbers)
    if number is not None and not 0 < number <= _OLDEST:
        return ""
    return text if number is None else f"{number:g}"


def _build(rule: Rule, match: re.Match[str], value: str, subject: str, context: ClauseContext) -> list[Candidate]:
    groups = {k: v for k, v in match.groupdict().items() if v}
    clause, pack = context.clause, context.pack
    if (
        rule.slot == "diet"
        and rule.polarity > 0
        and _has_word(match[0], pack.negations)
        and not _has_word(value, pack.negations)
    ):
        value = pack.without.format(value=value)
    dated = next((d for d in context.dates if d.when), None)
    recurring = rule.recurring or any(d.recurring for d in context.dates)
    person = groups.get("person", "").strip()
    base = Candidate(
        type=rule.type,
        content=context.message[clause.start : clause.end].strip(),
        start=clause.start,
        end=clause.end,
        subject=subject,
        slot=rule.slot,
        value=value,
        polarity=_polarity(rule, clause.text, pack),
        previous=clean_value(groups.get("prev", ""), pack, (), 0),
        relation=(rule.relation or groups.get("rel", "")).casefold(),
        persons=(person,) if person else (),
        place=clean_value(
            groups.get("place", ""), pack, context.dates, match.start("place") if "place" in groups else 0
        ),
        when=dated.when if dated else None,
        when_text=dated.text if dated else "",
        recurring=recurring,
        modality="reported" if clause.modality == "reported" else "stated",
        valence=context.valence if rule.valence is None else rule.valence,
        importance=importance(clause.text, rule.type, rule.slot, rule.importance, pack, context.settings),
        sensitive=is_sensitive(rule.slot),
        since=dated.when[0] if dated and dated.when and rule.polarity > 0 and rule.type is NodeType.FACT else None,
        until=dated.when[0] if dated and dated.when and rule.polarity < 0 and rule.type is NodeType.FACT else None,
        reason=rule.id,
        beside=rule.slot in _HELD_BESIDE and rule.polarity > 0 and any_match(pack.guards["beside"], clause.text),
        whichever=rule.polarity < 0 and bool(rule.value) and not rule.value.startswith("@"),
    )
    if rule.also is None:
        return [base]
    extra = replace(
        base,
        type=rule.also,
        slot=rule.also_slot,
        value=rule.also_value,
        previous="",
        polarity=1,
        since=None,
        until=None,
        importance=importance(clause.text, rule.also, rule.also_slot, None, pack, context.settings),
        sensitive=base.sensitive,
        reason=f"{rule.id}+{rule.also.value}",
    )
    return [base, extra]


def _fits(rule: Rule, text: str) -> bool:
    if any(pattern.search(text) for pattern in rule.excludes):
        return False
    return not rule.requires or any(pattern.search(text) for pattern in rule.requires)


def _allowed(rule: Rule, clause: Clause, subject: str) -> bool:
    if clause.modality in rule.modalities:
        return True
    return clause.modality == "reported" and subject != SELF and "stated" in rule.modalities


def apply_rules(context: ClauseContext, referents: Referents) -> tuple[list[Candidate], list[str]]:
    """The candidates of one clause and the signals its rules raise; the first rule that fills a slot wins it."""
    text, patterns = context.clause.text, context.pack.rule_patterns
    found: list[Candidate] = []
    signals: list[str] = []
    blocked: set[str] = set()
    spoken: Rule | None = None
    for position in context.pack.rule_index.hits(text):
        rule, pattern = patterns[position]
        if rule is spoken or not _may_speak(rule, context, found, blocked):
            continue
        for match in pattern.regex.finditer(text) if rule.many else [pattern.regex.search(text)]:
            if match is None:
                continue
            who = match.groupdict().get("who")
            subject = referents.subject(who) if who else SELF
            if not subject or not _allowed(rule, context.clause, subject) or not _fits(rule, text):
                continue
            new = [
                c for v in _values(rule, match, context, referents) for c in _build(rule, match, v, subject, context)
            ]
            if not new:
                continue
            found += [c for c in new if not any(_same_claim(c, old) for old in found)]
            blocked |= rule.blocks
            if rule.signal:
                signals.append(rule.signal)
            if not rule.many:
                spoken = rule
                break
    return found, signals


def _may_speak(rule: Rule, context: ClauseContext, found: list[Candidate], blocked: set[str]) -> bool:
    modality = context.clause.modality
    if modality not in rule.modalities and modality != "reported":
        return False
    if rule.needs_date and not any(d.when for d in context.dates):
        return False
    if blocked and not blocked.isdisjoint((rule.slot, rule.type.value, rule.id)):
        return False
    return not (rule.weak and any(c.type is rule.type and c.subject == SELF for c in found))


def _same_claim(one: Candidate, other: Candidate) -> bool:
    """Whether the two would become one node: same subject, type and slot, and the same value or a slot with room for
    one."""
    if (one.type, one.subject, one.slot) != (other.type, other.subject, other.slot):
        return False
    if not one.slot or (is_single(one.slot) and one.polarity == other.polarity):
        return True
    a, b = one.value.casefold(), other.value.casefold()
    return a == b or a in b or b in a


_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def denies(text: str, pack: Pack) -> bool:
    """Whether a word of denial stands in it: what did not happen is not what happened."""
    return _has_word(text, pack.denials)


def _has_word(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(word.casefold().replace("’", "'") for word in _WORDS.findall(text))


def _polarity(rule: Rule, text: str, pack: Pack) -> int:
    """An event that is denied counts as negated; what a fact's rule says of its slot stands."""
    return -1 if rule.type is NodeType.EVENT and not rule.slot and denies(text, pack) else rule.polarity
