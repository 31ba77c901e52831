"""Valence by lexicon, with negation and degree words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selfimprint.engine.extraction.packs.model import Pack
from selfimprint.engine.extraction.settings import ExtractionSettings

_WORD = re.compile(r"[^\W\d_][\w'-]*|[:;]-?[()D]|[\U0001F600-\U0001F64F❤💔🎉]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeling:
    """A weighted word found in a text, after negation and degree; `is_feeling` for words that name an inner state."""

    word: str
    start: int
    valence: float
    is_feeling: bool


def _hits(text: str, pack: Pack, settings: ExtractionSettings) -> list[Feeling]:
    words = [(m[0].casefold(), m.start()) for m in _WORD.finditer(text)]
    found: list[Feeling] = []
    for i, (word, start) in enumerate(words):
        if not (pack.feelings.may_know(word) or pack.valence.may_know(word)):
            continue
        weight, is_feeling = pack.feelings.weight(word), True
        if not weight:
            weight, is_feeling = pack.valence.weight(word), False
        if not weight:
            continue
        before = [w for w, _ in words[max(0, i - settings.negation_window_words) : i]]
        if before and before[-1] in pack.intensifiers:
            weight *= settings.intensifier_factor
        if before and before[-1] in pack.diminishers:
            weight *= settings.diminisher_factor
        if any(w in pack.negations for w in before):
            weight *= settings.negation_factor
        found.append(Feeling(word=word, start=start, valence=max(-1.0, min(1.0, weight)), is_feeling=is_feeling))
    return found


def _combined(weights: list[float]) -> float:
    """The strongest word, moved halfway towards the mean of all, so that agreement counts and one word suffices."""
    if not weights:
        return 0.0
    strongest = max(weights, key=abs)
    return round((strongest + sum(weights) / len(weights)) / 2, 3)


def valence(text: str, pack: Pack, settings: ExtractionSettings) -> float:
    """How good or bad the text sounds, −1…1; 0 where no word of the pack's lexicon occurs."""
    return _combined([hit.valence for hit in _hits(text, pack, settings)])


def feelings(text: str, pack: Pack, settings: ExtractionSettings) -> tuple[float, ...]:
    """The valences of the emotional notes a clause deserves: none, one, or a positive and a negative one.

    A note needs a word that names an inner state and reaches the floor of |0.2| (design §3)."""
    hits = _hits(text, pack, settings)
    if not any(hit.is_feeling for hit in hits):
        return ()
    own = [hit.valence for hit in hits if hit.is_feeling]
    good, bad = [v for v in own if v > 0], [v for v in own if v < 0]
    sides = [_combined(side) for side in (good, bad) if side]
    return tuple(v for v in sides if abs(v) >= settings.note_valence_floor)
