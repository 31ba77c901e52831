"""Judges what a memory made of the lines of the held-out suites: extraction, updates, why-chains. Pure.

The rules of matching are those of `tests/suites/README.md`. How the memory was filled is `suite_runs`' part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from suite_matching import contains_all, is_dated, same, same_person

STORED = ("fact", "event", "open_loop", "person")
"""What must not come of a line that holds nothing; an emotional note is counted apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A node as the judge sees it. `when` is a half-open interval of local ISO dates; `texts` are its proofs."""

    id: str
    type: str
    content: str
    slot: str = ""
    value: str = ""
    subjects: tuple[str, ...] = ("self",)
    denied: bool = False
    current: bool = True
    valence: float = 0.0
    when: tuple[str, str] | None = None
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOutcome:
    """What one line of the extraction suite left in an empty memory; `causes` are (effect, cause) contents."""

    text: str
    kept: tuple[Kept, ...] = ()
    causes: tuple[tuple[str, str], ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One expected item and what became of it: `hit` as expected; `placed` by value in any slot; `stranger` under a
    wrong subject; `dated` None where no date is asked for."""

    type: str
    slot: str
    hit: bool
    placed: bool = False
    stranger: bool = False
    dated: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineVerdict:
    """`slotted` counts the facts with a slot; `expected_facts` of them are exactly what was asked for, `wrong_facts`
    contradict the line: there was nothing to keep, or value, subject or polarity are not those asked in the slot."""

    id: str
    lang: str
    kind: str
    wanted: tuple[Wanted, ...]
    slotted: int
    expected_facts: int
    wrong_facts: int
    empty: bool
    junk: tuple[str, ...]
    moody: bool
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One recalled item: which turn it is or rests on (its number in the story), and whether it is shown as history."""

    turn: int
    history: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryOutcome:
    """`before` and `after` are the facts before and after the last turn; `ranked` answers the question."""

    before: tuple[Kept, ...]
    after: tuple[Kept, ...]
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryVerdict:
    """`held`: the old value was known before the last turn. `newer_first`: the last turn stands above the old one.
    `history_only`: the old one is not shown, or shown as history. `replaced`: a look-alike has superseded."""

    id: str
    lang: str
    kind: str
    slot: str
    has_new: bool
    held: bool
    old_current: bool
    new_current: bool
    newer_first: bool
    history_only: bool
    replaced: bool

    @property
    def changed(self) -> bool:
        """The change has wholly arrived: what was held is over, and what replaces it, if anything, holds."""
        return self.held and not self.old_current and self.new_current


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainVerdict:
    """How many expected links the best chain holds in order, and how many stand anywhere in the context's text."""

    id: str
    lang: str
    links: int
    chained: int
    told: int

    @property
    def whole(self) -> bool:
        return self.chained == self.links


def holds_value(wanted: str, fact: Kept, text: str) -> bool:
    """The value as typed; one that the memory put into other words (a date, a base form) by the claim it came of."""
    if same(wanted, fact.value):
        return True
    return fact.value.casefold() not in text.casefold() and contains_all(wanted, fact.content)


def judge_line(line: Mapping[str, Any], outcome: LineOutcome) -> LineVerdict:
    """One line of the extraction suite."""
    facts = [k for k in outcome.kept if k.type == "fact" and k.slot]
    asked = [e for e in line["expect"] if e["type"] == "fact"]
    expected = [f for f in facts if any(_is_fact(e, f, outcome.text) for e in asked)]
    wrong = facts if not line["expect"] else [f for f in facts if f not in expected and _contradicts(asked, f, outcome)]
    return LineVerdict(
        id=line["id"],
        lang=line["lang"],
        kind=line["kind"],
        wanted=tuple(_judge_item(e, outcome) for e in line["expect"]),
        slotted=len(facts),
        expected_facts=len(expected),
        wrong_facts=len(wrong),
        empty=not line["expect"],
        junk=tuple(sorted({k.type for k in outcome.kept if k.type in STORED})),
        moody=any(k.type == "emotional_note" for k in outcome.kept),
        failed=outcome.failed,
    )


def _is_fact(wanted: Mapping[str, Any], fact: Kept, text: str) -> bool:
    return (
        fact.slot == wanted["slot"]
        and fact.denied == (wanted["polarity"] < 0)
        and same_person(wanted["subject"], fact.subjects)
        and holds_value(wanted["value"], fact, text)
    )


