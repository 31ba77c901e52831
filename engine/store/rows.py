"""Held records as the driver's parameters and rows, and changes as statements in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import fields
from enum import Enum
from typing import Any

from selfimprint.engine.graph import EdgeType, NodeType
from selfimprint.engine.store.changes import Change, EdgeAdded, EdgeRemoved, EdgeSet, NodeAdded, NodeRemoved, NodeSet
from selfimprint.engine.store.cypher import SET_EDGE, SET_NODE, Query
from selfimprint.engine.store.database import Database
from selfimprint.engine.store.port import StoreFailed
from selfimprint.engine.store.records import HeldEdge, HeldNode, to_datetime, to_instant

_INSTANTS = frozenset({"created_at", "valid_from", "valid_to", "retired_at", "archived_at"})
_NODE_FIELDS = tuple(field.name for field in fields(HeldNode))
_EDGE_FIELDS = tuple(field.name for field in fields(HeldEdge))


def commit(database: Database, wanted: Sequence[Change]) -> None:
    """All changes in one transaction; after an error, none."""
    if not wanted:
        return
    database.run(Query.BEGIN)
    try:
        for change in wanted:
            _change(database, change)
        database.run(Query.COMMIT)
    except BaseException:
        with suppress(StoreFailed):  # the driver may have rolled back by itself; either way the caller rebuilds
            database.run(Query.ROLLBACK)
        raise


def _change(database: Database, change: Change) -> None:
    match change:
        case NodeAdded(node=node):
            done = database.run(Query.ADD_NODE, _parameters(node, _NODE_FIELDS))
        case NodeSet(node=node, fields=names):
            done = [] if names else database.run(Query.HAS_NODE, {"id": node.id})
            for name in names:
                done = database.run(SET_NODE[name], {"id": node.id, "value": _value(node, name)})
        case NodeRemoved(id=key):
            done = database.run(Query.HAS_NODE, {"id": key})
            database.run(Query.REMOVE_NODE, {"id": key})
        case EdgeAdded(edge=edge):
            done = database.run(Query.ADD_EDGE, _parameters(edge, _EDGE_FIELDS))
        case EdgeSet(edge=edge, fields=names):
            ends = {"id": edge.id, "from_id": edge.from_id, "to_id": edge.to_id}
            done = [] if names else database.run(Query.HAS_EDGE, ends)
            for name in names:
                done = database.run(SET_EDGE[name], {**ends, "value": _value(edge, name)})
        case EdgeRemoved(id=key, from_id=from_id, to_id=to_id):
            ends = {"id": key, "from_id": from_id, "to_id": to_id}
            done = database.run(Query.HAS_EDGE, ends)
            database.run(Query.REMOVE_EDGE, ends)
    if len(done) != 1:
        raise StoreFailed(f"{type(change).__name__} does not fit the graph")


def sets(wanted: Sequence[Change]) -> int:
    """How many SET statements the changes take; these, and no others, use up the pool."""
    return sum(len(change.fields) for change in wanted if isinstance(change, NodeSet | EdgeSet))


def _parameters(row: HeldNode | HeldEdge, names: Iterable[str]) -> dict[str, object]:
    return {name: _value(row, name) for name in names}


def _value(row: HeldNode | HeldEdge, name: str) -> object:
    value = getattr(row, name)
    if name in _INSTANTS:
        return to_datetime(value)
    return value.value if isinstance(value, Enum) else value  # a str subclass has no type to the drivers


def node_of(row: Sequence[Any]) -> HeldNode:
    """A row of ALL_NODES."""
    return HeldNode(**_values(row, _NODE_FIELDS, NodeType))


def edge_of(row: Sequence[Any]) -> HeldEdge:
    """A row of a hop or of ALL_EDGES."""
    return HeldEdge(**_values(row, _EDGE_FIELDS, EdgeType))


def _values(row: Sequence[Any], names: Sequence[str], of_type: type[NodeType] | type[EdgeType]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in zip(names, row, strict=True):
        values[name] = to_instant(value) if name in _INSTANTS else value
    values["type"] = of_type(values["type"])
    return values
