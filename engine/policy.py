"""What may be inferred at all: an allow-list of categories with fixed wordings, and the categories never inferred.

Whitepaper §4.1–4.2 and design §6: an inferred node is a template over nodes it cites, their words only as quotation.
Whatever is not on the list is refused, whoever it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from selfimprint.engine.graph import Node


class Category(StrEnum):
    WORKLOAD = "workload"
    ROUTINE = "routine"
    MOOD_TREND = "mood_trend"
    PREFERENCE = "preference"
    RELATIONSHIP_CONTEXT = "relationship_context"
    GOAL = "goal"
    AVAILABILITY = "availability"
    UNRESOLVED_TOPIC = "unresolved_topic"


HIGH_BAR = frozenset({Category.MOOD_TREND, Category.RELATIONSHIP_CONTEXT, Category.GOAL})
"""More evidence and a longer timeout, and only the owner's word converts them (whitepaper §4.2)."""

NEVER = (
    "diagnosis", "sexual orientation", "gender identity", "political view", "religious belief", "finances", "health",
    "immigration status", "criminal history",
)  # fmt: skip
"""Whitepaper §4.1. No category stands for any of these: the list says what the refusal means."""

TEMPLATES: Mapping[str, tuple[Category, str]] = {
    "topic_often": (Category.WORKLOAD, "Often on the person's mind lately: {0}"),
    "busy_with": (Category.WORKLOAD, "Much of the person's time seems to go into: {0}"),
    "usual_time": (Category.ROUTINE, "Usually happens at about the same time: {0}"),
    "usual_day": (Category.ROUTINE, "Usually happens on the same day of the week: {0}"),
    "mood_after": (Category.MOOD_TREND, "Lately these come together: {0} and {1}"),
    "mood_down": (Category.MOOD_TREND, "Spoken of with less joy than before: {0}"),
    "mood_up": (Category.MOOD_TREND, "Spoken of with more joy than before: {0}"),
    "seems_to_like": (Category.PREFERENCE, "Seems to be enjoyed: {0}"),
    "seems_to_avoid": (Category.PREFERENCE, "Seems to be avoided: {0}"),
    "often_with": (Category.RELATIONSHIP_CONTEXT, "Often mentioned together: {0} and {1}"),
    "working_towards": (Category.GOAL, "Seems to be working towards: {0}"),
    "usually_free": (Category.AVAILABILITY, "Usually around at the time of: {0}"),
    "still_open": (Category.UNRESOLVED_TOPIC, "Comes up again without an end: {0}"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    allowed: bool
    reason: str


def quoted(text: str) -> str:
    """A cited node's words as a quotation; quotation marks inside cannot end it."""
    return "“" + text.replace("“", "‘").replace("”", "’") + "”"


def wording(template: str, cited: tuple[Node, ...]) -> str:
    """The only sentence that an inferred node of this template over these nodes may hold."""
    _, text = TEMPLATES[template]
    return text.format(*(quoted(node.content) for node in cited))


def judge_inference(node: Node, cited: tuple[Node, ...]) -> Verdict:
    """May this inferred node enter, given the nodes it cites (in the order of its `cites` attribute)?"""
    template = node.attribute("template")
    if template not in TEMPLATES:
        return Verdict(False, "an inference must use one of the known templates")
    category, text = TEMPLATES[template]
    if node.attribute("category") != category.value:
        return Verdict(False, "an inference's category does not fit its template")
    if len(cited) != text.count("{"):
        return Verdict(False, "an inference must cite exactly the nodes its template names")
    if len({c.id for c in cited}) != len(cited):
        return Verdict(False, "an inference cites each node once")
    if any(c.sensitive for c in cited):
        return Verdict(False, "nothing is inferred from what is sensitive")
    if any(c.is_inference for c in cited):
        return Verdict(False, "an inference rests on observations, not on other inferences")
    if any(c.subject != node.subject for c in cited) and category is not Category.RELATIONSHIP_CONTEXT:
        return Verdict(False, "an inference is about the person its sources are about")
    if node.content != wording(template, cited):
        return Verdict(False, "an inference may only say what its template says about the nodes it cites")
    return Verdict(True, f"template {template} of category {category.value}")
