"""What a message settles without naming it: loops that were done, ties that a death ended."""

from __future__ import annotations

from dataclasses import replace

from selfimprint.engine.endings import current_of, is_death
from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.graph import SELF, Node, NodeType
from selfimprint.engine.lookup import akin, names_of, value_key
from selfimprint.engine.making import Scene, evidence_in, mention, with_attributes
from selfimprint.engine.timeline import ENDED, pinned_while_current, values_in

DONE = "done"
"""`end_reason` of an open loop that the speaker reported as done or decided."""
UNDECIDED = "loop.undecided"
_TIES = ("partner", "child", "sibling", "parent", "grandparent", "relative", "friend", "colleague")
_LEAST_STEMS = 2
_REPEATED_SHARE = 0.5


def close_loops(scene: Scene, extraction: Extraction) -> None:
    """End the speaker's open loops whose words a told event repeats ("I have to hand in my notice", "handed in my
    notice"); what was undecided is also settled by a plan or a fact ("whether to move", "we're moving")."""
    for candidate in extraction.candidates:
        if candidate.modality != "stated" or candidate.subject != SELF or candidate.polarity < 0:
            continue
        if candidate.type not in (NodeType.EVENT, NodeType.FACT):
            continue
        told = scene.lookup.analyze(candidate.content, scene.language)
        for node_id, _ in scene.lookup.similar(told, 1):
            node = scene.draft.node(node_id)
            if node is not None and _is_open(scene, node) and _settles(scene, candidate, told, node):
                span = evidence_in(scene, candidate.start, candidate.end)
                closed = with_attributes(mention(scene, node, span), end_reason=DONE)
                scene.draft.put(replace(closed, valid_to=scene.message.at))


def _is_open(scene: Scene, node: Node) -> bool:
    said_here = any(e.message == scene.message.id for e in node.evidence)
    told_before = node.created_at < scene.message.at and not said_here
    open_loop = node.type is NodeType.OPEN_LOOP and node.valid_to is None and node.retired_at is None
    return open_loop and told_before and node.subject == scene.speaker


def _settles(scene: Scene, candidate: Candidate, told: frozenset[str], loop: Node) -> bool:
    undecided = loop.attribute("rule") == UNDECIDED
    if candidate.type is NodeType.FACT and not undecided:
        return False
    value = loop.attribute("value") or loop.content
    wanted = scene.lookup.analyze(value, loop.language) - scene.lookup.analyze(
        loop.attribute("when_text"), loop.language
    )
    if len(wanted) < (1 if undecided else _LEAST_STEMS):
        return False
    found = sum(any(stem == other or akin(stem, other) for other in told) for stem in wanted)
    least = 1 if undecided else _LEAST_STEMS
    return found >= min(len(wanted), max(least, _REPEATED_SHARE * len(wanted)))


def end_ties(scene: Scene, extraction: Extraction, ids: dict[int, str]) -> None:
    """Somebody's death ends what they were to the speaker: it is told as history from then on."""
    for index, candidate in enumerate(extraction.candidates):
        node = scene.draft.node(ids[index]) if index in ids and is_death(candidate) else None
        bearer = scene.draft.node(node.subject) if node is not None else None
        if node is None or bearer is None or bearer.type is not NodeType.PERSON:
            continue
        at = candidate.when[0] if candidate.when is not None else scene.message.at
        called = {value_key(name) for name in (*names_of(bearer), bearer.attribute("relation")) if name}
        for slot in _TIES:
            for tie in current_of(values_in(scene, scene.speaker, slot)):
                if value_key(tie.attribute("value")) in called:
                    ended = replace(with_attributes(tie, end_reason=ENDED), valid_to=max(at, tie.valid_from or at))
                    scene.draft.put(pinned_while_current(ended, slot))
