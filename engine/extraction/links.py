"""Discourse edges: which clause the speaker gave as the cause of which, and what came after what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from selfimprint.engine.extraction.clauses import Clause

LinkKind = Literal["cause", "order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseLink:
    """`first` causes or precedes `second`; both are indices of clauses."""

    first: int
    second: int
    kind: LinkKind


def clause_links(clauses: tuple[Clause, ...]) -> tuple[ClauseLink, ...]:
    """The links the connectives state, reaching over a sentence's edge only for a connective that opens a sentence."""
    links: list[ClauseLink] = []
    for i, clause in enumerate(clauses):
        relation = clause.relation
        before = _neighbour(clauses, i, -1)
        after = _neighbour(clauses, i, 1)
        same_sentence_after = after is not None and clauses[after].sentence == clause.sentence
        if relation == "cause" and before is not None:
            links.append(ClauseLink(first=i, second=before, kind="cause"))
        elif relation == "fronted-cause":
            if same_sentence_after and after is not None:
                links.append(ClauseLink(first=i, second=after, kind="cause"))
            elif before is not None:
                links.append(ClauseLink(first=i, second=before, kind="cause"))
        elif relation in ("effect", "fronted-effect") and before is not None:
            links.append(ClauseLink(first=before, second=i, kind="cause"))
        elif relation in ("then", "fronted-then") and before is not None:
            links.append(ClauseLink(first=before, second=i, kind="order"))
        elif relation == "after" and before is not None:
            links.append(ClauseLink(first=i, second=before, kind="order"))
        elif relation == "before" and before is not None:
            links.append(ClauseLink(first=before, second=i, kind="order"))
        elif relation == "fronted-after" and same_sentence_after and after is not None:
            links.append(ClauseLink(first=i, second=after, kind="order"))
        elif relation == "fronted-before" and same_sentence_after and after is not None:
            links.append(ClauseLink(first=after, second=i, kind="order"))
    return tuple(links)


def _neighbour(clauses: tuple[Clause, ...], index: int, step: int) -> int | None:
    """The next clause in a direction, at most one sentence away."""
    other = index + step
    if 0 <= other < len(clauses) and abs(clauses[other].sentence - clauses[index].sentence) <= 1:
        return other
    return None
