"""From candidates to operations: is it known already, does it change something, or is it new? (design §4.4)

Pure: the scene reads the graph, the draft collects changes. Order of arrival does not matter for weights and timelines.
"""

from __future__ import annotations

from dataclasses import replace

from selfimprint.engine.closing import close_loops, end_ties
from selfimprint.engine.delta import Operation
from selfimprint.engine.draft import Draft
from selfimprint.engine.endings import current_of, is_death, meant_by_end, of_owner, own_animal
from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.graph import DAY_US, EdgeType, Evidence, Message, Node, NodeType, Role
from selfimprint.engine.kin import kin_base
from selfimprint.engine.lookup import Lookup, value_key
from selfimprint.engine.making import Scene, evidence_in, link, mention, new_node, with_attributes
from selfimprint.engine.persons import PERSON_PREFIX, called, person, resolve_subject, speaker_subject
from selfimprint.engine.retelling import is_bare, is_mere_friend, partners_of, same_bearer, told_before
from selfimprint.engine.settings import EngineSettings
from selfimprint.engine.slots import is_sensitive, is_single
from selfimprint.engine.state import GraphState
from selfimprint.engine.timeline import ENDED, matching, part_stays, pinned_while_current, same_stay, settle, values_in

_OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
_LEAST_VALUE_CHARS = 3
_SPEAKERS = (Role.USER, Role.PERSON)


def resolve(
    extraction: Extraction,
    message: Message,
    state: GraphState,
    lookup: Lookup,
    settings: EngineSettings,
    *,
    prefix: str = "",
) -> tuple[Operation, ...]:
    """The operations that this message's candidates amount to. Only the owner's and named persons' words count."""
    if message.role not in _SPEAKERS:
        return ()
    scene = Scene(
        draft=Draft(state),
        lookup=lookup,
        message=message,
        settings=settings,
        prefix=prefix or message.id.replace("m_", "n_", 1),
        language=extraction.language,
    )
    if not extraction.candidates and message.role is Role.USER:
        _mention_values(scene, extraction.said, set())
        return scene.draft.operations()
    scene.speaker = speaker_subject(scene)
    partners = partners_of(extraction)
    ids: dict[int, str] = {}
    # Persons first: what is said of somebody by name belongs to whoever the same message calls "my mum Greet".
    for index in sorted(range(len(extraction.candidates)), key=lambda i: not _is_person(extraction.candidates[i])):
        node_id = _resolve_candidate(scene, extraction.candidates[index], partners.get(index, ()))
        if node_id:
            ids[index] = node_id
    for edge in extraction.links:
        if edge.effect in ids and edge.cause in ids:
            effect, cause = extraction.candidates[edge.effect], extraction.candidates[edge.cause]
            span = evidence_in(scene, min(effect.start, cause.start), max(effect.end, cause.end))
            ends = (ids[edge.effect], ids[edge.cause])
            if edge.type is EdgeType.FOLLOWED_BY:  # runs from the earlier to the later
                ends = ends[::-1]
            link(scene, edge.type, *ends, span, edge.confidence)
    _link_persons(scene, extraction, ids)
    close_loops(scene, extraction)
    end_ties(scene, extraction, ids)
    _mention_values(scene, extraction.said, set(ids.values()))
    return scene.draft.operations()


def _is_person(candidate: Candidate) -> bool:
    return candidate.type is NodeType.PERSON


def _resolve_candidate(scene: Scene, candidate: Candidate, partners: tuple[Candidate, ...]) -> str:
    when = candidate.when[0] if candidate.when is not None else None
    span = evidence_in(scene, candidate.start, candidate.end, when)
    if candidate.modality not in ("stated", "reported"):
        return ""
    if candidate.type is NodeType.PERSON:
        if own_animal(scene, candidate.value) is not None:
            return ""
        if not candidate.value and candidate.persons:
            return called(scene, candidate.persons[0], candidate.relation, span).id
        return person(scene, name=candidate.value, relation=candidate.relation, evidence=span).id
    if candidate.subject.startswith(PERSON_PREFIX):
        animal = own_animal(scene, candidate.subject.removeprefix(PERSON_PREFIX))
        if animal is not None:
            candidate = of_owner(candidate)
            if is_death(candidate):
                gone = with_attributes(mention(scene, animal, span), end_reason=ENDED)
                scene.draft.put(replace(gone, valid_to=when if when is not None else scene.message.at))
    subject = resolve_subject(scene, candidate.subject, candidate.relation, span)
    if candidate.type is NodeType.FACT and candidate.slot:
        return _slotted(scene, candidate, subject, span)
    return _unslotted(scene, candidate, subject, span, partners)


