"""The one door: what a delta must be to enter. Pure; the caller journals what is let in and counts what is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    Cause,
    GraphDelta,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.graph import ATTRIBUTE_KEYS, Edge, Evidence, Message, Node, NodeType, Trust
from selfimprint.engine.policy import judge_inference
from selfimprint.engine.settings import EngineSettings, LimitSettings
from selfimprint.engine.state import GraphState, check_applicable

LookUp = Callable[[str], Node | None]

_MAY_REMOVE = frozenset({Cause.UNDO})
_MAY_SPEAK = frozenset({Cause.INGEST, Cause.IMPORT})
_MAY_ONLY_INFER = frozenset({Cause.SLEEP, Cause.COMPACTION})
_MAY_INFER = frozenset({Cause.SLEEP, Cause.ENRICHMENT, Cause.UNDO})


def admit(delta: GraphDelta, state: GraphState, settings: EngineSettings) -> None:
    """Let the delta in or raise DeltaRefused with every reason. Nothing is changed here."""
    reasons = tuple(dict.fromkeys(_reasons(delta, state, settings)))
    if reasons:
        raise DeltaRefused(reasons)
    check_applicable(delta, state)


def _reasons(delta: GraphDelta, state: GraphState, settings: EngineSettings) -> Iterator[str]:
    limits = settings.limits
    if not delta.id or len(delta.id) > limits.identifier_chars:
        yield "a delta needs an id"
    if len(delta.operations) > limits.operations_a_delta:
        yield "too many operations in one delta"
    added = {op.node.id: op.node for op in delta.operations if isinstance(op, AddNode)}
    added |= {op.after.id: op.after for op in delta.operations if isinstance(op, SetNode)}

    def look_up(node_id: str) -> Node | None:
        return added.get(node_id) or state.nodes.get(node_id)

    for operation in delta.operations:
        match operation:
            case PutMessage(message=message):
                if delta.cause not in _MAY_SPEAK:
                    yield "only ingest and import bring messages"
                yield from _message_reasons(message, limits)
            case AddNode(node=node) | SetNode(after=node):
                yield from _node_reasons(node, limits)
                claims = not (isinstance(operation, SetNode) and _claim(operation.before) == _claim(node))
                if claims and delta.cause in _MAY_ONLY_INFER and not _inferring(operation):
                    yield "sleep and compaction may infer, link and re-weight; they state nothing and rewrite nothing"
                if claims and (node.is_inference or node.type is NodeType.HYPOTHESIS):
                    yield from _inference_reasons(node, delta.cause, look_up)
            case AddEdge(edge=edge) | SetEdge(after=edge):
                yield from _edge_reasons(edge, limits)
                claims = not (isinstance(operation, SetEdge) and _edge_claim(operation.before) == _edge_claim(edge))
                if claims and edge.is_inferred:
                    yield from _inferred_edge_reasons(edge, delta.cause, look_up)
            case RemoveNode() | RemoveEdge():
                if delta.cause not in _MAY_REMOVE:
                    yield "only an undo takes records away; anything else retires them"


def _inferring(operation: AddNode | SetNode) -> bool:
    """A new inference, or one that evidence has converted (design §6): the same words, now corroborated."""
    if isinstance(operation, AddNode):
        return operation.node.is_inference
    before, after = operation.before, operation.after
    kept = (before.content, before.subject, before.attributes) == (after.content, after.subject, after.attributes)
    return before.is_inference and kept and after.trust in (Trust.INFERRED, Trust.CORROBORATED)


def _claim(node: Node) -> tuple[object, ...]:
    """What a node says. A change of anything else (a pin, a retirement, a confidence) infers nothing new."""
    return node.type, node.content, node.subject, node.attributes, node.is_inference, node.trust


def _edge_claim(edge: Edge) -> tuple[object, ...]:
    return edge.type, edge.from_id, edge.to_id, edge.is_inferred, edge.trust


def _writable(*texts: str) -> bool:
    """Whether the texts have a UTF-8 form; half of a surrogate pair has none."""
    try:
        return all(text.isascii() or text.encode() for text in texts)
    except UnicodeEncodeError:
        return False


def _within(instants: Iterable[int | None], low: int, high: int) -> bool:
    return all(at is None or low <= at <= high for at in instants)


def _message_reasons(message: Message, limits: LimitSettings) -> Iterator[str]:
    if not message.id or not message.session:
        yield "a message needs an id and a session"
    if len(message.content.encode(errors="replace")) > limits.content_bytes:
        yield "a message is too long; split it"
    if not limits.earliest_us <= message.at <= limits.latest_us:
        yield "a message's instant is out of range"
    if abs(message.offset_minutes) > 24 * 60:
        yield "a UTC offset is out of range"
    if not _writable(message.id, message.session, message.speaker, message.content, message.app, message.key):
        yield "a text holds half of a surrogate pair"


def _node_reasons(node: Node, limits: LimitSettings) -> Iterator[str]:
    if not node.id or len(node.id) > limits.identifier_chars or not node.subject:
        yield "a node needs an id and a subject"
    if node.id.split() not in ([], [node.id]):
        yield "a node's id holds white space"
    if not _writable(node.id, node.subject, node.content, *(text for pair in node.attributes for text in pair)):
        yield "a text holds half of a surrogate pair"
    if not node.content.strip() or len(node.content) > limits.node_content_chars:
        yield "a node's content is empty or too long"
    for value, low in ((node.valence, -1.0), (node.importance, 0.0), (node.confidence, 0.0)):
        if not (math.isfinite(value) and low <= value <= 1.0):
            yield "a node's number is out of range"
    if node.type is NodeType.EMOTIONAL_NOTE and abs(node.valence) < limits.emotional_threshold:
        yield "an emotional note needs a feeling that is strong enough"
    if {key for key, _ in node.attributes} - ATTRIBUTE_KEYS:
        yield "a node has an unknown attribute"
    if len({key for key, _ in node.attributes}) != len(node.attributes):
        yield "a node has an attribute twice"
    if any(len(value) > limits.attribute_chars for _, value in node.attributes):
        yield "a node's attribute is too long"
    if not node.evidence and not node.is_inference:
        yield "what was observed needs evidence in a message"
    if node.trust is Trust.INFERRED and not node.is_inference:
        yield "what is only inferred must say so"
    if not node.touches or not node.pieces:
        yield "a node needs a first touch and a coefficient"
    if len(node.touches) > limits.touches_a_node or len(node.evidence) > limits.evidence_a_node:
        yield "a node has too many touches or pieces of evidence"
    if any(not (math.isfinite(p.coefficient) and 0.0 < p.coefficient <= 1.0) for p in node.pieces):
        yield "a coefficient must lie in (0, 1]"
    if not _within((t.at for t in node.touches), limits.earliest_us, limits.latest_us):
        yield "a touch's instant is out of range"
    instants = (node.created_at, node.retired_at, node.archived_at, node.valid_from, node.valid_to)
    spans = (at for piece in node.pieces for at in (piece.since, piece.until))
    if not _within((*instants, *spans), limits.earliest_valid_us, limits.latest_valid_us):
        yield "a node's instant is out of range"
    yield from _evidence_reasons(node.evidence, limits)


def _evidence_reasons(evidence: tuple[Evidence, ...], limits: LimitSettings) -> Iterator[str]:
    if any(e.start < 0 or e.end < e.start for e in evidence):
        yield "an evidence span is no span"
    if not _within((e.when for e in evidence), limits.earliest_valid_us, limits.latest_valid_us):
        yield "an occurrence's instant is out of range"


def _inference_reasons(node: Node, cause: Cause, look_up: LookUp) -> Iterator[str]:
    if cause not in _MAY_INFER:
        yield "only sleep and enrichment may infer"
    if node.is_inference and node.trust is not Trust.INFERRED:
        yield "an inference is never trusted as something said"
    if node.type is NodeType.HYPOTHESIS and not node.is_inference:
        yield "a hypothesis is an inference"
    cited = [look_up(i) for i in node.attribute("cites").split()]
    if any(c is None for c in cited):
        yield "an inference cites an unknown node"
        return
    verdict = judge_inference(node, tuple(c for c in cited if c is not None))
    if not verdict.allowed:
        yield verdict.reason


def _edge_reasons(edge: Edge, limits: LimitSettings) -> Iterator[str]:
    if not edge.id or edge.from_id == edge.to_id:
        yield "an edge needs an id and two different ends"
    if not (math.isfinite(edge.confidence) and 0.0 <= edge.confidence <= 1.0):
        yield "an edge's confidence is out of range"
    if not edge.is_inferred and not edge.evidence:
        yield "an observed edge needs evidence in a message"
    if edge.is_inferred is not (edge.trust is Trust.INFERRED):
        yield "an edge is trusted as inferred exactly when it is inferred"
    if len(edge.evidence) > limits.evidence_a_node:
        yield "an edge has too many pieces of evidence"
    instants = (edge.created_at, edge.last_confirmed_at, edge.retired_at)
    if not _within(instants, limits.earliest_valid_us, limits.latest_valid_us):
        yield "an edge's instant is out of range"
    yield from _evidence_reasons(edge.evidence, limits)


def _inferred_edge_reasons(edge: Edge, cause: Cause, look_up: LookUp) -> Iterator[str]:
    if cause not in _MAY_INFER:
        yield "only sleep and enrichment may infer"
    ends = (look_up(edge.from_id), look_up(edge.to_id))
    if any(end is not None and end.sensitive for end in ends):
        yield "no inferred edge to or from what is sensitive"
