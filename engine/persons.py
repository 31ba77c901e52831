"""Who is meant: one node for each person, found by name or by relation to the speaker."""

from __future__ import annotations

from dataclasses import replace

from selfimprint.engine.graph import SELF, Evidence, Node, NodeType
from selfimprint.engine.kin import kin_base, kin_key
from selfimprint.engine.lookup import names_of
from selfimprint.engine.making import Scene, mention, new_node, with_attributes
from selfimprint.engine.sounds import is_cyrillic, sound

PERSON_PREFIX = "person:"


def speaker_subject(scene: Scene) -> str:
    """The owner for a user's message; the person node of the named speaker else."""
    message = scene.message
    if message.role.value == "user":
        return SELF
    proof = Evidence(session=message.session, message=message.id, start=0, end=0)
    return person(scene, name=message.speaker or "someone", relation="", evidence=proof, speaking=True).id


def person(scene: Scene, *, name: str, relation: str, evidence: Evidence, speaking: bool = False) -> Node:
    """Find or draft the person. A name finds its bearer unless the relations differ ("my boss Anna", "my sister
    Anna"); a bare relation finds the one who has it; a name given later is added to a nameless relation."""
    relation = kin_base(relation)
    found = _find(scene, name, relation)
    if found is None:
        attributes = {"name": name, "relation": relation}
        node = new_node(
            scene,
            node_type=NodeType.PERSON,
            content=name or relation,
            subject="?",
            evidence=evidence,
            attributes=attributes,
        )
        node = replace(node, subject=node.id)
    else:
        node = mention(scene, found, None if speaking else evidence)
        if name and not found.attribute("name"):
            node = replace(with_attributes(node, name=name), content=name)
        if relation and not found.attribute("relation"):
            node = with_attributes(node, relation=relation)
    scene.draft.put(node)
    return node


def resolve_subject(scene: Scene, subject: str, relation: str, evidence: Evidence) -> str:
    """`self` is the speaker; `person:<name or relation>` that person's node."""
    if not subject.startswith(PERSON_PREFIX):
        return scene.speaker
    return called(scene, subject.removeprefix(PERSON_PREFIX).strip(), relation, evidence).id


def called(scene: Scene, word: str, relation: str, evidence: Evidence) -> Node:
    """The person behind a word that is a name, or what somebody is to the speaker ("wife")."""
    is_relation = word.casefold() == relation.casefold() or (word[:1].islower() and not relation)
    if is_relation and not _bearers(scene, word):
        return person(scene, name="", relation=relation or word, evidence=evidence)
    return person(scene, name=word, relation=relation, evidence=evidence)


def _find(scene: Scene, name: str, relation: str) -> Node | None:
    drafted = [n for n in scene.draft.drafted() if n.type is NodeType.PERSON]
    if name:
        for node in _bearers(scene, name):
            theirs = node.attribute("relation")
            if not relation or not theirs or kin_key(theirs) == kin_key(relation):
                return node
    if relation:
        related = [scene.draft.node(i) for i in scene.lookup.related(relation)]
        holders = [n for n in (*related, *drafted) if n is not None and _relates(n, relation)]
        holders = [n for n in holders if not name or not n.attribute("name")]
        holders = list({n.id: n for n in holders}.values())
        if len(holders) == 1 or (holders and not name):
            return max(holders, key=lambda n: (n.last_reinforced_at, n.id))
    return None


def _bearers(scene: Scene, name: str) -> list[Node]:
    stored = [scene.draft.node(i) for i in scene.lookup.named(name)]
    drafted = [n for n in scene.draft.drafted() if n.type is NodeType.PERSON]
    return [n for n in (*stored, *drafted) if n is not None and _bears(n, name)]


def _bears(node: Node, name: str) -> bool:
    return node.retired_at is None and any(_same_name(name, other) for other in names_of(node))


def _same_name(one: str, other: str) -> bool:
    if is_cyrillic(one) != is_cyrillic(other):
        return sound(one) == sound(other)
    return one.casefold() == other.casefold()


def _relates(node: Node, relation: str) -> bool:
    return node.retired_at is None and kin_key(node.attribute("relation")) == kin_key(relation)
