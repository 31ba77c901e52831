"""From signals to a score that can be explained: every part keeps its weight beside its signal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.index import (
    ABOUT_LISTENER,
    ABOUT_SELF,
    HAS_NUMBER,
    HAS_QUESTION,
    HAS_TIME,
    IS_TURN,
    HotIndex,
)
from selfimprint.engine.recall.presets import Fusion, Preset
from selfimprint.engine.recall.signals import Array, Signals

_FLAG_VALUES = np.arange(256, dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A named share of the score: `weight * values[slot]`, or a table over the flags of the slot, or a few slots only."""

    weight: float
    values: NDArray[np.generic]
    lookup: NDArray[np.integer] | None = None
    only: NDArray[np.intp] | None = None

    def add_to(self, score: Array) -> None:
        """Add this part to a score over all slots."""
        weight = np.float32(self.weight)
        if self.lookup is not None:
            score += (self.values * weight)[self.lookup]
        elif self.only is not None:
            score[self.only] += self.values * weight
        else:
            score += self.values * weight

    def at(self, slot: int) -> float:
        """This part of one slot's score."""
        if self.lookup is not None:
            return self.weight * float(self.values[self.lookup[slot]])
        if self.only is not None:
            position = int(np.searchsorted(self.only, slot))
            there = position < len(self.only) and self.only[position] == slot
            return self.weight * float(self.values[position]) if there else 0.0
        return self.weight * float(self.values[slot])


def _flag_parts(index: HotIndex, fusion: Fusion, cues: QuestionCues, scale: float) -> dict[str, Part]:
    wanted = {
        "time": (HAS_TIME, fusion.time),
        "time_wanted": (HAS_TIME, fusion.time_wanted if cues.wants_time else 0.0),
        "number_wanted": (HAS_NUMBER, fusion.number_wanted if cues.wants_number else 0.0),
        "asks": (HAS_QUESTION, fusion.asks),
        "about_self": (ABOUT_SELF, fusion.about_self),
        "about_listener": (ABOUT_LISTENER, 0.0 if cues.asks_assistant else fusion.about_listener),
    }
    flags = index.flags.view
    return {
        name: Part(weight=scale * weight, values=(_FLAG_VALUES & bit > 0).astype(np.float32), lookup=flags)
        for name, (bit, weight) in wanted.items()
        if weight
    }


def _fused_parts(index: HotIndex, signals: Signals, fusion: Fusion, cues: QuestionCues, scale: float) -> dict[str, Part]:
    measured = {
        "lexical": (signals.lexical, fusion.lexical),
        "dense": (signals.dense, fusion.dense),
        "dense_window": (signals.dense_window, fusion.dense_window),
        "session": (signals.session, fusion.session),
        "speaker": (signals.speaker, fusion.speaker),
        "date": (signals.date, fusion.date),
        "length": (index.length.view, fusion.length),
    }
    parts = {
        name: Part(weight=scale * weight, values=values)
        for name, (values, weight) in measured.items()
        if values is not None and weight
    }
    return parts | _flag_parts(index, fusion, cues, scale)


def _strength_parts(index: HotIndex, preset: Preset, now_day: float) -> dict[str, Part]:
    nodes = np.flatnonzero(index.alive.view & index.active.view & (index.flags.view & IS_TURN == 0))
    if not len(nodes):
        return {}
    days = np.maximum(now_day - index.weight_day.view[nodes], 0)
    weight = index.weight.view[nodes] * index.coefficient.view[nodes] ** days.astype(np.float32)
    idle = np.maximum(now_day - index.touched_day.view[nodes], 0).astype(np.float32)
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
    if preset.retired and retired_counts and not cues.about_past and index.retired.view.any():
        parts["retired"] = Part(weight=preset.retired, values=index.retired.view)
    return parts
