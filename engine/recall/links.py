"""What points at what within the hot index: nodes at the turns they were learned from, turns at their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from selfimprint.engine.recall.columns import Column
from selfimprint.engine.recall.flags import HAS_QUESTION
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.table import ItemTable
from selfimprint.engine.recall.window import WindowSettings

NONE = -1
_NOWHERE: list[int] = []


class Links:
    """Writes the columns "turn", "neighbours" and "discounts"; `mark` hears of each slot whose row changed.

    Its own two tables are made from the columns when somebody asks, so that loading an index does not wait for them."""

    def __init__(
        self,
        columns: Mapping[str, Column],
        items: ItemTable,
        slots: Mapping[str, int],
        window: WindowSettings,
        mark: Callable[[int], None],
    ) -> None:
        self._columns, self._items, self._slots, self._window, self._mark = columns, items, slots, window, mark
        self._offsets = window.offsets()
        self._places: dict[tuple[int, int], list[int]] | None = {}
        self._nodes_of: dict[str, list[int]] | None = {}

    def forget(self) -> None:
        """The columns were filled by somebody else."""
        self._places, self._nodes_of = None, None

    def add(self, slot: int, item: Item) -> None:
        """Link the item that has just come into the slot."""
        turn = self._columns["turn"].view
        if item.kind == "turn":
            for node in self.nodes_of(item.key):
                turn[node] = slot
                self._mark(node)
            if item.position >= 0:
                self._link_neighbours(slot)
        elif item.turn_key:
            nodes = self._evidence().setdefault(item.turn_key, [])
            if slot not in nodes:  # a table made just now holds it already
                nodes.append(slot)
            evidence = self._slots.get(item.turn_key, NONE)
            turn[slot] = evidence if evidence != NONE and self._items[evidence].kind == "turn" else NONE

    def drop(self, slot: int, item: Item) -> None:
        """Unlink an item that is about to leave its slot."""
        if item.kind == "turn":
            for node in self.nodes_of(item.key):
                self._columns["turn"].view[node] = NONE
                self._mark(node)
            if item.position >= 0:
                self._unlink_neighbours(slot, item.position)
        elif item.turn_key:
            nodes = self._evidence()[item.turn_key]
            nodes.remove(slot)
            if not nodes:
                del self._evidence()[item.turn_key]

    def nodes_of(self, turn_key: str) -> Sequence[int]:
        """The slots of the nodes learned from a turn."""
        return self._evidence().get(turn_key, ())

    def _evidence(self) -> dict[str, list[int]]:
        if self._nodes_of is None:
            self._nodes_of = {}
            for slot, turn_key in enumerate(self._items.turn_keys()):
                if turn_key:
                    self._nodes_of.setdefault(turn_key, []).append(slot)
        return self._nodes_of

    def _turns_at(self, session: int, position: int) -> list[int]:
        return self._by_place().get((session, position), _NOWHERE)

    def _by_place(self) -> dict[tuple[int, int], list[int]]:
        if self._places is None:
            self._places = {}
            sessions, positions = self._columns["session"].view, self._columns["position"].view
            for slot in self._slots.values():
                if positions[slot] >= 0 and self._items.is_turn(slot):
                    self._places.setdefault((int(sessions[slot]), int(positions[slot])), []).append(slot)
        return self._places

    def _link_neighbours(self, slot: int) -> None:
        session, position = int(self._columns["session"].view[slot]), int(self._columns["position"].view[slot])
        here = [*(s for s in self._turns_at(session, position) if s != slot), slot]
        self._by_place()[session, position] = here
        for column, offset in enumerate(self._offsets):
            self._lend([slot], self._turns_at(session, position + offset), column)
            self._lend(self._turns_at(session, position - offset), here, column)

    def _unlink_neighbours(self, slot: int, position: int) -> None:
        session = int(self._columns["session"].view[slot])
        here = self._turns_at(session, position)
        here.remove(slot)
        if not here:
            del self._by_place()[session, position]
        for column, offset in enumerate(self._offsets):
            self._lend([slot], (), column)
            self._lend(self._turns_at(session, position - offset), here, column)

    def _lend(self, sources: Sequence[int], targets: Sequence[int], column: int) -> None:
        """Let turns lend to the one at that offset; where two turns share a position, to the first by key."""
        if not sources:
            return
        target = NONE
        if targets:
            target = targets[0] if len(targets) == 1 else min(targets, key=lambda slot: self._items[slot].key)
        neighbours, discounts = self._columns["neighbours"].view, self._columns["discounts"].view
        speakers, flags = self._columns["speaker"].view, self._columns["flags"].view
        for source in sources:
            discount = 0.0
            if target != NONE:
                asks = bool(flags[source] & HAS_QUESTION) and speakers[source] != speakers[target]
                discount = self._window.discount(self._offsets[column], asks_another=asks)
            neighbours[source, column] = target
            discounts[source, column] = discount
            self._mark(source)