def _slotted(scene: Scene, candidate: Candidate, subject: str, span: Evidence) -> str:
    if is_bare(candidate):
        candidate = replace(candidate, value=kin_base(candidate.value), relation=kin_base(candidate.relation))
    slot, single = candidate.slot, is_single(candidate.slot) and not candidate.beside
    starts = candidate.since if candidate.since is not None else scene.message.at
    known = [n for n in values_in(scene, subject, slot) if not single or not n.attribute("beside")]
    if candidate.polarity < 0:
        return _ended(scene, candidate, subject, span, known)
    if candidate.previous and single and not matching(known, candidate.previous, 1):
        old = _fact(scene, replace(candidate, value=candidate.previous), subject, span)
        scene.draft.put(replace(old, valid_from=None, valid_to=starts))
        known = values_in(scene, subject, slot)
    same = [n for n in matching(known, candidate.value, 1) if not _has_moved_on(candidate, n, starts)]
    node = same_stay(scene, same, known, starts, single)
    if node is None and (node := same_bearer(scene, candidate, known)) is not None:
        if not is_bare(candidate):
            node = with_attributes(node, value=candidate.value)  # known by relation until now
    elif node is None and single and is_bare(candidate) and any(n.valid_to is None for n in known):
        return ""  # "my girlfriend" says too little to replace whoever is known
    elif node is None and is_mere_friend(scene, candidate, known):
        return ""
    if node is not None:
        changed = mention(scene, node, span)
        if candidate.since is not None or (node.valid_from is not None and starts < node.valid_from):
            changed = replace(changed, valid_from=min(starts, node.valid_from or starts))
        if _words(candidate.value) > _words(node.attribute("value")):
            changed = with_attributes(changed, value=candidate.value)
    else:
        if single:
            part_stays(scene, known)
        changed = _fact(scene, candidate, subject, span)
        changed = replace(changed, valid_from=starts, valid_to=candidate.until)
    scene.draft.put(changed if single else pinned_while_current(changed, slot))
    if single:
        settle(scene, subject, slot)
    for other in matching(known, candidate.value, -1):
        _exclude(scene, changed.id, other, starts, span)
    if opposite := _OPPOSITE.get(slot):
        for other in matching(values_in(scene, subject, opposite), candidate.value, 1):
            _exclude(scene, changed.id, other, starts, span)
    return changed.id


def _words(value: str) -> int:
    return len(value_key(value))


def _has_moved_on(candidate: Candidate, node: Node, starts: int) -> bool:
    """Whether of two roles the later is another one: who was a nurse and now is a head nurse was not one before. On one
    day the fuller words only say more of the same."""
    theirs = node.created_at if node.valid_from is None else node.valid_from
    if candidate.slot != "role" or abs(starts - theirs) < DAY_US:
        return False
    gained = _words(candidate.value) - _words(node.attribute("value"))
    return gained > 0 if starts > theirs else gained < 0


def _ended(scene: Scene, candidate: Candidate, subject: str, span: Evidence, known: list[Node]) -> str:
    """A stated end or denial: it closes what it is about; where nothing is known it is kept as said."""
    ends = candidate.until or (candidate.when[0] if candidate.when is not None else scene.message.at)
    targets = meant_by_end(scene, candidate, subject, known)
    if candidate.slot == "employer" and candidate.whichever:  # who lost the job no longer does what it was
        targets += current_of(values_in(scene, subject, "role"))
    targets = [n for n in targets if n.valid_from is None or n.valid_from <= ends]
    if targets:
        for node in targets:
            changed = with_attributes(mention(scene, node, span), end_reason=ENDED)
            scene.draft.put(pinned_while_current(replace(changed, valid_to=ends), node.slot))
        return targets[0].id
    held = matching(known, candidate.value, -1)
    if held:
        scene.draft.put(mention(scene, held[-1], span))
        return held[-1].id
    node = with_attributes(_fact(scene, candidate, subject, span), polarity="-1")
    scene.draft.put(replace(node, valid_from=candidate.since))
    return node.id


