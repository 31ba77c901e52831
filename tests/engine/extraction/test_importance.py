from __future__ import annotations

import pytest
from selfimprint.engine.extraction.importance import importance
from selfimprint.engine.extraction.packs import load_pack
from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS
from selfimprint.engine.graph import NodeType

PACK = load_pack("en")


def weigh(text: str, node_type: NodeType = NodeType.EVENT, slot: str = "", given: float | None = None) -> float:
    return importance(text, node_type, slot, given, PACK, DEFAULT_SETTINGS)


@pytest.mark.parametrize(
    "text", ["my father died", "I gave birth", "we got married", "I lost my job", "I was diagnosed"]
)
def test_life_events_are_significant(text: str) -> None:
    """Births, deaths, weddings, job losses and diagnoses are above 0.8."""
    assert weigh(text) > 0.8


def test_everyday_events_are_not() -> None:
    """A trip to the zoo keeps the default."""
    assert weigh("we went to the zoo") == DEFAULT_SETTINGS.event_importance


def test_a_rules_own_figure_counts_and_base_facts_weigh_more() -> None:
    """The rule's figure is the base; base-profile facts start higher than others."""
    assert weigh("x", NodeType.FACT, "hobby", 0.3) == 0.3
    assert weigh("x", NodeType.FACT, "home") > weigh("x", NodeType.FACT, "hobby")
