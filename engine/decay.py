"""Forgetting, computed: the weight of a node at any instant is the fold of its touches and coefficient pieces.

Nothing here is run on a timer. Days are decay days: each gap between the owner's messages counts for at most seven
(whitepaper §3.8.1), so a long absence forgets no more than a week does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from selfimprint.engine.graph import DAY_US, CoefficientPiece, Edge, Node, PieceKind, Touch, pinned_at, starting
from selfimprint.engine.settings import DecaySettings


@dataclass(frozen=True, slots=True)
class DecayClock:
    """A monotone clock in decay days over the profile's activity days (UTC day numbers, ascending)."""

    starts: tuple[int, ...]
    readings: tuple[float, ...]
    idle_days_counted: float

    @classmethod
    def of(cls, activity_days: Iterable[int], settings: DecaySettings) -> DecayClock:
        days = sorted(set(activity_days))
        readings: list[float] = []
        reading = 0.0
        for index, day in enumerate(days):
            if index:
                reading += min(day - days[index - 1], settings.idle_days_counted)
            readings.append(reading)
        return cls(tuple(day * DAY_US for day in days), tuple(readings), float(settings.idle_days_counted))

    def read(self, at: int) -> float:
        """Decay days at the instant; differences count, the zero does not."""
        if not self.starts:
            return at / DAY_US
        index = bisect_right(self.starts, at) - 1
        if index < 0:
            return (at - self.starts[0]) / DAY_US
        return self.readings[index] + min((at - self.starts[index]) / DAY_US, self.idle_days_counted)

    def days(self, a: int, b: int) -> float:
        """Decay days from `a` to `b` (never negative)."""
        return max(0.0, self.read(b) - self.read(a))


def day_of(at: int) -> int:
    """The UTC day number of an instant."""
    return at // DAY_US


@dataclass(frozen=True, slots=True)
class Strength:
    """A node's weight right after its last touch, and what it decays by from there: enough to compute it later."""

    weight: float
    since: int
    coefficient: float
    plain: bool
    """True when no piece begins or ends after `since`: weight(t) = weight · coefficient^days."""


def coefficient_at(pieces: tuple[CoefficientPiece, ...], at: int) -> float:
    """The coefficient a day in force at the instant; temporary pieces multiply, a pin overrides them."""
    if pinned_at(pieces, at):
        return 1.0
    base = factor = 1.0
    for piece in sorted(pieces, key=starting):
        if piece.since is not None and piece.since > at:
            break
        if piece.kind is PieceKind.TEMPORARY:
            if piece.until is None or at < piece.until:
                factor *= piece.coefficient
        elif piece.kind in (PieceKind.TYPE, PieceKind.RETYPED):
            base = piece.coefficient
    return min(1.0, base * factor)


def decay_factor(pieces: tuple[CoefficientPiece, ...], a: int, b: int, clock: DecayClock) -> float:
    """What remains of a weight from `a` to `b`: one power per stretch of constant coefficient."""
    if b <= a:
        return 1.0
    bounds = sorted({x for p in pieces for x in (p.since, p.until) if x is not None and a < x < b})
    factor = 1.0
    for start, end in zip([a, *bounds], [*bounds, b], strict=True):
        factor *= coefficient_at(pieces, start) ** clock.days(start, end)
    return factor


def counted_touches(touches: Sequence[Touch], settings: DecaySettings) -> tuple[tuple[Touch, ...], bool]:
    """The touches that count, in instant order, and whether some were dropped by the daily limit (whitepaper §6)."""
    counted: list[Touch] = []
    a_day: dict[int, int] = {}
    flagged = False
    for index, touch in enumerate(sorted(touches)):
        if index:
            day = day_of(touch.at)
            a_day[day] = a_day.get(day, 0) + 1
            if a_day[day] > settings.max_reinforcements_a_day:
                flagged = True
                continue
        counted.append(touch)
    return tuple(counted), flagged


def strength(node: Node, until: int, clock: DecayClock, settings: DecaySettings) -> Strength:
    """Fold all touches up to `until`. The first one starts the node at 1.0, each later one adds 0.15 (§3.3)."""
    touches, _ = counted_touches(node.touches, settings)
    weight, since = 0.0, node.created_at
    for index, touch in enumerate(touches):
        if touch.at > until:
            break
        if index == 0:
            weight = settings.max_weight
        else:
            weight *= decay_factor(node.pieces, since, touch.at, clock)
            weight = min(weight + settings.reinforcement, settings.max_weight)
        since = touch.at
    plain = not any(x is not None and x > since for p in node.pieces for x in (p.since, p.until))
    return Strength(weight, since, coefficient_at(node.pieces, since), plain)


def weight_at(node: Node, at: int, clock: DecayClock, settings: DecaySettings) -> float:
    """The node's weight in [0, 1] at the instant; 0 before its first touch."""
    held = strength(node, at, clock, settings)
    if held.plain:
        return float(held.weight * held.coefficient ** clock.days(held.since, at))
    return held.weight * decay_factor(node.pieces, held.since, at, clock)


def is_active(node: Node, at: int, clock: DecayClock, settings: DecaySettings) -> bool:
    """In the active graph: neither retired nor archived, and still weighing 0.05 or more."""
    if node.retired_at is not None and node.retired_at <= at:
        return False
    if node.archived_at is not None and node.archived_at <= at and node.last_reinforced_at <= node.archived_at:
        return False
    return weight_at(node, at, clock, settings) >= settings.active_from


def edge_confidence_at(edge: Edge, at: int, clock: DecayClock, settings: DecaySettings) -> float:
    """Inferred edges lose 2 % a day since they were last confirmed; observed ones nothing (design §3)."""
    if not edge.is_inferred:
        return edge.confidence
    return float(edge.confidence * settings.inferred_edge_daily ** clock.days(edge.last_confirmed_at, at))


def starting_pieces(coefficient: float) -> tuple[CoefficientPiece, ...]:
    """The one piece that a new node has."""
    return (CoefficientPiece(since=None, coefficient=coefficient, kind=PieceKind.TYPE),)
