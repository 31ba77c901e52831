"""Twin of engine/recall/table.py: items by slot, made when somebody asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recalling import node, turn
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.table import FIELDS, ItemTable

CHUNK = 2048


def item(number: int) -> Item:
    made = node(f"n{number}", "x", turn_key=f"t{number}") if number % 2 else turn(f"t{number}", "y")
    return replace(made, when_us=(number, number + 1)) if number % 3 else made


def stored(*items: Item) -> dict[str, list[Any]]:
    """A chunk as it is read back: pairs come as lists."""
    columns = {name: [getattr(i, name) for i in items] for name in FIELDS}
    columns["when_us"] = [None if pair is None else list(pair) for pair in columns["when_us"]]
    return columns


def test_a_stored_item_comes_back_as_it_was() -> None:
    """What `chunk` gives, `load` takes: each slot's item is equal to the one appended."""
    table = ItemTable()
    items = [item(n) for n in range(6)]
    for each in items:
        table.append(each)
    loaded = ItemTable()
    loaded.load(stored(*items))
    assert len(loaded) == len(table) == 6
    assert [loaded[slot] for slot in range(6)] == items == [table[slot] for slot in range(6)]
    assert loaded.chunk(0, 99) == table.chunk(0, 99)


def test_an_empty_slot_holds_nothing() -> None:
    """A dropped slot keeps its place and gives neither an item nor a key, stored or not."""
    table = ItemTable()
    table.load(stored(item(0), item(1)))
    table.append(item(3))
    for slot in (1, 2):
        table.drop(slot)
        with pytest.raises(KeyError):
            table[slot]
        assert (table.key(slot), table.turn_key(slot), table.is_turn(slot)) == ("", "", False)
    assert len(table) == 3 and table[0] == item(0)
    assert table.chunk(0, 3)["key"] == [item(0).key, None, None]


def test_chunks_follow_one_another() -> None:
    """The item of a slot past the first chunk is found in the second."""
    table = ItemTable()
    table.load(stored(*(item(n) for n in range(CHUNK))))
    table.load(stored(item(CHUNK), item(CHUNK + 1)))
    table.append(item(CHUNK + 2))
    for slot in (0, CHUNK - 1, CHUNK, CHUNK + 1, CHUNK + 2):
        assert table.key(slot) == item(slot).key and table[slot] == item(slot)


@settings(max_examples=60)
@given(
    st.integers(0, 6),
    st.lists(st.one_of(st.tuples(st.just("drop"), st.integers(0, 9)), st.tuples(st.just("read"), st.integers(0, 9)))),
)
def test_quick_looks_say_what_the_item_says(loaded: int, steps: list[tuple[str, int]]) -> None:
    """Key, turn key and kind read without making an item are those of the item, whatever was dropped or read before."""
    table = ItemTable()
    table.load(stored(*(item(n) for n in range(loaded))))
    for number in range(loaded, 10):
        table.append(item(number))
    alive = set(range(10))
    for step, slot in steps:
        if step == "drop":
            table.drop(slot)
            alive.discard(slot)
        elif slot in alive:
            assert table[slot] == item(slot)
    for slot in range(10):
        wanted = item(slot) if slot in alive else None
        looks = (table.key(slot), table.turn_key(slot), table.is_turn(slot), table.turn_keys()[slot] or "")
        assert looks == (
            (wanted.key, wanted.turn_key, wanted.kind == "turn", wanted.turn_key) if wanted else ("", "", False, "")
        )
