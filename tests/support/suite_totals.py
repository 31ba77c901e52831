"""Adds up the verdicts on the held-out suites into the figures of the report. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from suite_scores import ChainVerdict, LineVerdict, StoryVerdict

ALL = "all"
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """So many of so many."""

    hit: int
    total: int

    @property
    def value(self) -> float:
        """0 of 0 is 0: what was never tried is not good."""
        return self.hit / self.total if self.total else 0.0

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.hit}/{self.total})" if self.total else "–"


def share(outcomes: Iterable[bool]) -> Share:
    found = list(outcomes)
    return Share(hit=sum(found), total=len(found))


def line_figures(lines: Sequence[LineVerdict]) -> dict[str, Share]:
    """The extraction figures over these lines, by name."""
    wanted = [w for line in lines for w in line.wanted]
    slotted = sum(line.slotted for line in lines)
    wrong = sum(line.wrong_facts for line in lines)
    empty = [line for line in lines if line.empty]
    talk = [line for line in lines if line.kind == "smalltalk"]
    facts = [w for w in wanted if w.type == "fact"]
    events = [w for w in wanted if w.type == "event"]
    return {
        "facts: precision": Share(hit=slotted - wrong, total=slotted),
        "facts: strict precision": Share(hit=sum(line.expected_facts for line in lines), total=slotted),
        "facts: recall": share(w.hit for w in facts),
        "facts: value kept in any slot": share(w.placed for w in facts),
        "facts: false subject": share(w.stranger for w in facts if w.stranger or w.hit),
        "events: recall": share(w.hit for w in events),
        "events: date right": share(w.dated for w in events if w.dated is not None),
        "loops: recall": share(w.hit for w in wanted if w.type == "open_loop"),
        "feelings: recall with sign": share(w.hit for w in wanted if w.type == "emotional_note"),
        "causes: recall": share(w.hit for w in wanted if w.type == "cause"),
        "empty lines: junk": share(bool(line.junk) for line in empty),
        "empty lines: feeling noted": share(line.moody for line in empty),
        "small talk: junk": share(bool(line.junk) for line in talk),
        "small talk: feeling noted": share(line.moody for line in talk),
        "lines that failed": share(line.failed for line in lines),
    }


def change_figures(stories: Sequence[StoryVerdict]) -> dict[str, Share]:
    """The figures of the changes; "held" are the cases whose old value was known before the change."""
    changes = [s for s in stories if s.kind == "change"]
    held = [s for s in changes if s.held]
    return {
        "old was held": share(s.held for s in changes),
        "newer above older": share(s.newer_first for s in changes),
        "newer above older, of held": share(s.newer_first for s in held),
        "older only as history": share(s.history_only for s in changes),
        "older only as history, of held": share(s.history_only for s in held),
        "old is over, of held": share(not s.old_current for s in held),
        "change wholly arrived": share(s.changed for s in changes),
        "nothing of it extracted": share(
            not (s.held or s.old_current or (s.new_current and s.has_new)) for s in changes
        ),
    }


def lookalike_figures(stories: Sequence[StoryVerdict]) -> dict[str, Share]:
    """The figures of the look-alikes. Silence supersedes nothing, so the share of held ones stands beside."""
    alike = [s for s in stories if s.kind == "lookalike"]
    held = [s for s in alike if s.held]
    return {
        "old was held": share(s.held for s in alike),
        "false supersession": share(s.replaced for s in alike),
        "false supersession, of held": share(s.replaced for s in held),
    }


def chain_figures(chains: Sequence[ChainVerdict]) -> dict[str, Share]:
    """The figures of the why-chains."""
    return {
        "whole and in order": share(c.whole for c in chains),
        "links in order": Share(hit=sum(c.chained for c in chains), total=sum(c.links for c in chains)),
        "links told in the context": Share(hit=sum(c.told for c in chains), total=sum(c.links for c in chains)),
    }


def columns(
    verdicts: Sequence[V], figures: Callable[[Sequence[V]], dict[str, Share]], key: Callable[[V], str]
) -> dict[str, dict[str, Share]]:
    """The figures over all and for each value of the key, in order of first sight."""
    groups: dict[str, list[V]] = {ALL: list(verdicts)}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return {name: figures(group) for name, group in groups.items()}


def slot_figures(lines: Sequence[LineVerdict]) -> dict[str, Share]:
    """Recall of the slotted facts, slot by slot."""
    wanted: dict[str, list[bool]] = {}
    for line in lines:
        for item in line.wanted:
            if item.slot:
                wanted.setdefault(item.slot, []).append(item.hit)
    return {slot: share(wanted[slot]) for slot in sorted(wanted)}


def junk_figures(lines: Sequence[LineVerdict]) -> dict[str, Share]:
    """The lines with nothing to keep that left something, by what they are and by what was left."""
    empty = [line for line in lines if line.empty]
    kinds = sorted({line.kind for line in empty})
    figures = {f"on {kind}": share(bool(line.junk) for line in empty if line.kind == kind) for kind in kinds}
    types = sorted({t for line in empty for t in line.junk})
    return figures | {f"a node of type {t}": share(t in line.junk for line in empty) for t in types}


def table(figures: Mapping[str, Mapping[str, Share]]) -> str:
    """A Markdown table: a row for each figure, a column for each group."""
    rows = list(dict.fromkeys(name for group in figures.values() for name in group))
    nothing = Share(hit=0, total=0)
    lines = ["| | " + " | ".join(figures) + " |", "|---" * (len(figures) + 1) + "|"]
    for row in rows:
        lines.append(f"| {row} | " + " | ".join(str(group.get(row, nothing)) for group in figures.values()) + " |")
    return "\n".join(lines)
