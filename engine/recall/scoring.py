"""From signals to a score that can be explained: every part keeps its weight beside its signal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.flags import (
    ABOUT_LISTENER,
    ABOUT_SELF,
    HAS_NUMBER,
    HAS_QUESTION,
    HAS_TIME,
    IS_TURN,
)
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.presets import Fusion, Preset
from selfimprint.engine.recall.signals import Array, Signals

_FLAG_VALUES = np.arange(256, dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A named share of the score: `weight * values[slot]`, or a table over the flags of the slot, or a few slots
    only.
    """

    weight: float
    values: NDArray[Any]
    lookup: NDArray[np.integer] | None = None
    only: NDArray[np.intp] | None = None

    def at(self, slots: NDArray[np.intp]) -> list[float]:
        """This part of the score of some slots."""
        if self.lookup is not None:
            values = self.values[self.lookup[slots]]
        elif self.only is not None:
            position = np.minimum(np.searchsorted(self.only, slots), len(self.only) - 1)
            values = np.where(self.only[position] == slots, self.values[position], 0)
        else:
            values = self.values[slots]
        found: list[float] = (self.weight * values.astype(np.float64)).tolist()
        return found


def total(parts: Mapping[str, Part], size: int) -> Array:
    """The sum of all parts; those over flags are summed up in their table first."""
    score = np.zeros(size, np.float32)
    tables = [part for part in parts.values() if part.lookup is not None]
    if tables:
        table = np.zeros(len(_FLAG_VALUES), np.float32)
        for part in tables:
            table += part.values * np.float32(part.weight)
        score += table[tables[0].lookup]
    for part in parts.values():
        weight = np.float32(part.weight)
        if part.only is not None:
            score[part.only] += part.values * weight
        elif part.lookup is None:
            score += part.values * weight
    return score


def _flag_parts(index: HotIndex, fusion: Fusion, cues: QuestionCues, scale: float) -> dict[str, Part]:
    wanted = {
        "time": (HAS_TIME, fusion.time),
        "time_wanted": (HAS_TIME, fusion.time_wanted if cues.wants_time else 0.0),
        "number_wanted": (HAS_NUMBER, fusion.number_wanted if cues.wants_number else 0.0),
        "asks": (HAS_QUESTION, fusion.asks),
        "about_self": (ABOUT_SELF, fusion.about_self),
        "about_listener": (ABOUT_LISTENER, 0.0 if cues.asks_assistant else fusion.about_listener),
    }
    flags = index.columns["flags"].view
    return {
        name: Part(weight=scale * weight, values=(_FLAG_VALUES & bit > 0).astype(np.float32), lookup=flags)
        for name, (bit, weight) in wanted.items()
        if weight
    }


def _fused_parts(
    index: HotIndex, signals: Signals, fusion: Fusion, cues: QuestionCues, scale: float
) -> dict[str, Part]:
    measured = {
        "lexical": (signals.lexical, fusion.lexical),
        "dense": (signals.dense, fusion.dense),
        "dense_window": (signals.dense_window, fusion.dense_window),
        "session": (signals.session, fusion.session),
        "speaker": (signals.speaker, fusion.speaker),
        "date": (signals.date, fusion.date),
        "length": (index.columns["length"].view, fusion.length),
    }
    parts = {
        name: Part(weight=scale * weight, values=values)
        for name, (values, weight) in measured.items()
        if values is not None and weight
    }
    return parts | _flag_parts(index, fusion, cues, scale)


def _strength_parts(index: HotIndex, preset: Preset, now_day: float) -> dict[str, Part]:
    nodes = np.flatnonzero(
        index.columns["alive"].view & index.strengths["active"].view & (index.columns["flags"].view & IS_TURN == 0)
    )
    if not len(nodes):
        return {}
    days = np.maximum(now_day - index.strengths["weight_day"].view[nodes], 0)
    weight = index.strengths["weight"].view[nodes] * index.strengths["coefficient"].view[nodes] ** days.astype(
        np.float32
    )
    idle = np.maximum(now_day - index.strengths["touched_day"].view[nodes], 0).astype(np.float32)
    recency = np.exp2(-idle / np.float32(preset.recency_half_life_days))
    top = float(weight.max()) or 1.0
    return {
        "recency": Part(weight=preset.recency, values=recency, only=nodes),
        "weight": Part(weight=preset.weight, values=weight / np.float32(top), only=nodes),
    }


def score_parts(
    index: HotIndex, signals: Signals, *, preset: Preset, cues: QuestionCues, now_day: float, retired_counts: bool
) -> dict[str, Part]:
    """Every part of the score under its name; their sum is the score."""
    if preset.fusion is not None:
        parts = _fused_parts(index, signals, preset.fusion, cues, preset.similarity)
    else:
        match = signals.similarity
        if match is None:
            match = signals.coverage(np.arange(index.size))
        parts = {"similarity": Part(weight=preset.similarity, values=match)}
    if preset.weight or preset.recency:
        parts |= _strength_parts(index, preset, now_day)
    if preset.retired and retired_counts and not cues.about_past and index.strengths["retired"].view.any():
        parts["retired"] = Part(weight=preset.retired, values=index.strengths["retired"].view)
    return parts
