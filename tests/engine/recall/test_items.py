"""Twin of engine/recall/items.py: what the index is told of one thing."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from recalling import asked, index_of, keys, node, turn
from selfimprint.engine.graph import SELF as OWNER
from selfimprint.engine.recall.items import NO_POSITION, SELF, Item


def test_a_bare_item_stands_in_no_conversation() -> None:
    """Without a position an item has no neighbours, without an instant it was said at no known time."""
    item = Item(key="k", kind="node", text="x", speaker=SELF, role="user", session="")
    assert (item.position, item.at_us, item.when_us, item.turn_key, item.language) == (NO_POSITION, 0, None, "", "und")
    assert NO_POSITION < 0


def test_the_owner_has_one_name() -> None:
    """The index and the graph call the owner alike: a node's subject is its item's."""
    assert SELF == OWNER


def test_items_are_values() -> None:
    """Items are frozen, and equal ones are the same: adding one again changes nothing."""
    item = turn("t", "I play tennis")
    with pytest.raises(FrozenInstanceError):
        item.text = "I play chess"  # type: ignore[misc]  # what the test is about
    index = index_of(item)
    index.dirty.clear()
    index.add([turn("t", "I play tennis")])
    assert len(index) == 1 and not index.dirty


def test_a_node_and_its_turn_are_ranked_as_one() -> None:
    """`turn_key` names the turn that a node was learned from: the two make one hit, under the turn's key."""
    index = index_of(turn("t", "I play tennis"), node("n", "plays tennis", turn_key="t"))
    ranking = asked(index, "Who plays tennis?")
    assert keys(ranking) == ["t"] and ranking.hits[0].nodes == ("n",)
    apart = index_of(turn("t", "I play tennis"), node("n", "plays tennis"))
    assert sorted(keys(asked(apart, "Who plays tennis?"))) == ["n", "t"]


def test_turns_lend_their_words_over_four_positions() -> None:
    """Turns of one session whose positions differ by at most four are neighbours; further ones and others are not."""
    index = index_of(turn("near", "Moshka", "Ben", position=4), turn("asked", "what is the cat called", position=0))
    far = index_of(turn("far", "Moshka", "Ben", position=5), turn("asked", "what is the cat called", position=0))
    other = index_of(
        turn("other", "Moshka", "Ben", position=1, session="s2"), turn("asked", "what is the cat called", position=0)
    )
    lent = [asked(i, "cat").hits[-1].parts.get("lexical", 0.0) for i in (index, far, other)]
    assert lent[0] > 0 and lent[1:] == [0.0, 0.0]
