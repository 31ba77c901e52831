"""Is it told already? Finds the node that a statement without a slot repeats, so that chains told in pieces join up."""

from __future__ import annotations

from collections.abc import Iterable

from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.graph import DAY_US, EdgeType, Node, NodeType
from selfimprint.engine.kin import kin_key
from selfimprint.engine.lookup import names_of, value_key
from selfimprint.engine.making import Scene

PLAIN = ("linked", "link.part")
"""Reasons of candidates that a link alone made: whom they are about no rule has read."""


def partners_of(extraction: Extraction) -> dict[int, tuple[Candidate, ...]]:
    """For each candidate of a link the candidates at the other ends of its links."""
    found: dict[int, tuple[Candidate, ...]] = {}
    for edge in extraction.links:
        for one, other in ((edge.effect, edge.cause), (edge.cause, edge.effect)):
            found[one] = (*found.get(one, ()), extraction.candidates[other])
    return found


def told_before(scene: Scene, candidate: Candidate, subject: str, partners: tuple[Candidate, ...]) -> Node | None:
    """The node of the same subject that says the same: enough shared stems and no different date. A clause of a causal
    link (it has `partners`) may match more loosely, and any type; a few words in one name what was told before."""
    rules, linked = scene.settings.resolve, bool(partners)
    stems = scene.lookup.analyze(candidate.content, scene.language)
    if len(stems) < rules.link_min_stems:
        return _named(scene, candidate, subject, stems, partners) or _read_before(scene, candidate, stems)
    needed = rules.same_link_overlap if linked else rules.same_event_overlap
    drafted = [(n.id, len(stems & scene.lookup.analyze(n.content, n.language))) for n in scene.draft.drafted()]
    best: tuple[float, str] | None = None
    found: Node | None = None
    for node_id, shared in (*scene.lookup.similar(stems, rules.link_min_stems), *drafted):
        node = scene.draft.node(node_id)
        if node is None or shared < rules.link_min_stems or not _comparable(scene, node, candidate, subject, linked):
            continue
        theirs = scene.lookup.stems.get(node_id) or scene.lookup.analyze(node.content, node.language)
        overlap = len(stems & theirs) / max(1, min(len(stems), len(theirs)))
        union = len(stems & theirs) / max(1, len(stems | theirs))
        if overlap >= needed and (linked or union >= needed / 2) and (best is None or (union, node_id) > best):
            best, found = (union, node_id), node
    return found or _named(scene, candidate, subject, stems, partners)


def _named(
    scene: Scene, candidate: Candidate, subject: str, stems: frozenset[str], partners: tuple[Candidate, ...]
) -> Node | None:
    """What a cause or effect of few words ("because of the move") points back to: the latest node that has them all,
    one that already stands in a chain before others. Never the other half of the same link."""
    rules = scene.settings.resolve
    if not partners or not stems or len(stems) > rules.named_max_stems:
        return None
    here = [(p.start, p.end) for p in partners]
    found = []
    for node_id in scene.lookup.holding(stems, rules.named_max_nodes):
        node = scene.draft.node(node_id)
        if node is None or not _comparable(scene, node, candidate, subject, True):
            continue
        spans = [(e.start, e.end) for e in node.evidence if e.message == scene.message.id]
        if any(a < stop and start < b for a, b in spans for start, stop in here):
            continue
        found.append(node)
    if not found:
        return None
    state = scene.draft.state
    in_chain = {n.id for n in found if any(e.type is EdgeType.CAUSED_BY for e in state.edges_of(n.id))}
    return max(found, key=lambda n: (n.id in in_chain, n.type is not NodeType.FACT, n.last_reinforced_at, n.id))


def _read_before(scene: Scene, candidate: Candidate, stems: frozenset[str]) -> Node | None:
    """The node that an earlier reading of this very span made; words this few make nothing else the same."""
    for node_id, _ in scene.lookup.similar(stems, 1):
        node = scene.draft.node(node_id)
        if node is None or (node.type, node.content) != (candidate.type, candidate.content):
            continue
        if (scene.message.id, candidate.start, candidate.end) in ((e.message, e.start, e.end) for e in node.evidence):
            return node
    return None


def _comparable(scene: Scene, node: Node, candidate: Candidate, subject: str, linked: bool) -> bool:
    is_plain = candidate.reason in PLAIN or node.attribute("rule") in PLAIN
    about = node.subject == subject or (linked and is_plain)
    if not about or node.retired_at is not None or node.type is NodeType.PERSON or node.is_inference:
        return False
    if node.type is not candidate.type and not linked:
        return False
    window = scene.settings.resolve.link_window_days * DAY_US
    if abs(scene.message.at - node.last_reinforced_at) > window and candidate.type is not NodeType.FACT:
        return False
    if candidate.when is not None and node.attribute("when") and not candidate.recurring:
        start, end = int(node.attribute("when")), int(node.attribute("when_end"))
        return candidate.when[0] < end and start < candidate.when[1]
    return (node.attribute("polarity") == "-1") == (candidate.polarity < 0)


def is_bare(candidate: Candidate) -> bool:
    """Whether somebody is named only by what they are to the speaker."""
    return bool(candidate.relation) and value_key(candidate.value) == value_key(candidate.relation)


_SPOUSES = ("wife", "husband", "spouse")


def is_mere_friend(scene: Scene, candidate: Candidate, known: Iterable[Node]) -> bool:
    """Whether someone named in passing as a "Freundin", a "copine" or a "girlfriend" is a friend of who is married: a
    new partner would be told in other words."""
    if candidate.slot != "partner" or candidate.reason != "mention.relation":
        return False
    if kin_key(candidate.relation) in _SPOUSES:
        return False
    return any(n.valid_to is None and _relations(scene, n) & set(_SPOUSES) for n in known)


def _relations(scene: Scene, fact: Node) -> set[str]:
    """What the person whom a fact names is to the owner."""
    bearers = [scene.draft.node(i) for i in scene.lookup.named(fact.attribute("value"))]
    said = (fact.attribute("relation"), *(b.attribute("relation") for b in bearers if b is not None))
    return {kin_key(relation) for relation in said if relation}


def same_bearer(scene: Scene, candidate: Candidate, known: Iterable[Node]) -> Node | None:
    """The current fact about the person whom the candidate means by relation: "my wife" is Ann where Ann is known as
    the wife, and "my wife Ann" gives a name to whom the memory knew as "wife"."""
    relation = candidate.relation
    current = [n for n in known if n.valid_to is None and n.attribute("polarity") != "-1"]
    if not relation or not current:
        return None
    if not is_bare(candidate):
        nameless = [n for n in current if kin_key(n.attribute("value")) == kin_key(relation)]
        return nameless[0] if nameless else None
    people = [scene.draft.node(i) for i in scene.lookup.related(relation)]
    people += [n for n in scene.draft.drafted() if n.type is NodeType.PERSON]
    bearers = [p for p in people if p is not None and kin_key(p.attribute("relation")) == kin_key(relation)]
    names = {value_key(name) for p in bearers for name in names_of(p)}
    held = [
        n for n in current
        if value_key(n.attribute("value")) in names or kin_key(n.attribute("value")) == kin_key(relation)
    ]  # fmt: skip
    return held[-1] if held else None
