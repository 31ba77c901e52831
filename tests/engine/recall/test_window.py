"""Twin of engine/recall/window.py."""

from __future__ import annotations

import numpy as np
import pytest
from recalling import index_of, turn
from selfimprint.engine.recall.window import WindowSettings, spread


def lent(index_size: int, source: int, *, asks: bool = False, change: bool = True) -> np.ndarray:  # type: ignore[type-arg]
    """The parts of all turns for a word that only one of them says, over what that one has of it."""
    items = [
        turn(f"t{p}", "zebra?" if p == source and asks else "zebra" if p == source else "so", position=p,
             speaker="Anna" if p % 2 == 0 or not change else "Ben")
        for p in range(index_size)
    ]  # fmt: skip
    index = index_of(*items)
    slots, parts = index.postings.lookup("zebra")
    own = np.zeros((1, index_size), np.float32)
    own[0, slots] = parts
    rows = np.zeros(len(slots), np.intp)
    neighbours, discounts = index.columns["neighbours"].view, index.columns["discounts"].view
    spread(own, rows, slots.astype(np.intp), neighbours, discounts)
    return own[0] / parts[0]


def test_the_window_has_the_measured_discounts() -> None:
    """A turn receives 0.7, 0.5, 0.35, 0.25 of what was said before it and 0.5, 0.35, 0.25, 0.15 of what comes after."""
    expected = [0, 0.15, 0.25, 0.35, 0.5, 1, 0.7, 0.5, 0.35, 0.25, 0]
    assert lent(11, 5) == pytest.approx(expected)


def test_an_answer_receives_most_of_its_question() -> None:
    """After a question of another speaker the next turn receives 0.9 of its words, after one's own question 0.7."""
    assert lent(11, 5, asks=True)[6] == pytest.approx(0.9)
    assert lent(11, 5, asks=True, change=False)[6] == pytest.approx(0.7)


def test_nothing_is_lent_beyond_the_session() -> None:
    """Turns of another session receive nothing, however near their positions are."""
    index = index_of(turn("a", "zebra", position=3), turn("b", "so", position=4, session="s2"))
    assert (index.columns["neighbours"].view == -1).all()


def test_settings_name_their_offsets() -> None:
    """Later turns come first, then earlier ones, each with its own discount."""
    settings = WindowSettings(before=(0.7, 0.5), after=(0.4,))
    assert settings.offsets() == (1, 2, -1) and settings.reach == 2
    assert [settings.discount(o, asks_another=True) for o in settings.offsets()] == [0.9, 0.5, 0.4]
