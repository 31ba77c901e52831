"""How new nodes and edges look, and how a mention changes one that is there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from selfimprint.engine.decay import starting_pieces
from selfimprint.engine.draft import Draft
from selfimprint.engine.graph import (
    Edge,
    EdgeType,
    Evidence,
    Message,
    Node,
    NodeType,
    Role,
    Touch,
    TouchKind,
    Trust,
)
from selfimprint.engine.lookup import Lookup
from selfimprint.engine.settings import EngineSettings


@dataclass(slots=True, kw_only=True)
class Scene:
    """Everything a resolution works with: the draft, the lookup, the message and who speaks."""

    draft: Draft
    lookup: Lookup
    message: Message
    settings: EngineSettings
    prefix: str
    language: str
    speaker: str = ""
    made: int = 0

    def new_id(self) -> str:
        """Ids follow from the message's own; one that is taken, by an earlier reading of it, is never given again."""
        while True:
            self.made += 1
            if self.draft.node(f"{self.prefix}.{self.made}") is None:
                return f"{self.prefix}.{self.made}"


def trust_for(role: Role, about_speaker: bool) -> Trust:
    """What a statement's source makes of it (design §1.6)."""
    if role is Role.USER:
        return Trust.USER_STATED if about_speaker else Trust.USER_ABOUT_OTHER
    if role is Role.PERSON:
        return Trust.PERSON_ABOUT_SELF if about_speaker else Trust.OTHER_SAID
    return Trust.ASSISTANT_SAID if role is Role.ASSISTANT else Trust.DOCUMENT


def evidence_in(scene: Scene, start: int, end: int, when: int | None = None) -> Evidence:
    return Evidence(session=scene.message.session, message=scene.message.id, start=start, end=end, when=when)


def new_node(
    scene: Scene,
    *,
    node_type: NodeType,
    content: str,
    subject: str,
    evidence: Evidence,
    attributes: dict[str, str],
    valence: float = 0.0,
    importance: float = 0.5,
    valid_from: int | None = None,
    valid_to: int | None = None,
    sensitive: bool = False,
    node_id: str = "",
) -> Node:
    """A node that starts at 1.0 at the message's instant with its type's coefficient."""
    at = scene.message.at
    coefficient = scene.settings.decay.of_type(node_type, valence=valence, importance=importance)
    limits = scene.settings.limits
    return Node(
        id=node_id or scene.new_id(),
        type=node_type,
        content=content[: limits.node_content_chars],
        subject=subject,
        language=scene.language,
        created_at=at,
        trust=trust_for(scene.message.role, subject == scene.speaker),
        touches=(Touch(at=at, kind=TouchKind.CREATED, message=scene.message.id),),
        pieces=starting_pieces(coefficient),
        evidence=(evidence,),
        attributes=tuple(sorted((k, v[: limits.attribute_chars]) for k, v in attributes.items() if v)),
        valence=max(-1.0, min(1.0, valence)),
        importance=max(0.0, min(1.0, importance)),
        valid_from=valid_from,
        valid_to=valid_to,
        sensitive=sensitive,
    )


def mention(scene: Scene, node: Node, evidence: Evidence | None) -> Node:
    """The node after this message mentioned it: one touch a message, the evidence added, +0.15 by the fold."""
    limits = scene.settings.limits
    message = scene.message
    touches, proofs = node.touches, node.evidence
    if all(t.message != message.id for t in touches) and len(touches) < limits.touches_a_node:
        touches = tuple(sorted((*touches, Touch(at=message.at, kind=TouchKind.MENTIONED, message=message.id))))
    if evidence is not None and evidence not in proofs and len(proofs) < limits.evidence_a_node:
        proofs = (*proofs, evidence)
    return replace(
        node, touches=touches, evidence=proofs, created_at=min(node.created_at, message.at), archived_at=None
    )


def with_attributes(node: Node, **changes: str) -> Node:
    """The node with attributes set; an empty value removes one."""
    merged = {**dict(node.attributes), **changes}
    return replace(node, attributes=tuple(sorted((k, v) for k, v in merged.items() if v)))


def link(
    scene: Scene,
    edge_type: EdgeType,
    from_id: str,
    to_id: str,
    evidence: Evidence,
    confidence: float | None = None,
) -> None:
    """Draft an observed edge, or confirm the one that is there. Both ends must be in the draft or the graph."""
    if from_id == to_id:
        return
    edge_id = f"{from_id}>{to_id}:{edge_type.value}"
    at = scene.message.at
    held = scene.draft.edge(edge_id)
    trust = trust_for(scene.message.role, True)
    sure = scene.settings.resolve.observed_confidence if confidence is None else confidence
    if held is not None:
        if evidence in held.evidence:
            return
        proofs = (*held.evidence, evidence)[: scene.settings.limits.evidence_a_node]
        scene.draft.put_edge(
            replace(
                held,
                evidence=proofs,
                last_confirmed_at=max(held.last_confirmed_at, at),
                confidence=max(held.confidence, sure),
                is_inferred=False,
                trust=trust if held.is_inferred else held.trust,
                retired_at=None,
            )
        )
        return
    scene.draft.put_edge(
        Edge(
            id=edge_id,
            type=edge_type,
            from_id=from_id,
            to_id=to_id,
            confidence=sure,
            is_inferred=False,
            created_at=at,
            last_confirmed_at=at,
            trust=trust,
            evidence=(evidence,),
        )
    )
