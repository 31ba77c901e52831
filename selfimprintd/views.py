"""Records as the API shows them: plain dicts, instants as integers under known names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from selfimprint.engine.delta import GraphDelta
from selfimprint.engine.graph import Edge, Evidence, Message, Node, NodeType

from selfimprintd.items import speaker_name
from selfimprintd.profile import Profile

Status = Literal["current", "ended", "retired", "hypothesis", "archived"]


def rounded(parts: Mapping[str, float]) -> dict[str, float]:
    """Score parts, short enough to read."""
    return {name: round(float(value), 4) for name, value in parts.items()}


def status_of(profile: Profile, node: Node, at: int) -> Status:
    """current | ended | retired | hypothesis | archived, as of the instant."""
    if node.retired_at is not None and node.retired_at <= at:
        return "retired"
    if node.type is NodeType.HYPOTHESIS:
        return "hypothesis"
    if node.valid_to is not None and node.valid_to <= at:
        return "ended"
    if not profile.is_active(node, at):
        return "archived"
    return "current"


def node_view(profile: Profile, node: Node, at: int) -> dict[str, Any]:
    """A node with its weight at the instant and its whole provenance."""
    return {
        "id": node.id,
        "type": node.type.value,
        "content": node.content,
        "subject": node.subject,
        "subject_name": profile.items.name(node.subject),
        "language": node.language,
        "status": status_of(profile, node, at),
        "weight": round(profile.weight(node, at), 4),
        "importance": node.importance,
        "valence": node.valence,
        "confidence": node.confidence,
        "trust": node.trust.value,
        "sensitive": node.sensitive,
        "is_inference": node.is_inference,
        "pinned": node.is_pinned,
        "attributes": dict(node.attributes),
        "created_at": node.created_at,
        "last_reinforced_at": node.last_reinforced_at,
        "valid_from": node.valid_from,
        "valid_to": node.valid_to,
        "retired_at": node.retired_at,
        "touches": len(node.touches),
        "evidence": [evidence_view(profile, e) for e in node.evidence],
    }


def evidence_view(profile: Profile, evidence: Evidence) -> dict[str, Any]:
    """The span of the message that it points at, in the words that were said."""
    message = profile.trace.get(evidence.message)
    view: dict[str, Any] = {
        "message": evidence.message,
        "session": evidence.session,
        "start": evidence.start,
        "end": evidence.end,
    }
    if evidence.when is not None:
        view["when_us"] = evidence.when
    if message is not None:
        view |= {
            "speaker": speaker_name(message),
            "at": message.at,
            "offset_minutes": message.offset_minutes,
            "text": message.content[evidence.start : evidence.end] or message.content[:200],
        }
    return view


def edge_view(edge: Edge) -> dict[str, Any]:
    return {
        "id": edge.id,
        "type": edge.type.value,
        "from": edge.from_id,
        "to": edge.to_id,
        "confidence": round(edge.confidence, 4),
        "is_inferred": edge.is_inferred,
        "trust": edge.trust.value,
        "created_at": edge.created_at,
        "last_confirmed_at": edge.last_confirmed_at,
        "retired_at": edge.retired_at,
    }


def message_view(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "session": message.session,
        "role": message.role.value,
        "speaker": message.speaker,
        "at": message.at,
        "offset_minutes": message.offset_minutes,
        "at_given": message.at_given,
        "language": message.language,
        "app": message.app,
        "position": message.position,
        "content": message.content,
    }


def delta_view(seq: int, delta: GraphDelta) -> dict[str, Any]:
    """What a delta did, in counts; no content."""
    counts: dict[str, int] = {}
    for operation in delta.operations:
        name = type(operation).__name__
        counts[name] = counts.get(name, 0) + 1
    return {
        "id": delta.id,
        "seq": seq,
        "cause": delta.cause.value,
        "recorded_at": delta.recorded_at,
        "operations": counts,
        "reasons": list(delta.reasons),
        "undoes": list(delta.undoes),
        "failed": delta.failed,
    }
