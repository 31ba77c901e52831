"""Words that mean much the same: a question's word also matches its neighbours by word vector, at a credit.

Word vectors are single words put through the embedder, centred on the vocabulary's mean (uncentred, all words are
alike). Measured on LoCoMo: cosine above 0.3, credit 0.8 × cosine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSettings:
    """Only the few nearest count: more of them cost time and precision."""

    least_cosine: float = 0.3
    credit: float = 0.8
    most: int = 4


_SETTINGS = NearSettings()


class NearTerms:
    """Index terms with word vectors, and a memory of what was asked."""

    def __init__(self, settings: NearSettings = _SETTINGS) -> None:
        self.settings = settings
        self.terms: list[str] = []
        self.matrix: NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._rows: dict[str, int] = {}
        self._centred: NDArray[np.float32] | None = None
        self._known: dict[str, tuple[tuple[str, float], ...]] = {}

    def __contains__(self, term: object) -> bool:
        return term in self._rows

    def set(self, terms: list[str], matrix: NDArray[np.float32]) -> None:
        """Add word vectors, one row a term; a term that is known keeps the one it has."""
        first: dict[str, int] = {}
        for row, term in enumerate(terms):
            if term and term not in self._rows:
                first.setdefault(term, row)
        if not first:
            return
        chosen = np.nan_to_num(np.asarray(matrix, np.float32)[list(first.values())])
        if self.terms and chosen.shape[1] != self.matrix.shape[1]:
            raise ValueError(f"expected word vectors {self.matrix.shape[1]} wide, got {chosen.shape[1]}")
        self.matrix = np.concatenate((self.matrix, chosen)) if self.terms else chosen
        for term in first:
            self._rows[term] = len(self.terms)
            self.terms.append(term)
        self._centred, self._known = None, {}

    def keep(self, vocabulary: dict[str, int]) -> None:
        """Drop the terms that the index no longer holds."""
        kept = [row for row, term in enumerate(self.terms) if term in vocabulary]
        if len(kept) != len(self.terms):
            self.terms = [self.terms[row] for row in kept]
            self.matrix = self.matrix[kept]
            self._rows = {term: row for row, term in enumerate(self.terms)}
            self._centred, self._known = None, {}

    def near(self, term: str) -> tuple[tuple[str, float], ...]:
        """The nearest other terms with their credit, the nearest first; none for a term without a word vector."""
        row = self._rows.get(term)
        if row is None:
            return ()
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = self._find(row)
        return known

    def _find(self, row: int) -> tuple[tuple[str, float], ...]:
        if self._centred is None:
            centred = self.matrix - self.matrix.mean(axis=0)
            norms = np.linalg.norm(centred, axis=1, keepdims=True)
            self._centred = centred / np.where(norms > 0, norms, 1)
        cosine = self._centred @ self._centred[row]
        cosine[row] = -1.0
        s = self.settings
        near = np.argsort(-cosine, kind="stable")[: s.most]
        return tuple((self.terms[n], s.credit * float(cosine[n])) for n in near.tolist() if cosine[n] > s.least_cosine)
