"""Walks through a graph that is seen only through a neighbourhood function. Pure; every order is fixed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

Neighbourhood = Callable[[frozenset[str]], Mapping[str, frozenset[str]]]
"""For some nodes, those one step away from each."""


def maximal_paths(
    start: str, successors: Mapping[str, frozenset[str]], *, max_depth: int, max_paths: int
) -> tuple[tuple[str, ...], ...]:
    """The simple paths from `start` that end where every continuation would repeat a node or pass `max_depth` steps.

    Lexicographic order, the first `max_paths`; empty when there is no step at all. Every branch of the search ends
    in a path, so the work is bounded by `max_paths` × `max_depth`, cycles or not."""
    if max_depth < 1 or max_paths < 1:
        return ()
    found: list[tuple[str, ...]] = []
    path: list[str] = [start]
    pending: list[Iterator[str]] = [_onward(path, successors, max_depth)]
    extended = [False]
    while pending and len(found) < max_paths:
        following = next(pending[-1], None)
        if following is not None:
            extended[-1] = True
            path.append(following)
            pending.append(_onward(path, successors, max_depth))
            extended.append(False)
            continue
        if not extended[-1] and len(path) > 1:
            found.append(tuple(path))
        path.pop()
        pending.pop()
        extended.pop()
    return tuple(found)


def _onward(path: list[str], successors: Mapping[str, frozenset[str]], max_depth: int) -> Iterator[str]:
    if len(path) > max_depth:
        return iter(())
    return iter(sorted(successors.get(path[-1], frozenset()) - set(path)))


def shortest_paths(
    a: str, b: str, step: Neighbourhood, *, max_length: int, max_paths: int
) -> tuple[tuple[str, ...], ...]:
    """All shortest paths from a to b of at most `max_length` steps, lexicographic, the first `max_paths`.

    Searches from both ends, the smaller frontier first, so that hubs are opened only when nothing else is left.
    `step` must be symmetric: whoever is one step from x has x one step away."""
    if a == b or max_paths < 1:
        return ()
    near: dict[str, frozenset[str]] = {}
    layers: tuple[list[frozenset[str]], list[frozenset[str]]] = ([frozenset({a})], [frozenset({b})])
    seen: tuple[set[str], set[str]] = ({a}, {b})
    while len(layers[0]) + len(layers[1]) - 2 < max_length:
        side = 0 if len(layers[0][-1]) <= len(layers[1][-1]) else 1
        opened = step(layers[side][-1])
        near.update(opened)
        frontier = frozenset().union(*opened.values()) - seen[side]
        if not frontier:
            return ()
        layers[side].append(frontier)
        seen[side].update(frontier)
        if frontier & layers[1 - side][-1]:
            return _join(layers, near, max_paths)
    return ()


def _join(
    layers: tuple[list[frozenset[str]], list[frozenset[str]]], near: Mapping[str, frozenset[str]], max_paths: int
) -> tuple[tuple[str, ...], ...]:
    """The paths through two stacks of layers that meet in their last ones."""
    back: dict[str, set[str]] = {}
    for node, others in near.items():
        for other in others:
            back.setdefault(other, set()).add(node)
            back.setdefault(node, set()).add(other)
    forward, backward = layers
    meeting = forward[-1] & backward[-1]
    ranks = [meeting]
    for layer in reversed(forward[:-1]):  # from the meeting back to a, keeping only what leads on
        ranks.insert(0, frozenset(n for n in layer if back.get(n, set()) & ranks[0]))
    for layer in reversed(backward[:-1]):  # from the meeting on to b, keeping only what is led to
        ranks.append(frozenset(n for n in layer if back.get(n, set()) & ranks[-1]))
    found: list[tuple[str, ...]] = []
    pending: list[tuple[str, ...]] = [(n,) for n in sorted(ranks[0], reverse=True)]
    while pending and len(found) < max_paths:
        path = pending.pop()
        if len(path) == len(ranks):
            found.append(path)
            continue
        onward = back.get(path[-1], set()) & ranks[len(path)]
        pending.extend((*path, n) for n in sorted(onward, reverse=True))
    return tuple(found)
