"""The signals of one question over all items of the index: what ranking adds up, each on [0, 1].

All arrays are indexed by slot. Excluded items are taken out before anything is computed, so that their words lend
nothing to their neighbours, to the session, or to any normalisation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall import analyze
from selfimprint.engine.recall.calibrate import Calibration
from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.dates import DAY_US, DateCue
from selfimprint.engine.recall.flags import BY_ASSISTANT, IS_TURN
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.window import spread

Array = NDArray[np.float32]
Mask = NDArray[np.bool_]
Slots = NDArray[np.intp]
_TIE = 1e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalSettings:
    """How signals are read.

    `spread_sources`: how many of the best matching items lend their meaning to neighbours and session; the rest
    could not matter. An item without a vector, where others have one, is taken to match by `unembedded_share` of its
    lexical match.
    """

    spread_sources: int = 512
    soon_after_days: float = 10.0
    unembedded_share: float = 0.5
    max_question_terms: int = 48
    dense_in_content: float = 0.6
    side_of_date: float = 0.5
    years_back: int = 2
    least_cosine_span: float = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the items of one question measure up to; `None` where the question or the index gives nothing to measure.

    `lexical` is over its greatest value, which is `lexical_top`; `content` is lexical and dense match without any
    cue, `terms` the windowed parts (question terms × items) with their `term_weights`, `similarity` the calibrated
    cosine.
    """

    lexical: Array
    lexical_top: float
    dense: Array | None
    dense_window: Array | None
    session: Array
    speaker: Mask | None
    date: Array | None
    content: Array
    similarity: Array | None
    terms: Array
    term_weights: Array
    named: tuple[int, ...]

    def coverage(self, slots: Slots) -> Array:
        """The share of the question's weight that these items or their windows hold, on [0, 1]."""
        everything = float(self.term_weights.sum())
        if not everything:
            return np.zeros(len(slots), np.float32)
        return self.term_weights @ np.minimum(self.terms[:, slots], np.float32(1)) / np.float32(everything)


def best_slots(values: Array, count: int) -> Slots:
    """The slots of the `count` greatest positive values, in slot order, with all that tie with the last of them."""
    if len(values) <= count:
        return np.flatnonzero(values > 0)
    last = np.partition(values, len(values) - count)[len(values) - count]
    return np.flatnonzero(values > max(float(last) - _TIE, 0.0))


def _spread_best(values: Array, sources: Slots, index: HotIndex) -> Array:
    kept = np.zeros((1, len(values)), np.float32)
    kept[0, sources] = values[sources]
    spread(
        kept,
        np.zeros(len(sources), np.intp),
        sources,
        index.columns["neighbours"].view,
        index.columns["discounts"].view,
    )
    spread_out: Array = kept[0]
    return spread_out


def _session_best(values: Array, sources: Slots, index: HotIndex) -> Array:
    """For every item the best value within its session."""
    sessions = index.columns["session"].view
    best = np.zeros(len(index.sessions.names), np.float32)
    np.maximum.at(best, sessions[sources], values[sources])
    everywhere: Array = best[sessions]
    return everywhere


def _date_signal(index: HotIndex, dates: tuple[DateCue, ...], settings: SignalSettings) -> Array:
    """1 within a named interval, falling off after it: people tell of an event soon after, hardly before."""
    at = index.columns["at_us"].view
    known = at != 0
    event_from, event_to = index.columns["when_us"].view[:, 0], index.columns["when_us"].view[:, 1]
    has_event = event_to > event_from
    signal = np.zeros(len(at), np.float32)
    for cue in dates:
        if cue.relation in ("before", "after"):
            before = cue.relation == "before"
            told = at < cue.start_us if before else at >= cue.end_us
            happened = event_to <= cue.start_us if before else event_from >= cue.end_us
            fits = np.where(has_event, happened, told & known)
            signal = np.maximum(signal, fits * np.float32(settings.side_of_date))
            continue
        for years in range(-settings.years_back, 1) if cue.every_year else (0,):
            shift = int(years * 365.25) * DAY_US
            start, end = cue.start_us + shift, cue.end_us + shift
            days_after = (at - end).astype(np.float32) / np.float32(DAY_US)
            after = np.exp(-np.maximum(days_after, 0) / np.float32(settings.soon_after_days))
            fits = np.where(known & (at >= start), after, np.float32(0))
            happened = has_event & (event_from < end) & (event_to > start)
            signal = np.maximum(signal, np.where(happened, np.float32(1), fits))
    return signal


def _who(index: HotIndex, named: tuple[int, ...]) -> tuple[int, ...]:
    """Of the people that a question names, those who speak here; all of them where none does."""
    if len(named) < 2:
        return named
    turns = index.columns["flags"].view & IS_TURN > 0
    speaking = np.bincount(index.columns["speaker"].view[turns], minlength=max(named) + 1)
    return tuple(person for person in named if speaking[person]) or named


