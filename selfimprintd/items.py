"""What the hot index is told of a turn or a node."""

from __future__ import annotations

from selfimprint.engine.graph import SELF, Message, Node, NodeType, Role
from selfimprint.engine.recall.items import Item
from selfimprint.engine.state import GraphState

from selfimprintd.trace import Trace


class Items:
    def __init__(self, state: GraphState, trace: Trace) -> None:
        self._state = state
        self._trace = trace

    def turn(self, message: Message) -> Item:
        return Item(
            key=message.id,
            kind="turn",
            text=message.content,
            speaker=speaker_name(message),
            role=message.role.value,
            session=message.session,
            position=message.position,
            at_us=message.at,
            language=message.language,
        )

    def node(self, node: Node) -> Item:
        proof = node.evidence[0] if node.evidence else None
        message = self._trace.get(proof.message) if proof is not None else None
        when = node.attribute("when")
        return Item(
            key=node.id,
            kind="node",
            text=_node_text(node),
            speaker=speaker_name(message) if message is not None else SELF,
            role=message.role.value if message is not None else Role.USER.value,
            session=proof.session if proof is not None else "",
            at_us=node.created_at,
            language=node.language,
            node_type=node.type.value,
            subject=self.name(node.subject),
            turn_key=proof.message if proof is not None else "",
            when_us=(int(when), int(node.attribute("when_end") or when)) if when else None,
        )

    def name(self, subject: str) -> str:
        """The display name of a subject: `self`, or the person's."""
        if subject == SELF:
            return SELF
        person = self._state.nodes.get(subject)
        return "" if person is None else person.attribute("name") or person.attribute("relation")


def speaker_name(message: Message) -> str:
    """The owner is `self`; anybody else the name given, or the role."""
    if message.role is Role.USER:
        return SELF
    return message.speaker or message.role.value


def _node_text(node: Node) -> str:
    if node.type is NodeType.PERSON:
        return " ".join(x for x in (node.attribute("relation"), node.attribute("name")) if x) or node.content
    return node.content
