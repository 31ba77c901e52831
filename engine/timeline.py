"""The values of one slot over time: what supersedes what follows from `valid_from`, never from order of arrival."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from selfimprint.engine.graph import CoefficientPiece, EdgeType, Node, PieceKind, TouchKind
from selfimprint.engine.lookup import same_value, value_key
from selfimprint.engine.making import Scene, link, with_attributes
from selfimprint.engine.slots import is_base_profile

ENDED = "stated"
"""`end_reason` of a value whose end somebody stated; a superseded one has `superseded`."""
SUPERSEDED = "superseded"
WITHDRAWN = "withdrawn"
"""`end_reason` of what the owner took out of every answer."""


def values_in(scene: Scene, subject: str, slot: str) -> list[Node]:
    """The slot's facts, retired ones left out, oldest first."""
    stored = [scene.draft.node(i) for i in scene.lookup.in_slot(subject, slot)]
    drafted = [n for n in scene.draft.drafted() if n.subject == subject and n.slot == slot]
    found = {n.id: n for n in (*stored, *drafted) if n is not None and n.retired_at is None}
    return sorted(found.values(), key=_age)


def matching(nodes: Sequence[Node], value: str, polarity: int) -> list[Node]:
    """Those with the same value and polarity."""
    key = value_key(value)
    return [
        n
        for n in nodes
        if (n.attribute("polarity") == "-1") == (polarity < 0) and same_value(value_key(n.attribute("value")), key)
    ]


def stated_at(node: Node) -> list[int]:
    """When somebody said so: the touches that have evidence. Naming it in passing is not saying that it holds."""
    proven = {e.message for e in node.evidence}
    return [t.at for t in node.touches if t.message in proven]


def same_stay(scene: Scene, same: Sequence[Node], known: Sequence[Node], starts: int, single: bool) -> Node | None:
    """Of the facts with the stated value the one that the statement repeats. In a single-valued slot no other value
    began, or was said to hold, between the two."""
    open_then = [n for n in same if n.valid_to is None or n.valid_to > starts]
    if not open_then or not single:
        return open_then[-1] if open_then else None
    node = open_then[-1] if (open_then[-1].valid_from or starts) <= starts else open_then[0]
    if node.valid_from is None:
        return node
    others = [n for n in known if n.id != node.id and n.valid_from is not None]
    began = any(starts < (n.valid_from or 0) < node.valid_from for n in others)
    held = any(scene.message.at < at < node.valid_from for n in others for at in stated_at(n))
    # An undo may reopen a value that another has followed since: what is told now is a return to it.
    followed = any(node.valid_from < (n.valid_from or 0) <= starts for n in others if n.attribute("polarity") != "-1")
    return None if began or held or followed else node


def part_stays(scene: Scene, known: Sequence[Node]) -> None:
    """Before another value is put between two statements of one value: what was stated after it is a stay of its own,
    as it would have become had the other value been told first."""
    said = scene.message.at
    for node in known:
        stated = stated_at(node)
        later = sorted(t for t in node.touches if t.at > said and t.at in stated)
        if node.attribute("polarity") == "-1" or node.valid_from is None or node.valid_from >= said or not later:
            continue
        again = later[0].at
        touches = tuple(t for t in node.touches if t.at >= again and t != later[0])
        moved = {later[0].message, *(t.message for t in touches)}
        stay = replace(
            node,
            id=scene.new_id(),
            created_at=again,
            valid_from=again,
            touches=(replace(later[0], kind=TouchKind.CREATED), *touches),
            evidence=tuple(e for e in node.evidence if e.message in moved),
        )
        scene.draft.put(stay)
        scene.draft.put(
            replace(
                with_attributes(node, end_reason=""),
                valid_to=None,
                touches=tuple(t for t in node.touches if t.at < again),
                evidence=tuple(e for e in node.evidence if e.message not in moved),
            )
        )


def settle(scene: Scene, subject: str, slot: str) -> None:
    """Redraw the timeline of a single-valued slot: each value holds until the next begins; the newer contradicts the
    older; the current one of the base profile is pinned, a superseded one is not (design §3)."""
    line = [
        n for n in values_in(scene, subject, slot)
        if n.valid_from is not None and n.attribute("polarity") != "-1" and not n.attribute("beside")
    ]  # fmt: skip
    for index, node in enumerate(line):
        following = line[index + 1] if index + 1 < len(line) else None
        end = following.valid_from if following is not None else None
        stated = node.valid_to if node.attribute("end_reason") == ENDED else None
        closes = min((x for x in (end, stated) if x is not None), default=None)
        reason = ENDED if stated is not None else (SUPERSEDED if end is not None else "")
        attributes = tuple(
            sorted(
                (k, v)
                for k, v in {**dict(node.attributes), "end_reason": reason}.items()
                if v
            )
        )  # fmt: skip
        settled = pinned_while_current(replace(node, valid_to=closes, attributes=attributes), slot)
        if settled != node:
            scene.draft.put(settled)
        if following is not None:
            link(scene, EdgeType.CONTRADICTS, following.id, node.id, following.evidence[-1], confidence=1.0)


def pinned_while_current(node: Node, slot: str) -> Node:
    """The node with the base-profile pieces that its validity asks for; the owner's own pins stay."""
    kept = tuple(p for p in node.pieces if p.kind not in (PieceKind.BASE, PieceKind.BASE_END))
    if not is_base_profile(slot) or node.attribute("polarity") == "-1" or node.subject != "self":
        return node if kept == node.pieces else replace(node, pieces=kept)
    pieces = [*kept, CoefficientPiece(since=None, coefficient=1.0, kind=PieceKind.BASE)]
    if node.valid_to is not None:
        pieces.append(CoefficientPiece(since=node.valid_to, coefficient=1.0, kind=PieceKind.BASE_END))
    return replace(node, pieces=tuple(pieces))


def _age(node: Node) -> tuple[int, int, str]:
    return (-(2**62) if node.valid_from is None else node.valid_from, node.created_at, node.id)
