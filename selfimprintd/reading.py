"""The second reading (design §4.6): when a turn's vector has come, the heads judge it and correct the rules."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
from selfimprint.engine.delta import Cause, GraphDelta, Operation, SetNode
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.graph import Message, Node, NodeType, Role
from selfimprint.engine.recall.calibrate import Calibration
from selfimprint.engine.resolve import resolve
from selfimprint.models.heads import Heads, Judgement

from selfimprintd.profile import Profile

log = logging.getLogger("selfimprintd.reading")
MAX_ADDED_CHARS = 240
"""A turn longer than this holds more than one thing: the heads judge it whole and may not add it whole."""
_RETIRABLE = (NodeType.EVENT, NodeType.EMOTIONAL_NOTE, NodeType.OPEN_LOOP, NodeType.FACT)


class Reading:
    """`heads` None: no second reading. Reading a turn again (after a crash, vectors come again) changes nothing more:
    what was retired is retired, and what was added stands where the rules had found nothing."""

    def __init__(self, heads: Heads | None, calibration: Calibration) -> None:
        self._heads = heads
        self._calibration = calibration

    def read(self, profile: Profile, message_ids: list[str]) -> None:
        """Judge the turns and commit what follows from it."""
        if self._heads is None:
            return
        with profile.lock:
            messages = [m for i in message_ids if (m := profile.trace.get(i)) is not None]
            for message in messages:
                vector = profile.vector_of(message.id)
                if vector is not None:
                    self._correct(profile, message, self._heads.judge(vector[np.newaxis])[0])

    def _correct(self, profile: Profile, message: Message, judgement: Judgement) -> None:
        assert self._heads is not None
        if message.role not in (Role.USER, Role.PERSON) or message.id in profile.failed:
            return
        advice = self._heads.advice
        made = [n for n in profile.nodes_from(message.id) if n.type is not NodeType.PERSON]
        idle = [n for n in made if _retirable(n, message) and self._idle(profile, n)]
        operations: tuple[Operation, ...] = ()
        reason = ""
        if idle and advice.retires(judgement):
            operations = tuple(_retirement(n, profile.clock.now_us()) for n in idle)
            reason = f"not worth keeping ({judgement.worth:.2f})"
        elif (
            not made
            and (kind := advice.adds(judgement)) is not None
            and len(message.content) <= MAX_ADDED_CHARS
            and not profile.sent.echoes(message.content, message.at)
        ):
            operations = self._addition(profile, message, NodeType(kind), judgement)
            reason = f"worth keeping ({judgement.worth:.2f}), where the rules found nothing"
        if not operations:
            return
        delta = GraphDelta(
            id="d_heads_" + message.id.removeprefix("m_"),
            cause=Cause.HEADS,
            recorded_at=profile.clock.now_us(),
            operations=operations,
            reasons=(reason,),
        )
        try:
            profile.commit(delta)
        except DeltaRefused as refusal:
            log.info("a second reading was refused: %s", "; ".join(refusal.reasons))

    def _idle(self, profile: Profile, node: Node) -> bool:
        """The clause alone is not worth keeping either: a turn may be small talk around one thing that matters."""
        assert self._heads is not None
        vector = profile.vector_of(node.id)
        return vector is not None and self._heads.advice.retires(self._heads.judge(vector[np.newaxis])[0])

    def _addition(
        self, profile: Profile, message: Message, kind: NodeType, judgement: Judgement
    ) -> tuple[Operation, ...]:
        about = judgement.about
        if about.get("self", 0.0) < max(about.values()) and kind is not NodeType.EVENT:
            return ()  # about somebody whom only the rules could name
        text = message.content.strip()
        start = message.content.find(text)
        candidate = Candidate(
            type=kind,
            content=text,
            start=start,
            end=start + len(text),
            valence=judgement.valence,
            importance=judgement.importance,
            reason="heads",
        )
        extraction = Extraction(language=message.language, candidates=(candidate,))
        prefix = message.id.replace("m_", "h_", 1)
        return resolve(extraction, message, profile.state, profile.lookup, profile.settings.engine, prefix=prefix)


def _retirable(node: Node, message: Message) -> bool:
    """Only what this turn alone made, and no slot: what was said in so many words stays."""
    alone = all(e.message == message.id for e in node.evidence)
    return alone and not node.slot and node.type in _RETIRABLE and node.retired_at is None and not node.is_pinned


def _retirement(node: Node, at: int) -> SetNode:
    return SetNode(before=node, after=replace(node, retired_at=at))
