"""Figures from rankings, contexts and doubts. Pure. k counts turns; a question without gold does not count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bm25 import STOPWORDS

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_ENDINGS = "ingly edly ings ies ing ied ers ed es ly er s".split()
"""Cut as they stand, the first that fits: this metric's own rule, so that figures compare with others' by it."""
_SHORTEST_STEM = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    ks: tuple[int, ...] = (5, 10, 20)
    budget: int = 400
    rare: int = 20
    """Evidence counts by its words rarer than one in so many turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A question with what is known of its answer."""

    qid: str
    conv: str
    question: str
    category: str
    evidence: tuple[str, ...]
    answer: str
    answerable: bool


def flat(ranking: Iterable[Any]) -> list[str]:
    """The turns of a ranking in order, each once."""
    turns = (str(t) for item in ranking for t in (item if isinstance(item, list) else [item]))
    return list(dict.fromkeys(turns))


def recall_at(ranking: Iterable[Any], evidence: Sequence[str], k: int) -> float:
    """The share of the evidence among the first k turns."""
    return len(set(flat(ranking)[:k]) & set(evidence)) / len(set(evidence))


def content_words(text: str) -> list[str]:
    """Words that carry meaning, without their endings: the same word in another form counts, a relative does not."""
    return [_without_ending(w) for w in _WORD.findall(text.lower()) if w not in STOPWORDS]


def _without_ending(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


def share(wanted: set[str], text: str, budget: int) -> float | None:
    """Which share of the words is in the first `budget` words and marks of the text; None where none is wanted."""
    have = set(content_words(" ".join(_TOKEN.findall(text)[:budget])))
    return len(wanted & have) / len(wanted) if wanted else None


def rare_words(texts: Mapping[str, str], settings: ScoreSettings) -> dict[str, set[str]]:
    """Each turn's words that at most one in `rare` turns of the conversation has."""
    words = {turn: set(content_words(text)) for turn, text in texts.items()}
    counts = Counter(w for found in words.values() for w in found)
    return {t: {w for w in found if counts[w] * settings.rare < len(texts)} for t, found in words.items()}


def mean(values: Iterable[float | None]) -> float:
    kept = [v for v in values if v is not None]
    return sum(kept) / len(kept) if kept else float("nan")


def auroc(without: Sequence[float], with_evidence: Sequence[float]) -> float:
    """The chance that a case without evidence has the higher doubt; ties count half."""
    pairs = len(without) * len(with_evidence)
    above = sum((a > b) + 0.5 * (a == b) for a in without for b in with_evidence)
    return above / pairs if pairs else float("nan")


def pairs_right(pairs: Sequence[tuple[float, float]]) -> float:
    """Of (doubt without evidence, doubt with it) the share in the right order; ties count half."""
    return mean((a > b) + 0.5 * (a == b) for a, b in pairs)


def table_row(
    name: str,
    golds: Sequence[Gold],
    texts: Mapping[str, Mapping[str, str]],
    ranked: Mapping[str, Sequence[Any]],
    contexts: Mapping[str, str],
    settings: ScoreSettings,
) -> dict[str, Any]:
    """One system's figures over the answerable questions with evidence."""
    kept = [g for g in golds if g.evidence and g.answerable]
    rare = {conv: rare_words(turns, settings) for conv, turns in texts.items()}
    row: dict[str, Any] = {"system": name, "n": len(kept)}
    for k in settings.ks:
        row[f"R@{k}"] = mean(recall_at(ranked.get(g.qid, ()), g.evidence, k) for g in kept)
    answers = [share(set(content_words(g.answer)), contexts.get(g.qid, ""), settings.budget) for g in kept]
    row["answer"] = mean(answers)
    row["full"] = mean(None if a is None else float(a == 1.0) for a in answers)
    row["evidence"] = mean(
        share(set().union(*(rare[g.conv].get(e, set()) for e in g.evidence)), contexts.get(g.qid, ""), settings.budget)
        for g in kept
    )
    return row
