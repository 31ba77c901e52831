"""How much a claim matters, from the kind of claim and the life events its words name."""

from __future__ import annotations

from selfimprint.engine.extraction.packs.model import Pack
from selfimprint.engine.extraction.settings import ExtractionSettings
from selfimprint.engine.graph import NodeType
from selfimprint.engine.slots import is_base_profile


def importance(
    text: str, node_type: NodeType, slot: str, given: float | None, pack: Pack, settings: ExtractionSettings
) -> float:
    """0…1: the rule's own figure, or the type's default, raised by the strongest life event named in the text.

    Above 0.8 an event decays slowly (design §3)."""
    defaults = {
        NodeType.FACT: settings.base_profile_importance if is_base_profile(slot) else settings.fact_importance,
        NodeType.EVENT: settings.event_importance,
        NodeType.OPEN_LOOP: settings.loop_importance,
        NodeType.PERSON: settings.person_importance,
        NodeType.EMOTIONAL_NOTE: settings.note_importance,
    }
    base = defaults.get(node_type, settings.fact_importance) if given is None else given
    if node_type not in (NodeType.EVENT, NodeType.EMOTIONAL_NOTE):
        return base
    lifted = [at for at, patterns in pack.importance if any(p.search(text) for p in patterns)]
    return max([base, *lifted])
