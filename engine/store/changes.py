"""Journal operations turned into what a store has to do, checked before anything is written. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from selfimprint.engine.delta import AddEdge, AddNode, Operation, PutMessage, RemoveEdge, RemoveNode, SetEdge, SetNode
from selfimprint.engine.graph import Edge, Node
from selfimprint.engine.store.port import FollowerGap, UnstorableRecord
from selfimprint.engine.store.records import HeldEdge, HeldNode, held_edge, held_node


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeAdded:
    node: HeldNode


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSet:
    """`fields` are those that differ from before; the others are held already."""

    node: HeldNode
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRemoved:
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeAdded:
    edge: HeldEdge


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSet:
    """The edge keeps its ends; one that moves is an EdgeRemoved and an EdgeAdded. `fields` as in NodeSet."""

    edge: HeldEdge
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeRemoved:
    id: str
    from_id: str
    to_id: str


Change = NodeAdded | NodeSet | NodeRemoved | EdgeAdded | EdgeSet | EdgeRemoved


def changes(operations: Sequence[Operation]) -> tuple[Change, ...]:
    """What a store must do, in order. Raises UnstorableRecord.

    Reinforcement sets nodes and edges in fields that no store holds: such an operation still yields a change, one
    without fields, so that a store that has lost the record notices."""
    return tuple(change for operation in operations for change in _changes(operation))


def _changes(operation: Operation) -> Iterable[Change]:
    match operation:
        case PutMessage():
            return ()
        case AddNode(node=node):
            return (NodeAdded(node=to_held_node(node)),)
        case SetNode(before=node, after=changed):
            held, wanted = to_held_node(node), to_held_node(changed)
            return (NodeSet(node=wanted, fields=_differing(held, wanted)),)
        case RemoveNode(before=node):
            return (NodeRemoved(id=to_held_node(node).id),)
        case AddEdge(edge=edge):
            return (EdgeAdded(edge=to_held_edge(edge)),)
        case SetEdge(before=before, after=after):
            old, new = to_held_edge(before), to_held_edge(after)
            if (old.from_id, old.to_id) == (new.from_id, new.to_id):
                return (EdgeSet(edge=new, fields=_differing(old, new)),)
            return (EdgeRemoved(id=old.id, from_id=old.from_id, to_id=old.to_id), EdgeAdded(edge=new))
        case RemoveEdge(before=edge):
            old = to_held_edge(edge)
            return (EdgeRemoved(id=old.id, from_id=old.from_id, to_id=old.to_id),)


def _differing(old: HeldNode | HeldEdge, new: HeldNode | HeldEdge) -> tuple[str, ...]:
    return tuple(field.name for field in fields(new) if getattr(old, field.name) != getattr(new, field.name))


def to_held_node(node: Node) -> HeldNode:
    """`held_node` in the store's own error."""
    try:
        return held_node(node)
    except ValueError as error:
        raise UnstorableRecord(f"node {node.id!a}: {error}") from error


def to_held_edge(edge: Edge) -> HeldEdge:
    """`held_edge` in the store's own error."""
    try:
        return held_edge(edge)
    except ValueError as error:
        raise UnstorableRecord(f"edge {edge.id!a}: {error}") from error


def is_due(seq: int, *, applied: int, rebuilt_at: int) -> bool:
    """Is record `seq` the one to apply now? False for one that the last rebuild contained; FollowerGap otherwise."""
    if seq <= rebuilt_at:
        return False
    if seq != applied + 1:
        raise FollowerGap(f"record {seq} after record {applied}")
    return True
