"""What replaced what, put in order: the newer value of a slot stands above the one it superseded, never below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from selfimprint.engine.graph import EdgeType, Node
from selfimprint.engine.state import GraphState


def successor(state: GraphState, node: Node, at: int) -> Node | None:
    """The node that contradicts this ended one and still holds at the instant, following the line to its end."""
    seen = {node.id}
    current = node
    found: Node | None = None
    while True:
        newer = [
            state.nodes[e.from_id]
            for e in state.edges_of(current.id)
            if e.type is EdgeType.CONTRADICTS and e.to_id == current.id and e.from_id in state.nodes
        ]
        newer = [n for n in newer if n.id not in seen and n.retired_at is None and (n.valid_from or 0) <= at]
        if not newer:
            return found
        current = max(newer, key=lambda n: (n.valid_from or 0, n.id))
        seen.add(current.id)
        found = current


def newest_first(
    keys: Sequence[str], replaced_by: Callable[[str], str | None], room: int | None = None
) -> list[tuple[str, bool]]:
    """Ranked keys with each superseded one right behind its successor, which is brought up if it stood lower or was
    missing. The flag tells what was superseded. Order is otherwise kept."""
    ordered: list[tuple[str, bool]] = []
    placed: set[str] = set()
    for key in keys:
        if key in placed:
            continue
        newer = replaced_by(key)
        if newer is not None and newer != key:
            if newer not in placed:
                ordered.append((newer, False))
                placed.add(newer)
            ordered.append((key, True))
        else:
            ordered.append((key, False))
        placed.add(key)
    return ordered if room is None else ordered[:room]
