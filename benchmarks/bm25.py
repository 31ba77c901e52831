"""The baselines of the quality table: BM25 over stemmed turns, and the newest turns."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import Stemmer

STOPWORDS = frozenset(
    "a an the of to in on at for and or but is are was were be been being do does did has have had i you he she it we "
    "they my your his her its our their this that these those with from by as what when where who which how why would "
    "could should will can may might not no so if than then there here about into over after before s t".split()
)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")
_stemmer = Stemmer.Stemmer("english")


def stems(text: str) -> list[str]:
    return [str(w) for w in _stemmer.stemWords([w for w in _WORD.findall(text.lower()) if w not in STOPWORDS])]


class Bm25:
    """Turns ranked by BM25 with the usual parameters for short texts."""

    def __init__(self, turns: Mapping[str, str], *, k1: float = 0.9, b: float = 0.4) -> None:
        self._ids = list(turns)
        self._k1, self._b = k1, b
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for row, text in enumerate(turns.values()):
            words = stems(text)
            self._lengths.append(max(1, len(words)))
            for word, count in Counter(words).items():
                self._postings[word].append((row, count))
        self._average = sum(self._lengths) / max(1, len(self._lengths))

    def scores(self, question: str) -> dict[str, float]:
        """The score of every turn, in the order of the turns."""
        scores = [0.0] * len(self._ids)
        for word in set(stems(question)):
            found = self._postings.get(word, [])
            idf = math.log(1 + (len(self._ids) - len(found) + 0.5) / (len(found) + 0.5))
            for row, count in found:
                relative = 1 - self._b + self._b * self._lengths[row] / self._average
                scores[row] += idf * count * (self._k1 + 1) / (count + self._k1 * relative)
        return dict(zip(self._ids, scores, strict=True))

    def ranked(self, question: str) -> list[str]:
        """All turns, best first; of equal ones the earlier first."""
        scores = self.scores(question)
        return sorted(scores, key=lambda turn: -scores[turn])


def with_neighbours(turns: Mapping[str, str], sessions: Mapping[str, str]) -> dict[str, str]:
    """Each turn together with the one before and the one after it in its session."""
    ids = list(turns)
    return {
        turn: " ".join(turns[other] for other in ids[max(0, row - 1) : row + 2] if sessions[other] == sessions[turn])
        for row, turn in enumerate(ids)
    }


def packed(ranking: Sequence[str], lines: Mapping[str, str], budget: int) -> str:
    """The turns' lines from the best on, while they fit into so many words and marks."""
    chosen: list[str] = []
    used = 0
    for turn in ranking:
        size = len(_TOKEN.findall(lines[turn]))
        if used + size > budget:
            break
        chosen.append(lines[turn])
        used += size
    return "\n".join(chosen)
