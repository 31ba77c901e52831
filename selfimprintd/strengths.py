"""Keeping the hot index's weights true: each node's strength when it changes, all of them as time goes by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from selfimprint.engine.decay import DecayClock, is_active, strength, weight_at
from selfimprint.engine.graph import SELF, Node
from selfimprint.engine.ports import Clock
from selfimprint.engine.recall.flags import IS_TURN
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.settings import DecaySettings
from selfimprint.engine.state import GraphState
from selfimprint.engine.timeline import WITHDRAWN

_MARKS = ("pinned", "slotted", "retired", "withdrawn", "timed")


class Marks:
    """The few nodes that are asked for by what they are, so that no question looks at all of them: a listener.

    `pinned`: the owner's pinned facts. `slotted`: all facts in slots about the owner. `retired`: taken out of every
    answer; `withdrawn`: those of them that the owner took out. `timed`: those whose standing changes at an instant of
    its own, and not by decay alone."""

    def __init__(self) -> None:
        self.pinned: set[str] = set()
        self.slotted: set[str] = set()
        self.retired: set[str] = set()
        self.withdrawn: set[str] = set()
        self.timed: set[str] = set()

    def listen(self, before: Node | None, after: Node | None) -> None:
        if after is None:
            if before is not None:
                self.forget(before.id)
            return
        own = after.subject == SELF and bool(after.slot)
        _keep(self.slotted, after.id, own)
        _keep(self.pinned, after.id, own and after.is_pinned)
        _keep(self.retired, after.id, after.retired_at is not None)
        is_withdrawn = after.retired_at is not None and after.attribute("end_reason") == WITHDRAWN
        _keep(self.withdrawn, after.id, is_withdrawn)
        last = after.last_reinforced_at
        moves = any(x is not None and x > last for p in after.pieces for x in (p.since, p.until))
        ends = after.valid_to is not None or after.archived_at is not None
        _keep(self.timed, after.id, moves or ends or after.retired_at is not None)

    def forget(self, node_id: str) -> None:
        for name in _MARKS:
            getattr(self, name).discard(node_id)

    def to_table(self) -> dict[str, list[str]]:
        return {name: sorted(getattr(self, name)) for name in _MARKS}

    def load(self, table: dict[str, Any]) -> None:
        for name in _MARKS:
            setattr(self, name, set(table.get(name, ())))  # an earlier manifest had fewer


class Strengths:
    """Reads the decay clock off the activity table, and hands the index what ranking needs to know of weights."""

    def __init__(
        self, state: GraphState, index: Callable[[], HotIndex], marks: Marks, clock: Clock, rules: DecaySettings
    ) -> None:
        self._state = state
        self._index = index
        self._marks = marks
        self._now = clock
        self._rules = rules
        self._days: tuple[int, ...] = ()
        self._clock = DecayClock.of((), rules)
        self._refreshed_at = 0
        self._stale = False

    def clock(self) -> DecayClock:
        """The decay clock of today's activity table."""
        if len(self._days) != len(self._state.activity_days):
            days = tuple(sorted(self._state.activity_days))
            # days at the end move no reading before them; one before or in between moves all that follow it
            self._stale = self._stale or not self._days or days[: len(self._days)] != self._days
            self._days = days
            self._clock = DecayClock.of(days, self._rules)
        return self._clock

    def weight(self, node: Node, at: int) -> float:
        return weight_at(node, at, self.clock(), self._rules)

    def is_active(self, node: Node, at: int) -> bool:
        return is_active(node, at, self.clock(), self._rules)

    def set(self, nodes: Sequence[Node]) -> None:
        """Fold these nodes and hand over the result."""
        if not nodes:
            return
        now = self._now.now_us()
        clock = self.clock()
        self._marks.timed.update(n.id for n in nodes if n.last_reinforced_at > now)
        self._index().update_weights(
            [node.id for node in nodes],
            weight=np.array([self.weight(node, now) for node in nodes]),
            coefficient=np.array([strength(node, now, clock, self._rules).coefficient for node in nodes]),
            at_day=clock.read(now),
            touched_day=np.array([clock.read(node.last_reinforced_at) for node in nodes]),
            active=np.array([self.is_active(node, now) for node in nodes]),
            retired=np.array([is_over(node, now) for node in nodes]),
        )

    def refresh(self, every_us: int) -> None:
        """Bring the index up to date where time, or the activity table, moved on by more than `every_us`."""
        now = self._now.now_us()
        clock = self.clock()
        if not self._stale and abs(now - self._refreshed_at) < every_us:
            return
        if self._stale:
            self.set(list(self._state.nodes.values()))
        else:
            self._fade(clock.read(now))
            self.set([self._state.nodes[i] for i in self._marks.timed if i in self._state.nodes])
        self._stale = False
        self._refreshed_at = now

    def refold(self) -> None:
        """Have every node folded anew at the next refresh."""
        self._stale = True

    def trust_days(self, days: Iterable[int]) -> None:
        """The index was filed with this activity table: its readings hold."""
        self._days = tuple(sorted(days))
        self._clock = DecayClock.of(self._days, self._rules)

    def _fade(self, today: float) -> None:
        """Nodes that have sunk below the threshold leave the active graph; one power over all of them."""
        index = self._index()
        nodes = np.flatnonzero(index.columns["alive"].view & (index.columns["flags"].view & IS_TURN == 0))
        if not len(nodes):
            return
        days = np.maximum(today - index.strengths["weight_day"].view[nodes], 0.0)
        weight = index.strengths["weight"].view[nodes] * index.strengths["coefficient"].view[nodes] ** days
        index.strengths["active"].view[nodes] = weight >= self._rules.active_from


def node_counts(index: HotIndex) -> dict[str, int]:
    """How many nodes the index holds: in all, active, and by type. The weights must be up to date."""
    nodes = index.columns["alive"].view & (index.columns["flags"].view & IS_TURN == 0)
    kinds = np.bincount(index.columns["node_type"].view[nodes], minlength=1)
    named = {name: int(kinds[number]) for name, number in index.node_types.ids.items() if number < len(kinds)}
    active = int(np.count_nonzero(nodes & index.strengths["active"].view))
    return {"total": int(np.count_nonzero(nodes)), "active": active, **{k: n for k, n in named.items() if n}}


def is_over(node: Node, now: int) -> bool:
    """Ended or retired at the instant."""
    ended = node.valid_to is not None and node.valid_to <= now
    return ended or (node.retired_at is not None and node.retired_at <= now)


def _keep(ids: set[str], node_id: str, wanted: bool) -> None:
    if wanted:
        ids.add(node_id)
    else:
        ids.discard(node_id)
