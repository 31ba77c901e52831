"""Which facts an end that somebody stated is about: said in other words, in a neighbouring slot, or without a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from selfimprint.engine.extraction.candidates import Candidate
from selfimprint.engine.graph import SELF, Node, NodeType
from selfimprint.engine.lookup import akin, value_key
from selfimprint.engine.making import Scene
from selfimprint.engine.slots import is_single
from selfimprint.engine.timeline import matching, values_in

OWNED = ("vehicle", "possession", "pet")
"""Slots of things one has: "I sold the Corolla" ends whichever of them holds it."""
WEIGHTY = 0.95
"""Importance from which on an event is one of life and death in the packs (design §4.3)."""


def current_of(nodes: Iterable[Node]) -> list[Node]:
    """Those that hold: not ended, and no denials."""
    return [n for n in nodes if n.valid_to is None and n.attribute("polarity") != "-1"]


def meant_by_end(scene: Scene, candidate: Candidate, subject: str, known: Iterable[Node]) -> list[Node]:
    """The current facts that an ended or denied one is about. "I quit smoking" means "I smoke"; "I lost my job" means
    whichever job there was; nothing is meant where the words name something else."""
    current = current_of(known)
    if not candidate.value:
        return current[-1:]
    found = matching(current, candidate.value, 1) or _alike(scene, current, candidate.value)
    if not found and candidate.slot in OWNED:
        others = [n for slot in OWNED if slot != candidate.slot for n in values_in(scene, subject, slot)]
        found = matching(current_of(others), candidate.value, 1) or _alike(scene, current_of(others), candidate.value)
    if not found and candidate.whichever and (is_single(candidate.slot) or len(current) == 1):
        found = current[-1:]
    return found


def _alike(scene: Scene, nodes: Iterable[Node], value: str) -> list[Node]:
    """Those whose value says the same with other forms of the words ("smoke", "smoking")."""
    wanted = scene.lookup.analyze(value, scene.language)
    if not wanted:
        return []
    return [n for n in nodes if _covers(wanted, scene.lookup.analyze(n.attribute("value"), n.language))]


def _covers(one: frozenset[str], other: frozenset[str]) -> bool:
    small, large = sorted((one, other), key=len)
    return bool(small) and all(any(a == b or akin(a, b) for b in large) for a in small)


def own_animal(scene: Scene, name: str) -> Node | None:
    """The owner's current pet of that name: what is told of it is told of the owner's life, and it is no person."""
    key = value_key(name)
    pets = current_of(values_in(scene, SELF, "pet"))
    return next((n for n in pets if key and set(key) <= set(value_key(n.attribute("value")))), None)


def of_owner(candidate: Candidate) -> Candidate:
    """The candidate as one about the speaker."""
    return replace(candidate, subject=SELF, relation="", persons=())


def is_death(candidate: Candidate) -> bool:
    """An event so grave that whom it befell is no longer there."""
    return (
        candidate.polarity > 0
        and candidate.type is NodeType.EVENT
        and candidate.importance >= WEIGHTY
        and candidate.valence < 0
    )
