"""What is known of the owner without looking for words: the base profile, and the facts that a question is about."""

from __future__ import annotations

from selfimprint.engine.context.compose import asks_everything
from selfimprint.engine.context.wording import wording
from selfimprint.engine.graph import SELF, Node
from selfimprint.engine.recall.topics import TOPIC_OF_SLOT, topics
from selfimprint.engine.slots import SLOTS, is_sensitive

from selfimprintd.facade import ContextQuery
from selfimprintd.profile import Profile
from selfimprintd.recalling import Recalled, holds_at
from selfimprintd.views import status_of

_BASE_ORDER = {
    slot: place
    for place, slot in enumerate("name allergy home employer role diet partner child language birthday age".split())
}
"""What is said first of the base profile where there is no room for all of it: what an answer goes wrong without."""

_AHEAD = ("plan", "goal")
"""What is told before its time comes; a job that begins next month is not yet the job."""


def base_profile(profile: Profile, at: int, as_of: int | None, limit: int) -> list[Node]:
    """What nobody wants to be asked again: the owner's current pinned facts, the most needed first."""
    held = (profile.state.nodes.get(i) for i in profile.marks.pinned)
    pinned = [n for n in held if n is not None and tellable(n) and _stands(profile, n, at, as_of)]
    pinned.sort(key=lambda n: (_BASE_ORDER.get(n.slot, len(_BASE_ORDER)), n.created_at, n.id))
    return pinned[:limit]


def facts_asked(profile: Profile, query: ContextQuery, found: Recalled, limit: int) -> list[Node]:
    """The owner's current facts in the slots that the question is about, or, where it asks for everything, all that
    still stand, the latest first: a question about pets is answered by the cat, whatever words told of it."""
    if found.ranking.cues.named and SELF not in found.ranking.cues.named:
        return []
    everything = asks_everything(query.message, wording(query.language or found.language))
    wanted = topics(query.message, found.language)
    slots = {s for s in SLOTS if (everything and not is_sensitive(s)) or TOPIC_OF_SLOT.get(s) in wanted}
    if not slots:
        return []
    held = (profile.state.nodes.get(i) for i in profile.marks.slotted)
    facts = [
        n
        for n in held
        if n is not None
        and n.slot in slots
        and n.attribute("polarity") != "-1"
        and _stands(profile, n, found.at, query.as_of_us)
    ]
    facts.sort(key=lambda n: (-n.last_reinforced_at, n.id))
    return facts[:limit]


def tellable(node: Node) -> bool:
    """Not sensitive, or an allergy: a stated allergy belongs to the base profile, and silence about it harms."""
    return not node.sensitive or node.slot == "allergy"


def _stands(profile: Profile, node: Node, at: int, as_of: int | None) -> bool:
    current = status_of(profile, node, at) == "current" and (as_of is None or holds_at(node, as_of))
    begun = node.valid_from is None or node.valid_from <= at or node.slot in _AHEAD
    return current and begun and not _says_nothing(node)


def _says_nothing(node: Node) -> bool:
    """Everybody has parents: one who was only called so is no news."""
    return node.slot in ("parent", "grandparent") and node.attribute("value") == node.attribute("relation") != ""
