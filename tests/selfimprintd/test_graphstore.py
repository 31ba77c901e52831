"""Twin of selfimprintd/graphstore.py."""

from __future__ import annotations

from typing import Any

import pytest

from selfimprintd.graphstore import GraphStore


class Follower:
    """A graph that fails when it is told to, and remembers what was asked of it."""

    def __init__(self, *, fails_at: str = "") -> None:
        self.fails_at = fails_at
        self.done: list[Any] = []

    def _do(self, name: str, *what: Any) -> None:
        self.done.append((name, *what))
        if name == self.fails_at:
            raise RuntimeError(name)

    def rebuild(self, nodes: Any, edges: Any, seq: int) -> None:
        self._do("rebuild", seq)

    def apply(self, seq: int, operations: Any) -> None:
        self._do("apply", seq)

    def close(self) -> None:
        self._do("close")


def store_of(*followers: Follower) -> GraphStore:
    waiting = iter(followers)
    return GraphStore(lambda _source: next(waiting), lambda: ((), (), 9))


def test_nothing_is_opened_before_the_first_graph_question() -> None:
    """A delta before it costs nothing: the filling holds it."""
    follower = Follower()
    store = store_of(follower)
    store.apply(9, ())
    assert follower.done == []
    assert store.filled() is follower
    store.filled()
    store.apply(10, ())
    assert follower.done == [("rebuild", 9), ("apply", 10)]


def test_a_follower_that_fails_is_replaced_at_the_next_question() -> None:
    """The change itself is not refused, and the failed store is closed."""
    first, second = Follower(fails_at="apply"), Follower()
    store = store_of(first, second)
    store.filled()
    store.apply(10, ())
    store.apply(11, ())
    assert first.done == [("rebuild", 9), ("apply", 10), ("close",)]
    assert store.filled() is second
    assert second.done == [("rebuild", 9)]


def test_a_store_that_could_not_be_filled_is_tried_anew() -> None:
    """A failure in the filling reaches who asked, and leaves no half-filled store behind."""
    second = Follower()
    store = store_of(Follower(fails_at="rebuild"), second)
    with pytest.raises(RuntimeError):
        store.filled()
    assert store.filled() is second


def test_a_store_that_cannot_be_closed_is_let_go_all_the_same() -> None:
    """It has failed already."""
    second = Follower()
    store = store_of(Follower(fails_at="close"), second)
    store.filled()
    store.drop()
    assert store.filled() is second
