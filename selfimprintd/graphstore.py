"""The graph store of a profile: filled at the first graph question, rebuilt where it fell behind."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import Any, Protocol

log = logging.getLogger("selfimprintd.graphstore")

Source = Callable[[], tuple[Any, Any, int]]
"""All nodes, all edges, and the number of the last delta they hold."""


class Graph(Protocol):
    """What answers graph questions."""

    def rebuild(self, nodes: Any, edges: Any, seq: int) -> None: ...
    def apply(self, seq: int, operations: Any) -> None: ...
    def close(self) -> None: ...


OpenGraph = Callable[[Source], Graph]


class GraphStore:
    """Used under the profile's lock."""

    def __init__(self, open_graph: OpenGraph, source: Source) -> None:
        self._open, self._source = open_graph, source
        self._graph: Graph | None = None

    def filled(self) -> Graph:
        """The store, up to date."""
        if self._graph is None:
            graph = self._open(self._source)
            graph.rebuild(*self._source())
            self._graph = graph  # only now: one that could not be filled is tried anew
        return self._graph

    def apply(self, seq: int, operations: Any) -> None:
        """Follow a delta; a follower that fails is rebuilt at the next question and never refuses a change."""
        if self._graph is None:
            return
        try:
            self._graph.apply(seq, operations)
        except Exception:
            log.warning("the graph store fell behind and will be rebuilt", exc_info=False)
            self.drop()

    def drop(self) -> None:
        """Let go of it; the next question fills another."""
        graph, self._graph = self._graph, None
        if graph is not None:
            with contextlib.suppress(Exception):  # it has failed already
                graph.close()
