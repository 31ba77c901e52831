"""The part of nodes and edges that a store holds, and the check that it can be held.

Weights, touches, evidence and vectors stay in the engine's state: graph questions do not need them, and they change
more often than a database likes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from selfimprint.engine.graph import Edge, EdgeType, Node, NodeType

_EPOCH = datetime(1970, 1, 1)  # naive: the databases' TIMESTAMP has no zone, and ours are all UTC
_MICROSECOND = timedelta(microseconds=1)
EARLIEST = (datetime.min - _EPOCH) // _MICROSECOND
LATEST = (datetime.max - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldNode:
    id: str
    type: NodeType
    subject: str
    slot: str
    content: str
    created_at: int
    valid_from: int | None
    valid_to: int | None
    retired_at: int | None
    archived_at: int | None
    confidence: float
    is_inference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldEdge:
    id: str
    type: EdgeType
    from_id: str
    to_id: str
    confidence: float
    is_inferred: bool
    created_at: int
    retired_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """All that a store holds, each in order of id."""

    nodes: tuple[HeldNode, ...]
    edges: tuple[HeldEdge, ...]


def held_node(node: Node) -> HeldNode:
    """The held part of a node; ValueError says which field cannot be held."""
    return HeldNode(
        id=_text("node id", node.id),
        type=node.type,
        subject=_text("subject", node.subject),
        slot=_text("slot", node.slot),
        content=_text("content", node.content),
        created_at=_instant("created_at", node.created_at),
        valid_from=_maybe("valid_from", node.valid_from),
        valid_to=_maybe("valid_to", node.valid_to),
        retired_at=_maybe("retired_at", node.retired_at),
        archived_at=_maybe("archived_at", node.archived_at),
        confidence=float(node.confidence),
        is_inference=node.is_inference,
    )


def held_edge(edge: Edge) -> HeldEdge:
    """The held part of an edge; ValueError says which field cannot be held."""
    return HeldEdge(
        id=_text("edge id", edge.id),
        type=edge.type,
        from_id=_text("from_id", edge.from_id),
        to_id=_text("to_id", edge.to_id),
        confidence=float(edge.confidence),
        is_inferred=edge.is_inferred,
        created_at=_instant("created_at", edge.created_at),
        retired_at=_maybe("retired_at", edge.retired_at),
    )


def is_visible(node: HeldNode, *, include_retired: bool, include_archived: bool) -> bool:
    """May a question reach this node?"""
    return (include_retired or node.retired_at is None) and (include_archived or node.archived_at is None)


def to_datetime(instant: int | None) -> datetime | None:
    """Microseconds since 1970 as a naive UTC datetime."""
    return None if instant is None else _EPOCH + timedelta(microseconds=instant)


def to_instant(moment: datetime | None) -> int | None:
    """The inverse of `to_datetime`; an aware datetime is brought to UTC first."""
    if moment is None:
        return None
    naive = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return (naive - _EPOCH) // _MICROSECOND


def is_text(value: str) -> bool:
    """Lone surrogates have no UTF-8 form: the databases' bindings fail on them in the middle of a transaction."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _text(field: str, value: str) -> str:
    if not value.isascii() and not is_text(value):
        raise ValueError(f"{field} contains a lone surrogate")
    return value


def _instant(field: str, value: int) -> int:
    if not EARLIEST <= value <= LATEST:
        raise ValueError(f"{field} lies outside the years 1 to 9999")
    return value


def _maybe(field: str, value: int | None) -> int | None:
    return None if value is None else _instant(field, value)
