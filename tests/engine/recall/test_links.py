"""Links between items are the same however the index came to be."""

from __future__ import annotations

from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.links import NONE


def turn(key: str, position: int) -> Item:
    return Item(key=key, kind="turn", text="a word", speaker="self", role="user", session="s", position=position)


def node(key: str, turn_key: str) -> Item:
    return Item(key=key, kind="node", text="a fact", speaker="self", role="user", session="s", turn_key=turn_key)


def reopened(index: HotIndex) -> HotIndex:
    return HotIndex.from_blocks(index.to_blocks())


def test_a_node_hangs_on_its_turn_whichever_came_first() -> None:
    """The column of a node names its turn's slot, or none where the turn is not there."""
    for order in ((turn("t", 0), node("n", "t")), (node("n", "t"), turn("t", 0))):
        index = HotIndex()
        index.add(order)
        assert index.columns["turn"].view[index.slots["n"]] == index.slots["t"]
        assert list(index.nodes_of("t")) == [index.slots["n"]]
        index.remove(["t"])
        assert index.columns["turn"].view[index.slots["n"]] == NONE


def test_what_is_added_after_reopening_is_linked_once() -> None:
    """The tables are made from the columns at first use, which hold the newcomer already by then."""
    index = reopened(_filled())
    index.add([node("later", "t1"), turn("t3", 3)])
    assert list(index.nodes_of("t1")) == [index.slots["n"], index.slots["later"]]
    index.remove(["later"])
    assert list(index.nodes_of("t1")) == [index.slots["n"]]
    before = index.columns["neighbours"].view[index.slots["t2"]].tolist()
    assert index.slots["t3"] in before
    index.remove(["t3"])
    assert index.slots.get("t3") is None
    assert index.columns["neighbours"].view[index.slots["t2"]].tolist() != before


def test_neighbours_are_turns_of_the_same_session() -> None:
    """A turn of another session, or without a position, is nobody's neighbour."""
    index = _filled()
    index.add([turn("x", -1)])
    rows = index.columns["neighbours"].view
    assert (rows[index.slots["x"]] == NONE).all()
    assert index.slots["t1"] in rows[index.slots["t0"]]


def _filled() -> HotIndex:
    index = HotIndex()
    index.add([turn("t0", 0), turn("t1", 1), turn("t2", 2), node("n", "t1")])
    return index
