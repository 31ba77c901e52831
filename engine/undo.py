"""Taking deltas back: the exact inverse of one, and the undo that leaves alone what something newer changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    GraphDelta,
    Operation,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.graph import Edge, Node
from selfimprint.engine.state import GraphState, is_hanging


def inverse(delta: GraphDelta) -> tuple[Operation, ...]:
    """The operations that take the whole delta back, last first. Messages stay: they leave only by forget."""
    backward: list[Operation] = []
    for operation in reversed(delta.operations):
        match operation:
            case AddNode(node=node):
                backward.append(RemoveNode(before=node))
            case AddEdge(edge=edge):
                backward.append(RemoveEdge(before=edge))
            case SetNode(before=before, after=after):
                backward.append(SetNode(before=after, after=before))
            case SetEdge(before=before, after=after):
                backward.append(SetEdge(before=after, after=before))
            case RemoveNode(before=before):
                backward.append(AddNode(node=before))
            case RemoveEdge(before=before):
                backward.append(AddEdge(edge=before))
            case PutMessage():
                pass
    return tuple(backward)


@dataclasses.dataclass(frozen=True, slots=True)
class Undo:
    """What an undo would do: its operations, and what it leaves alone because something newer changed it."""

    operations: tuple[Operation, ...]
    kept: tuple[str, ...]


def undo(deltas: Iterable[GraphDelta], state: GraphState) -> Undo:
    """Take deltas, given in the order they were committed, back field by field: a field that still has the value they
    wrote gets its former one, a field that was changed since stays and is listed as `id.field`. Added records go,
    unless they changed since or something newer hangs on them; removed ones come back where that is still possible."""
    nodes: dict[str, Node | None] = {}
    edges: dict[str, Edge | None] = {}
    kept: list[str] = []
    ends: dict[str, set[str]] = {}
    in_order = sorted(deltas, key=lambda d: d.recorded_at)
    for delta in reversed(in_order):  # of two deltas of one instant, too, the one committed last is undone first
        for operation in inverse(delta):
            match operation:
                case SetNode(before=wrote, after=former):
                    current = nodes.get(wrote.id, state.nodes.get(wrote.id))
                    nodes[wrote.id] = _restore(current, wrote, former, kept)
                case SetEdge(before=wrote_edge, after=former_edge):
                    now = edges.get(wrote_edge.id, state.edges.get(wrote_edge.id))
                    edges[wrote_edge.id] = _restore(now, wrote_edge, former_edge, kept)
                case RemoveNode(before=added):
                    current = nodes.get(added.id, state.nodes.get(added.id))
                    if current == added and not is_hanging(added.id, state, edges, ends):
                        nodes[added.id] = None
                    elif current is not None:
                        kept.append(added.id)
                case RemoveEdge(before=added_edge):
                    now = edges.get(added_edge.id, state.edges.get(added_edge.id))
                    if now == added_edge:
                        edges[added_edge.id] = None
                    elif now is not None:
                        kept.append(added_edge.id)
                case AddNode(node=removed):
                    if nodes.get(removed.id, state.nodes.get(removed.id)) is None:
                        nodes[removed.id] = removed
                    else:
                        kept.append(removed.id)
                case AddEdge(edge=removed_edge):
                    now = edges.get(removed_edge.id, state.edges.get(removed_edge.id))
                    between = (removed_edge.from_id, removed_edge.to_id)
                    if now is None and all(nodes.get(i, state.nodes.get(i)) is not None for i in between):
                        edges[removed_edge.id] = removed_edge
                        for node_id in between:
                            ends.setdefault(node_id, set()).add(removed_edge.id)
                    else:
                        kept.append(removed_edge.id)
                case PutMessage():
                    pass
    return Undo(tuple(_changes(nodes, edges, state)), tuple(dict.fromkeys(kept)))


def _changes(nodes: dict[str, Node | None], edges: dict[str, Edge | None], state: GraphState) -> Iterator[Operation]:
    for edge_id, edge in edges.items():
        if edge is None and edge_id in state.edges:
            yield RemoveEdge(before=state.edges[edge_id])
    for node_id, node in nodes.items():
        before = state.nodes.get(node_id)
        if node is None and before is not None:
            yield RemoveNode(before=before)
        elif node is not None and before is None:
            yield AddNode(node=node)
        elif node is not None and before is not None and node != before:
            yield SetNode(before=before, after=node)
    for edge_id, edge in edges.items():
        if edge is None:
            continue
        held = state.edges.get(edge_id)
        if held is None:
            yield AddEdge(edge=edge)
        elif held != edge:
            yield SetEdge(before=held, after=edge)


def _restore(current: Any, wrote: Any, former: Any, kept: list[str]) -> Any:
    if current is None:
        return None
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(wrote):
        name = field.name
        ours, theirs, old = getattr(wrote, name), getattr(current, name), getattr(former, name)
        if ours == old:
            continue
        if theirs == ours:
            changes[name] = old
        elif name == "attributes":
            changes[name] = _restore_attributes(dict(theirs), dict(ours), dict(old), wrote.id, kept)
        elif isinstance(ours, tuple) and isinstance(theirs, tuple):
            # lists of touches, evidence and the like: take out what was added, leave what came later
            added = [x for x in ours if x not in old]
            taken = [x for x in old if x not in ours and x not in theirs]
            changes[name] = (*(x for x in theirs if x not in added), *taken)
        else:
            kept.append(f"{wrote.id}.{name}")
    return dataclasses.replace(current, **changes)


def _restore_attributes(
    theirs: dict[str, str], ours: dict[str, str], old: dict[str, str], node_id: str, kept: list[str]
) -> tuple[tuple[str, str], ...]:
    """Each attribute is a field of its own; a missing one counts as a value."""
    for key in sorted({*ours, *old}):
        if ours.get(key) == old.get(key):
            continue
        if theirs.get(key) != ours.get(key):
            kept.append(f"{node_id}.{key}")
        elif key in old:
            theirs[key] = old[key]
        else:
            del theirs[key]
    return tuple(sorted(theirs.items()))
