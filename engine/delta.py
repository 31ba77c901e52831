"""The one currency for change: a GraphDelta is a frozen list of operations with a cause and reasons.

Ingest, enrichment, sleep, corrections, undo and imports all produce deltas; `selfimprint.engine.door` validates them,
`selfimprint.engine.state` applies them. A delta carries before-images, so that `selfimprint.engine.undo` can take it
back field by field.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from selfimprint.engine.graph import Edge, Message, Node


class Cause(StrEnum):
    INGEST = "ingest"
    HEADS = "heads"
    ENRICHMENT = "enrichment"
    SLEEP = "sleep"
    COMPACTION = "compaction"
    CORRECTION = "correction"
    RETIREMENT = "retirement"
    IMPORT = "import"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutMessage:
    """Append one message to the trace. Messages never change and leave only by forget."""

    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNode:
    node: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEdge:
    edge: Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNode:
    """Replace `before` by `after`, which differ in some fields and share the id."""

    before: Node
    after: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class SetEdge:
    before: Edge
    after: Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveNode:
    """Take back an AddNode. Only an undo may hold it; nothing else removes."""

    before: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveEdge:
    before: Edge


Operation = PutMessage | AddNode | AddEdge | SetNode | SetEdge | RemoveNode | RemoveEdge


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDelta:
    """`id` is unique in the profile; `recorded_at` is the daemon's clock when it was made; `undoes` names the deltas
    that an undo takes back; `reasons` say why, in words for a person, without content where the cause is a refusal."""

    id: str
    cause: Cause
    recorded_at: int
    operations: tuple[Operation, ...]
    reasons: tuple[str, ...] = ()
    undoes: tuple[str, ...] = ()
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What an operation may see: a frozen part of the graph and the instant it is looked at."""

    at: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    activity_days: tuple[int, ...] = ()
