"""Which file of the profile a node belongs to: its topic, by slot and type. The vault issue refines topics further."""

from __future__ import annotations

from selfimprint.engine.graph import SELF, Node, NodeType, PieceKind

CORE = "core"
ARCHIVE = "archive/nodes"
_TOPICS = {
    "work": "employer role school field_of_study skill goal",
    "family": "partner marital_status child sibling parent grandparent relative pet",
    "friends": "friend colleague",
    "home": "home origin possession vehicle",
    "leisure": "hobby likes dislikes habit plan",
    "health": "health diet allergy",
    "self": "name age birthday language",
}
_BY_SLOT = {slot: topic for topic, slots in _TOPICS.items() for slot in slots.split()}
_BY_TYPE = {
    NodeType.PERSON: "people",
    NodeType.EVENT: "events",
    NodeType.EMOTIONAL_NOTE: "feelings",
    NodeType.OPEN_LOOP: "open",
    NodeType.HYPOTHESIS: "thoughts",
}


def file_of(node: Node, *, active: bool) -> str:
    """The logical file, without its part number: `core` for the current base profile and what the owner pinned, the
    archive for what left the active graph, else the topic's domain."""
    pinned_by_base = any(p.kind is PieceKind.BASE for p in node.pieces) and node.valid_to is None
    if node.retired_at is None and (node.is_pinned or pinned_by_base) and node.subject == SELF:
        return CORE
    if not active:
        return ARCHIVE
    return "domain/" + (_BY_SLOT.get(node.slot) or _BY_TYPE.get(node.type, "general"))
