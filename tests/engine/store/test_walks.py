"""Walks, against searches that are plainly right."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.store.walks import maximal_paths, shortest_paths

NODES = "abcdefg"
arrows = st.sets(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=22)


def simple_paths(path: tuple[str, ...], pairs: set[tuple[str, str]], depth: int) -> Iterator[tuple[str, ...]]:
    """Every simple path that begins with `path`, itself included."""
    yield path
    if len(path) <= depth:
        for x, y in pairs:
            if x == path[-1] and y not in path:
                yield from simple_paths((*path, y), pairs, depth)


def onward(pairs: set[tuple[str, str]]) -> dict[str, frozenset[str]]:
    return {x: frozenset(y for a, y in pairs if a == x) for x in NODES}


@given(arrows, st.integers(0, 5), st.integers(0, 12))
def test_maximal_paths(pairs: set[tuple[str, str]], depth: int, most: int) -> None:
    """Exactly the simple paths that nothing continues within the depth, in order, as many as asked."""
    every = set(simple_paths(("a",), pairs, depth))
    continued = {path[:-1] for path in every}
    expected = sorted(path for path in every if path not in continued and len(path) > 1)
    assert maximal_paths("a", onward(pairs), max_depth=depth, max_paths=most) == tuple(expected[:most])


@given(arrows, st.integers(0, 5), st.integers(0, 12))
def test_shortest_paths(pairs: set[tuple[str, str]], length: int, most: int) -> None:
    """Exactly the simple paths of the least length, if within bounds, in order, as many as asked."""
    both = pairs | {(y, x) for x, y in pairs}
    near = onward(both)
    arriving = [path for path in simple_paths(("a",), both, length) if path[-1] == "b"]
    least = min(map(len, arriving), default=0)
    expected = sorted(path for path in arriving if len(path) == least)
    opened: list[str] = []

    def step(ids: frozenset[str]) -> dict[str, frozenset[str]]:
        opened.extend(ids)
        return {i: near[i] - {i} for i in ids}

    assert shortest_paths("a", "b", step, max_length=length, max_paths=most) == tuple(expected[:most])
    assert len(opened) <= 2 * len(NODES)


def test_long_chain() -> None:
    """Depth costs no recursion."""
    chain = {str(i): frozenset({str(i + 1)}) for i in range(5000)}
    [path] = maximal_paths("0", chain, max_depth=10_000, max_paths=2)
    assert len(path) == 5001


def test_hub_is_opened_last() -> None:
    """From a node beside a hub, the search goes on from the smaller side."""
    spokes = frozenset(f"s{i}" for i in range(1000))
    near = {"hub": spokes | {"a"}, "a": frozenset({"hub"}), "s7": frozenset({"hub", "b"}), "b": frozenset({"s7"})}
    opened: set[str] = set()

    def step(ids: frozenset[str]) -> dict[str, frozenset[str]]:
        opened.update(ids)
        return {i: near.get(i, frozenset({"hub"})) for i in ids}

    assert shortest_paths("a", "b", step, max_length=5, max_paths=9) == (("a", "hub", "s7", "b"),)
    assert len(opened) <= 4
