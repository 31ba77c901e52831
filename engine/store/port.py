"""What a graph store promises, whichever database is behind it.

A store follows the journal (`GraphFollower`), answers graph questions (`GraphQuestions`) and shows what it holds
(`GraphContents`). It is never the truth: a store that fails is rebuilt and refuses no commit. One contract suite,
`tests/engine/store/test_port.py`, holds for every adapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from selfimprint.engine.delta import Operation
from selfimprint.engine.graph import Edge, EdgeType, Node, NodeType
from selfimprint.engine.store.records import Contents, HeldEdge

Direction = Literal["causes", "effects"]


class StoreError(Exception):
    """Whatever a store refuses or fails at; `code` is stable."""

    code: ClassVar[str] = "store"


class FollowerGap(StoreError):
    """A journal record came out of sequence; nothing was applied."""

    code = "store-gap"


class StoreFailed(StoreError):
    """The database failed, or what it holds does not fit the operations; after `apply` raised it, rebuild."""

    code = "store-failed"


class UnstorableRecord(StoreError):
    """A record no store can hold (a lone surrogate, an instant outside the years 1 to 9999); nothing was applied."""

    code = "store-unstorable"


class ForkedStore(StoreError):
    """A store was used in a process forked from the one that opened it."""

    code = "store-forked"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLimits:
    """Bounds that a question has when its asker names none; chains: 16 steps as in the design."""

    neighbours: int = 200
    chain_depth: int = 16
    chain_paths: int = 64
    path_length: int = 4
    paths: int = 16
    matching: int = 1000


LIMITS = QuestionLimits()
LONGEST_CHAIN = 30
"""The longest recursion the databases run by default; `max_depth` may not exceed it."""


class GraphFollower(Protocol):
    """The write side. One writer at a time is enough: calls queue."""

    @property
    def applied_seq(self) -> int:
        """The last journal record whose operations are held."""

    def apply(self, seq: int, operations: Sequence[Operation]) -> None:
        """Hold the operations of record `seq`, all or none.

        `seq` must be `applied_seq + 1`, else FollowerGap; a record that the last rebuild already contained is passed
        over. The before-images must be what is held. RemoveNode takes its edges along; PutMessage is not for us.
        That edge ids are new is for whoever made the record to see to. Raises UnstorableRecord (the store goes on)
        and StoreFailed (rebuild it)."""

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], seq: int) -> None:
        """Hold exactly these, as of record `seq`. Questions meanwhile see the old graph, then the new, never a part.

        After an error the old graph is still held. Heals a failed store."""

    def close(self) -> None:
        """Let go of everything; twice is harmless. Every other call then raises StoreFailed."""


class GraphQuestions(Protocol):
    """The read side. Answers are in a fixed order, so equal graphs give equal answers.

    Retired edges are not followed, and retired or archived nodes are not reached, unless asked for. The nodes that
    the question itself names are taken as they are. Unknown ids have no neighbours."""

    def neighbours(
        self,
        ids: Sequence[str],
        *,
        types: frozenset[EdgeType] | None = None,
        limit: int = LIMITS.neighbours,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[HeldEdge, ...]:
        """The edges that touch any of the nodes, either way, each once: by falling confidence, then id."""

    def chain(
        self,
        node_id: str,
        *,
        direction: Direction,
        max_depth: int = LIMITS.chain_depth,
        max_paths: int = LIMITS.chain_paths,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        """The `caused_by` paths from the node that cannot be continued without a repetition or passing `max_depth`
        steps: node ids, the node first, in lexicographic order, the first `max_paths` of them.

        `causes` walks from effect to cause. Empty when nothing is known. ValueError beyond LONGEST_CHAIN."""

    def paths(
        self,
        a: str,
        b: str,
        *,
        max_length: int = LIMITS.path_length,
        max_paths: int = LIMITS.paths,
        types: frozenset[EdgeType] | None = None,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        """The shortest paths between two nodes along edges of any direction, if they have at most `max_length`
        steps: node ids from a to b in lexicographic order, the first `max_paths`. Empty for a node and itself."""

    def matching(
        self,
        *,
        type: NodeType | None = None,
        slot: str | None = None,
        subject: str | None = None,
        limit: int = LIMITS.matching,
        include_retired: bool = False,
        include_archived: bool = False,
    ) -> tuple[str, ...]:
        """Ids of the nodes with all the given properties: by rising creation, then id. `slot=""` means no slot."""

    def count(self) -> tuple[int, int]:
        """How many nodes and edges are held, retired and archived ones included."""


class GraphContents(Protocol):
    """What a check of a follower against the truth needs."""

    def contents(self) -> Contents:
        """Everything held, in order of id. Takes time and memory in proportion."""


class GraphStore(GraphFollower, GraphQuestions, GraphContents, Protocol):
    """A whole adapter."""