def _exclude(scene: Scene, node_id: str, other: Node, starts: int, span: Evidence) -> None:
    """Of two claims that exclude each other the one that begins later ends the earlier, whichever was told first."""
    theirs = other.created_at if other.valid_from is None else other.valid_from
    node = scene.draft.node(node_id)
    if node is not None and theirs > starts:
        _close(scene, node, theirs, other.id, span)
    else:
        _close(scene, other, starts, node_id, span)


def _close(scene: Scene, node: Node, at: int, by: str, span: Evidence) -> None:
    if node.valid_to is not None and node.valid_to <= at:
        return
    closed = with_attributes(replace(node, valid_to=at), end_reason=ENDED)
    scene.draft.put(pinned_while_current(closed, node.slot))
    link(scene, EdgeType.CONTRADICTS, by, node.id, span, confidence=1.0)


def _fact(scene: Scene, candidate: Candidate, subject: str, span: Evidence) -> Node:
    return new_node(
        scene,
        node_type=NodeType.FACT,
        content=candidate.content,
        subject=subject,
        evidence=span,
        attributes=_attributes(candidate),
        valence=candidate.valence,
        importance=candidate.importance,
        sensitive=candidate.sensitive or is_sensitive(candidate.slot),
    )


def _attributes(candidate: Candidate) -> dict[str, str]:
    when = candidate.when
    return {
        "slot": candidate.slot,
        "value": candidate.value,
        "previous": candidate.previous,
        "place": candidate.place,
        "relation": candidate.relation if candidate.slot else "",
        "person": "|".join(candidate.persons),
        "when": str(when[0]) if when else "",
        "when_end": str(when[1]) if when else "",
        "when_text": candidate.when_text,
        "recurring": "yes" if candidate.recurring else "",
        "beside": "yes" if candidate.beside else "",
        "polarity": "-1" if candidate.polarity < 0 and not candidate.slot else "",
        "rule": candidate.reason,
    }


def _unslotted(
    scene: Scene, candidate: Candidate, subject: str, span: Evidence, partners: tuple[Candidate, ...]
) -> str:
    same = told_before(scene, candidate, subject, partners)
    if same is not None:
        changed = mention(scene, same, span)
        if candidate.when is not None and not same.attribute("when"):
            start, end = candidate.when
            changed = with_attributes(changed, when=str(start), when_end=str(end), when_text=candidate.when_text)
        scene.draft.put(changed)
        return changed.id
    threshold = scene.settings.limits.emotional_threshold
    if candidate.type is NodeType.EMOTIONAL_NOTE and abs(candidate.valence) < threshold:
        return ""
    node = new_node(
        scene,
        node_type=candidate.type,
        content=candidate.content,
        subject=subject,
        evidence=span,
        attributes=_attributes(candidate),
        valence=candidate.valence,
        importance=candidate.importance,
        valid_from=candidate.when[0] if candidate.when else None,
        sensitive=candidate.sensitive,
    )
    scene.draft.put(node)
    return node.id


def _link_persons(scene: Scene, extraction: Extraction, ids: dict[int, str]) -> None:
    """Every node that names a person is associated with that person's node."""
    for index, candidate in enumerate(extraction.candidates):
        if index not in ids or candidate.type is NodeType.PERSON:
            continue
        node = scene.draft.node(ids[index])
        if node is None:
            continue
        span = evidence_in(scene, candidate.start, candidate.end)
        if node.subject not in ("self", node.id) and scene.draft.node(node.subject) is not None:
            link(scene, EdgeType.ASSOCIATED_WITH, node.id, node.subject, span)
        for name in candidate.persons:
            bearer = called(scene, name, "", span)
            link(scene, EdgeType.ASSOCIATED_WITH, node.id, bearer.id, span)


def _mention_values(scene: Scene, said: str, already: set[str]) -> None:
    """A slotted value named again in passing ("Rex was wild today") is a mention of that fact; asking for it, supposing
    or denying it is none."""
    for node_id in scene.lookup.with_value_in(value_key(said), _LEAST_VALUE_CHARS):
        if node_id in already or scene.draft.changed(node_id):
            continue
        node = scene.draft.node(node_id)
        if node is None or node.retired_at is not None or node.valid_to is not None:
            continue
        if node.valid_from is not None and node.valid_from > scene.message.at:
            continue  # an old message told late cannot mean what began after it
        scene.draft.put(mention(scene, node, None))
