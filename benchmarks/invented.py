"""A made-up language and made-up vectors with the statistics that matter for speed. Seeded; no text of anybody's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FUNCTION_WORDS = (
    "the of and to a in is it you that he was for on are with as I his they be at one have this from or had by but "
    "what some we can out other were all there when up use your how said an each she which do their if will way about "
    "many then them would so these her like him into has more no could my than been who its now did get come made may"
).split()
"""The commonest English words: about half of all words that are said."""
_ONSETS = "b br d dr f g gl h j k kl l m n p pr r s sk st t tr v w z".split()
_VOWELS = "a e i o u ai ea oo ou".split()
_CODAS = ["", "l", "m", "n", "r", "s", "t", "nd", "rk", "st"]
_ZIPF_SHIFT = 2.7  # Mandelbrot's correction: the commonest words are less common than 1/rank says
_ZIPF_POWER = 1.05


class Language:
    """Function words and invented ones in order of rank; the rank decides how often a word is said."""

    def __init__(self, rng: np.random.Generator, *, words: int, names: int) -> None:
        self._rng = rng
        invented = self._forms(words)
        self.words = [*FUNCTION_WORDS, *invented]
        self.names = [form.capitalize() for form in self._forms(names)]
        ranks = np.arange(1, len(self.words) + 1)
        shares = (ranks + _ZIPF_SHIFT) ** -_ZIPF_POWER
        self._cumulated = np.cumsum(shares / shares.sum())

    def _forms(self, count: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            picks = self._rng.random((count, 3, 3))
            parts = self._rng.integers(2, 4, count)
            for row, number in zip(picks, parts, strict=True):
                syllables = (
                    kind[int(share * len(kind))]
                    for syllable in row[:number]
                    for kind, share in zip((_ONSETS, _VOWELS, _CODAS), syllable, strict=True)
                )
                found["".join(syllables)] = None
        return list(found)[:count]

    def _drawn(self, rng: np.random.Generator, count: int, low: float = 0.0) -> list[str]:
        ranks = np.searchsorted(self._cumulated, rng.uniform(low, 1.0, count))
        return [self.words[min(int(rank), len(self.words) - 1)] for rank in ranks]

    def sentence(self, words: int) -> str:
        return " ".join(self._drawn(self._rng, words)) + "."

    def content_words(self, rng: np.random.Generator, count: int) -> str:
        """Words that are not function words, as often as they are said."""
        return " ".join(self._drawn(rng, count, low=float(self._cumulated[len(FUNCTION_WORDS) - 1])))

    def name(self, rng: np.random.Generator | None = None) -> str:
        return str((rng or self._rng).choice(self.names))


class Vectors:
    """Unit rows around topics in a narrow cone, as sentence embedders make them: unrelated rows have a cosine of about
    0.75, rows of one topic of about 0.87."""

    _TOPICS = 64
    _COMMON, _TOPIC, _OWN = 0.866, 0.35, 0.36

    def __init__(self, rng: np.random.Generator, width: int) -> None:
        self._common = self._unit(rng, 1, width)
        self._topics = self._unit(rng, self._TOPICS, width)
        self._width = width

    def rows(self, rng: np.random.Generator, count: int) -> NDArray[np.float32]:
        topics = self._topics[rng.integers(self._TOPICS, size=count)]
        own = self._unit(rng, count, self._width)
        rows = self._COMMON * self._common + self._TOPIC * topics + self._OWN * own
        unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return unit

    @staticmethod
    def _unit(rng: np.random.Generator, count: int, width: int) -> NDArray[np.float32]:
        rows = rng.standard_normal((count, width)).astype(np.float32)
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit
