"""Presets of ranking: plain data, one weight a signal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """Weights of the signals that make up fused similarity; every signal lies in [0, 1] before its weight.

    Started from a hand-written recipe, fitted with a pull towards it on three LoCoMo conversations, then rounded;
    `dense_window` and `session` were set by hand and gain less than the noise of that set.
    """

    lexical: float = 1.0
    dense: float = 0.6
    dense_window: float = 0.15
    session: float = 0.15
    speaker: float = 0.35
    date: float = 0.5
    time_wanted: float = 0.25
    number_wanted: float = 0.15
    time: float = 0.07
    length: float = 0.4
    asks: float = -0.1
    about_self: float = 0.05
    about_listener: float = -0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """How a ranking is made. `fusion` None means the calibrated cosine alone, on nodes of the active graph (the
    whitepaper).
    """

    name: str
    similarity: float
    recency: float
    weight: float
    fusion: Fusion | None
    nodes_only: bool
    recency_half_life_days: float = 14.0
    retired: float = 0.0
    archived_cue: float = 0.0


PAPER = Preset(name="paper", similarity=0.5, recency=0.2, weight=0.3, fusion=None, nodes_only=True)
"""Whitepaper §3.4: 0.5 · similarity + 0.2 · recency + 0.3 · weight / max weight, on the active graph."""

DEFAULT = Preset(
    name="default",
    similarity=1.0,
    recency=0.02,
    weight=0.03,
    fusion=Fusion(),
    nodes_only=False,
    retired=-0.1,
    archived_cue=0.35,
)
"""Fused similarity over nodes and turns; a node's strength only tells near ties apart."""

PRESETS: dict[str, Preset] = {preset.name: preset for preset in (PAPER, DEFAULT)}
