"""Twin of engine/recall/blocks.py."""

from __future__ import annotations

import numpy as np
import pytest
from recalling import asked, index_of, node, turn, unit
from selfimprint.engine.recall import blocks
from selfimprint.engine.recall.index import HotIndex


def full() -> HotIndex:
    index = index_of(
        *(
            turn(f"t{p}", f"word{p % 7} and cat{p % 3} \ud800?", "Анна" if p % 2 else "Ben", position=p)
            for p in range(60)
        ),
        node("n1", "Ben owns cat1", turn_key="t3", when_us=(5, 9), subject="Ben"),
    )
    index.set_vectors([f"t{p}" for p in range(0, 60, 2)], np.stack([unit(1, p, 3) for p in range(0, 60, 2)]))
    index.update_weights(["n1"], weight=np.array([0.5]), touched_day=np.array([3.0]), retired=np.array([True]))
    index.set_word_vectors({"cat1": unit(1, 0), "cat2": unit(1, 0.25), "word1": unit(0, 1), "word2": unit(-1, 1)}, "en")
    index.remove(["t5", "t8"])
    return index


def same(one: HotIndex, other: HotIndex) -> None:
    for text in ("cat1", "word3 Ben", "Анна cat2"):
        for vector in (None, unit(1, 2, 3)):
            first, second = (asked(index, text, vector=vector, now_day=5.0) for index in (one, other))
            assert [(h.key, h.nodes) for h in first.hits] == [(h.key, h.nodes) for h in second.hits]
            assert [h.score for h in first.hits] == pytest.approx([h.score for h in second.hits], abs=1e-3)


def test_an_index_comes_back_as_it_was() -> None:
    """Blocks restore every item, link, vector, strength and ranking, and go on being added to."""
    before = full()
    after = HotIndex.from_blocks(before.to_blocks())
    same(before, after)
    assert [after.item(key) for key in after.slots] == [before.item(key) for key in before.slots]
    for index in (before, after):
        index.add([turn("t5", "cat1 again", position=5), turn("t99", "cat2", position=60)])
        index.remove(["t4", "n1"])
    same(before, after)
    same(after, HotIndex.from_blocks(after.to_blocks()))


def test_the_same_index_makes_the_same_bytes() -> None:
    """Blocks are a function of the index alone."""
    index = full()
    assert index.to_blocks() == index.to_blocks() == HotIndex.from_blocks(index.to_blocks()).to_blocks()


def test_only_changed_blocks_are_written_again() -> None:
    """After one more message only the blocks at the end differ, and exactly those are handed out as changed."""
    index = index_of(*(turn(f"t{p}", f"word{p}", position=p, session=f"s{p // 50}") for p in range(2100)))
    before = index.to_blocks()
    index.add([turn("new", "hello", position=0, session="other")])
    changed = index.to_blocks(changed_only=True)
    after = index.to_blocks()
    assert {name for name in after if after[name] != before.get(name)} == set(changed)
    assert "items/000000" in before and "items/000000" not in changed and "items/000001" in changed
    assert index.to_blocks(changed_only=True).keys() == {"head"}


def test_no_block_is_larger_than_four_mebibytes() -> None:
    """Long texts and wide vectors are cut into parts that fit together again."""
    index = index_of(*(turn(f"t{p}", f"{p} " + "ж" * 120_000, position=p) for p in range(40)))
    index.set_vectors([f"t{p}" for p in range(40)], np.ones((40, 100_000), np.float32))
    stored = index.to_blocks()
    assert max(map(len, stored.values())) <= blocks.MAX_BLOCK_BYTES and "items/000000+1" in stored
    assert HotIndex.from_blocks(stored).item("t7") == index.item("t7")


def test_an_empty_index_comes_back_empty() -> None:
    """An index without items has a head only."""
    stored = HotIndex().to_blocks()
    assert set(stored) == {"head"} and len(HotIndex.from_blocks(stored)) == 0


@pytest.mark.parametrize("damage", ["missing", "cut", "mark", "version", "longer"])
def test_damaged_blocks_are_refused(damage: str) -> None:
    """A missing, cut, foreign or older block is an error that says to rebuild, never a wrong index."""
    stored = full().to_blocks()
    if damage == "missing":
        del stored["items/000000"]
    elif damage == "cut":
        stored["items/000000"] = stored["items/000000"][:-3]
    elif damage == "mark":
        stored["vocabulary/000000"] = b"XXXX" + stored["vocabulary/000000"][4:]
    elif damage == "longer":
        stored["strengths/000000"] += b"\x00"
    else:
        values, arrays = blocks.unpack(stored["head"])
        stored["head"] = blocks.pack({**values, "version": 0}, arrays)
    with pytest.raises(blocks.StaleBlocksError):
        HotIndex.from_blocks(stored)