def _terms(index: HotIndex, groups: list[tuple[tuple[str, float], ...]], allowed: Mask | None) -> tuple[Array, Array]:
    """Windowed parts per question word (words × items) and the weight of each word (its inverse document frequency)."""
    terms = np.zeros((len(groups), index.size), np.float32)
    weights = np.zeros(len(groups), np.float32)
    rows: list[Slots] = []
    sources: list[Slots] = []
    own = index.columns["turn"].view < 0  # a node repeats its turn's words: only one of the two counts as a text
    total = max(int(np.count_nonzero(own & index.columns["alive"].view)), 1)
    for row, alternatives in enumerate(groups):
        frequency = 0
        found = 0
        slots = np.empty(0, np.intp)
        for term, credit in alternatives:
            here, parts = index.postings.lookup(term)
            if not len(here):
                continue
            counted = int(np.count_nonzero(own[here] & (parts > 0)))
            if allowed is not None:
                parts = parts * allowed[here]
            terms[row, here] = (
                np.maximum(terms[row, here], parts * np.float32(credit)) if found else parts * np.float32(credit)
            )
            if credit == 1.0 or not frequency:
                frequency = max(frequency, counted)
            slots = here.astype(np.intp)
            found += 1
        if found > 1:
            slots = np.flatnonzero(terms[row])
        weights[row] = np.log1p((total - frequency + 0.5) / (frequency + 0.5)) if found else 0.0
        sources.append(slots)
        rows.append(np.full(len(slots), row, np.intp))
    if groups:
        spread(
            terms,
            np.concatenate(rows),
            np.concatenate(sources),
            index.columns["neighbours"].view,
            index.columns["discounts"].view,
        )
    return terms, weights


def _dense(
    index: HotIndex,
    vector: Array,
    lexical: Array,
    allowed: Mask | None,
    calibration: Calibration,
    settings: SignalSettings,
) -> tuple[Array, Array] | None:
    """Min–max cosine per question, and the calibrated one; None where nothing that counts has a vector."""
    unit = np.nan_to_num(np.asarray(vector, np.float32))
    unit = unit / np.float32(float(np.linalg.norm(unit)) or 1.0)
    slots, cosine = index.vectors.cosines(unit)
    if allowed is not None:
        kept = allowed[slots]
        slots, cosine = slots[kept], cosine[kept]
    if not len(slots):
        return None
    low, high = float(cosine.min()), float(cosine.max())
    dense = lexical * np.float32(settings.unembedded_share)
    dense[slots] = (cosine - np.float32(low)) / np.float32(max(high - low, settings.least_cosine_span))
    similarity = np.zeros(index.size, np.float32)
    similarity[slots] = calibration.similarity(cosine)
    return dense, similarity


def read_signals(
    index: HotIndex,
    *,
    groups: list[tuple[tuple[str, float], ...]],
    vector: Array | None,
    cues: QuestionCues,
    allowed: Mask | None,
    calibration: Calibration,
    settings: SignalSettings,
) -> Signals:
    """All signals of one question; `allowed` marks the items that count at all, None when every living one does.

    `groups` are the question's words, each as the (term, credit) pairs that it may be matched by.
    """
    terms, weights = _terms(index, groups[: settings.max_question_terms], allowed)
    lexical = weights @ terms
    top = float(lexical.max(initial=0.0))
    if top > 0:
        lexical /= np.float32(top)
    dense: Array | None = None
    similarity: Array | None = None
    dense_window: Array | None = None
    content = lexical
    measured = None
    if vector is not None and index.vectors.width == len(vector):
        measured = _dense(index, vector, lexical, allowed, calibration, settings)
    if measured is not None:
        dense, similarity = measured
        dense_window = _spread_best(dense, best_slots(dense, settings.spread_sources), index)
        content = (lexical + np.float32(settings.dense_in_content) * dense) / np.float32(1 + settings.dense_in_content)
    named = _who(index, tuple(index.people.ids[name] for name in cues.named if name in index.people.ids))
    speaker: Mask | None = None
    if cues.asks_assistant:
        speaker = index.columns["flags"].view & BY_ASSISTANT > 0
    elif len(named) == 1:
        speaker = index.columns["subject"].view == named[0]
    return Signals(
        lexical=lexical,
        lexical_top=top,
        dense=dense,
        dense_window=dense_window,
        session=_session_best(content, best_slots(content, settings.spread_sources), index),
        speaker=speaker,
        date=_date_signal(index, cues.dates, settings) if cues.dates else None,
        content=content,
        similarity=similarity,
        terms=terms,
        term_weights=weights,
        named=named,
    )


def question_groups(index: HotIndex, text: str, language: str) -> list[tuple[tuple[str, float], ...]]:
    """A question's words with the index terms that match each: its own forms at full credit, near words at less."""
    groups = []
    for forms in analyze.query_terms(text, language, index.languages.ids):
        near = index.near.near(forms[0])
        groups.append(tuple((form, 1.0) for form in forms) + near)
    return groups
