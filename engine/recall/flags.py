"""One byte a slot: what an item's words hold and who said them."""

from __future__ import annotations

import math

from selfimprint.engine.recall.cues import TurnFeatures
from selfimprint.engine.recall.items import Item

HAS_TIME = 1
HAS_NUMBER = 2
HAS_QUESTION = 4
BY_PERSON = 8
IS_TURN = 16
ABOUT_SELF = 32
ABOUT_LISTENER = 64
BY_ASSISTANT = 128

PERSON_ROLES = frozenset({"user", "person"})
_LONG_TURN_WORDS = 60


def flags_of(item: Item, features: TurnFeatures) -> int:
    """The byte of an item."""
    return (
        HAS_TIME * features.has_time
        | HAS_NUMBER * features.has_number
        | HAS_QUESTION * features.has_question
        | BY_PERSON * (item.role in PERSON_ROLES)
        | IS_TURN * (item.kind == "turn")
        | ABOUT_SELF * features.about_self
        | ABOUT_LISTENER * features.about_listener
        | BY_ASSISTANT * (item.role == "assistant")
    )


def length_signal(words: int) -> float:
    """How much room for content a text has: logarithmic, 1 from 60 words on."""
    return math.log1p(min(words, _LONG_TURN_WORDS)) / math.log1p(_LONG_TURN_WORDS)
