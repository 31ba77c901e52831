"""Items by slot. Stored items stay in columns of strings and become `Item` values when somebody asks for one."""

from __future__ import annotations

from typing import Any

from selfimprint.engine.recall.items import Item

FIELDS = tuple(Item.__dataclass_fields__)
_CHUNK = 2048


class ItemTable:
    """Grows at the end; a dropped slot stays empty."""

    def __init__(self) -> None:
        self._items: list[Item | None] = []
        self._stored: list[tuple[int, dict[str, list[Any]]]] = []

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, slot: int) -> Item:
        """The item of a slot; KeyError for an empty one."""
        found = self._items[slot]
        if found is None:
            stored = self._stored_field("key", slot)
            if stored is None:
                raise KeyError(slot)
            values = {name: self._stored_field(name, slot) for name in FIELDS}
            values["when_us"] = None if values["when_us"] is None else tuple(values["when_us"])
            found = self._items[slot] = Item(**values)
        return found

    def _stored_field(self, name: str, slot: int) -> Any:
        chunk, offset = divmod(slot, _CHUNK)
        if chunk < len(self._stored):
            columns = self._stored[chunk][1]
            if offset < len(columns[name]):
                return columns[name][offset]
        return None

    def append(self, item: Item) -> None:
        """Put an item into the next slot."""
        self._items.append(item)

    def drop(self, slot: int) -> None:
        """Empty a slot."""
        self._items[slot] = None
        chunk, offset = divmod(slot, _CHUNK)
        if chunk < len(self._stored):
            for values in self._stored[chunk][1].values():
                if offset < len(values):
                    values[offset] = None

    def key(self, slot: int) -> str:
        """The key of a slot's item, without making the item; empty for an empty slot."""
        found = self._items[slot]
        return found.key if found is not None else str(self._stored_field("key", slot) or "")

    def turn_key(self, slot: int) -> str:
        """The evidence turn of a slot's item, without making the item."""
        found = self._items[slot]
        return found.turn_key if found is not None else str(self._stored_field("turn_key", slot) or "")

    def turn_keys(self) -> list[str | None]:
        """The evidence turn of every slot, none or an empty one where there is none."""
        keys: list[str | None] = [key for _, columns in self._stored for key in columns["turn_key"]]
        keys += [None] * (len(self._items) - len(keys))
        for slot, item in enumerate(self._items):
            if item is not None:
                keys[slot] = item.turn_key
        return keys

    def is_turn(self, slot: int) -> bool:
        """Whether a slot holds a turn, without making the item."""
        found = self._items[slot]
        return found.kind == "turn" if found is not None else self._stored_field("kind", slot) == "turn"

    def chunk(self, start: int, end: int) -> dict[str, list[Any]]:
        """The fields of a range of slots as columns, None where a slot is empty."""
        columns: dict[str, list[Any]] = {name: [] for name in FIELDS}
        for slot in range(start, min(end, len(self))):
            item = self._items[slot]
            for name in FIELDS:
                columns[name].append(self._stored_field(name, slot) if item is None else getattr(item, name))
        return columns

    def load(self, columns: dict[str, list[Any]]) -> None:
        """Append a stored chunk; every chunk but the last has 2,048 slots."""
        self._stored.append((len(self._items), columns))
        self._items.extend([None] * len(columns["key"]))
