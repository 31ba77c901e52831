"""Reads the development lines of a language and compares an extraction with what a line asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.graph import EdgeType, NodeType

_TYPES = {"event": NodeType.EVENT, "loop": NodeType.OPEN_LOOP}


@dataclass(frozen=True)
class Line:
    text: str
    wants: tuple[str, ...]


@dataclass
class Verdict:
    """What was found, missed and made without being asked for; `facts` counts the fact candidates."""

    found: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)


def read_lines(path: Path) -> tuple[Line, ...]:
    """The lines of a development file."""
    lines = [raw for raw in path.read_text(encoding="utf-8").splitlines() if raw.strip() and not raw.startswith("#")]
    parts = [raw.split(" => ") for raw in lines]
    return tuple(Line(text=text, wants=tuple(w.strip() for w in wants.split(";"))) for text, wants in parts)


def _fact_matches(want: str, candidate: Candidate) -> bool:
    polarity = -1 if want.startswith("-") else 1
    key, _, value = want.removeprefix("-").partition("=")
    who, _, slot = key.rpartition(".")
    return (
        candidate.slot == slot
        and candidate.polarity == polarity
        and candidate.subject == (f"person:{who}" if who else "self")
        and value.casefold() in candidate.value.casefold()
    )


def judge(line: Line, extraction: Extraction) -> Verdict:
    """Every wish found or missed, every fact that nobody asked for."""
    verdict = Verdict()
    facts = [c for c in extraction.candidates if c.type is NodeType.FACT]
    others = [c for c in extraction.candidates if c.type is not NodeType.PERSON]
    used: set[int] = set()
    for want in line.wants:
        if want == "none":
            ok = not others
        elif want == "*":
            used |= set(range(len(facts)))
            ok = True
        elif want.startswith("!"):
            ok = not any(c.slot == want[1:] and c.polarity > 0 and c.subject == "self" for c in facts)
        elif want.startswith("person:"):
            ok = any(c.type is NodeType.PERSON and c.subject == want for c in extraction.candidates)
        elif want in _TYPES:
            ok = any(c.type is _TYPES[want] for c in extraction.candidates)
        elif want in ("note+", "note-"):
            sign = 1 if want == "note+" else -1
            ok = any(c.type is NodeType.EMOTIONAL_NOTE and c.valence * sign > 0 for c in extraction.candidates)
        elif want in ("cause", "order"):
            kind = EdgeType.CAUSED_BY if want == "cause" else EdgeType.FOLLOWED_BY
            ok = any(link.type is kind for link in extraction.links)
        else:
            hits = [i for i, c in enumerate(facts) if _fact_matches(want, c)]
            used |= set(hits)
            ok = bool(hits)
        (verdict.found if ok else verdict.missed).append(want)
    if "none" not in line.wants:
        verdict.extra = [
            f"{c.subject}.{'-' * (c.polarity < 0)}{c.slot}={c.value} ({c.reason})"
            for i, c in enumerate(facts)
            if i not in used
        ]
    return verdict