def _contradicts(asked: Sequence[Mapping[str, Any]], fact: Kept, outcome: LineOutcome) -> bool:
    """The fact says otherwise than the line: the asked value of another person or denied, or another value instead."""
    for wanted in asked:
        is_value = holds_value(wanted["value"], fact, outcome.text)
        if fact.slot != wanted["slot"]:
            continue
        if is_value:
            return True
        met = any(_is_fact(wanted, k, outcome.text) for k in outcome.kept if k.type == "fact")
        if not met and same_person(wanted["subject"], fact.subjects) and not fact.denied:
            return True
    return False


def _judge_item(wanted: Mapping[str, Any], outcome: LineOutcome) -> Wanted:
    kind = wanted["type"]
    kept = [k for k in outcome.kept if k.type == kind]
    match kind:
        case "fact":
            valued = [k for k in kept if k.slot and holds_value(wanted["value"], k, outcome.text)]
            hit = any(_is_fact(wanted, k, outcome.text) for k in valued)
            slotted = [k for k in valued if k.slot == wanted["slot"]]
            stranger = bool(slotted) and not any(same_person(wanted["subject"], k.subjects) for k in slotted)
            return Wanted(type=kind, slot=wanted["slot"], hit=hit, placed=bool(valued), stranger=stranger)
        case "event":
            found = [k for k in kept if contains_all(wanted["contains"], k.content)]
            owned = [k for k in found if same_person(wanted["subject"], k.subjects)]
            when = wanted["when"]
            return Wanted(
                type=kind,
                slot="",
                hit=bool(found),
                stranger=bool(found) and not owned,
                dated=None if when is None or not found else any(is_dated(when, k.when) for k in found),
            )
        case "open_loop":
            return Wanted(type=kind, slot="", hit=any(contains_all(wanted["contains"], k.content) for k in kept))
        case "emotional_note":
            hit = any(k.valence * wanted["sign"] > 0 for k in kept)
            return Wanted(type=kind, slot="", hit=hit, placed=bool(kept))
        case "cause":
            hit = any(
                contains_all(wanted["effect_contains"], effect) and contains_all(wanted["cause_contains"], cause)
                for effect, cause in outcome.causes
            )
            return Wanted(type=kind, slot="", hit=hit, placed=bool(outcome.causes))
    raise ValueError(f"unknown expected item {kind}")


def judge_story(case: Mapping[str, Any], outcome: StoryOutcome, *, single: bool) -> StoryVerdict:
    """One case of the updates suite. Where the new value is null, the last turn itself is what is newer."""
    last = len(case["turns"]) - 1
    told = {i for i, t in enumerate(case["turns"][:last]) if contains_all(case["old"], t["text"])} or {0}
    places = {r.turn: i for i, r in reversed(list(enumerate(outcome.ranked)))}
    newer = places.get(last)
    older = min((places[i] for i in told if i in places), default=None)
    held = _current(case, case["old"], outcome.before)
    old_current = _current(case, case["old"], outcome.after)
    new_current = case["new"] is None or _current(case, case["new"], outcome.after)
    return StoryVerdict(
        id=case["id"],
        lang=case["lang"],
        kind=case["kind"],
        slot=case["slot"],
        has_new=case["new"] is not None,
        held=held,
        old_current=old_current,
        new_current=new_current,
        newer_first=newer is not None and (older is None or newer < older),
        history_only=all(r.history for r in outcome.ranked if r.turn in told),
        replaced=(held and not old_current) or (single and case["new"] is not None and new_current),
    )


def _current(case: Mapping[str, Any], value: str, facts: Iterable[Kept]) -> bool:
    text = " ".join(t["text"] for t in case["turns"])
    return any(
        f.slot == case["slot"]
        and f.current
        and not f.denied
        and same_person(case["subject"], f.subjects)
        and holds_value(value, f, text)
        for f in facts
    )


def links_in_order(chain: Sequence[Sequence[str]], nodes: Sequence[Kept]) -> int:
    """How many links the nodes hold, each in a node of its own, in the order of the chain."""
    best = [0] * (len(nodes) + 1)
    for link in chain:
        row = [0]
        for i, node in enumerate(nodes):
            met = any(contains_all(link, text) for text in (node.content, *node.texts))
            row.append(max(row[i], best[i + 1], best[i] + met))
        best = row
    return best[-1]


def judge_chain(case: Mapping[str, Any], chains: Iterable[Sequence[Kept]], context: str) -> ChainVerdict:
    """One case of the why suite: the best of the chains that start where recall leads."""
    links = case["chain"]
    return ChainVerdict(
        id=case["id"],
        lang=case["lang"],
        links=len(links),
        chained=max((links_in_order(links, c) for c in chains), default=0),
        told=sum(contains_all(link, context) for link in links),
    )
