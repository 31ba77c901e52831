"""Twin of engine/recall/flags.py: one byte a slot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recalling import node, turn
from selfimprint.engine.recall import flags
from selfimprint.engine.recall.cues import TurnFeatures
from selfimprint.engine.recall.flags import flags_of, length_signal

BITS = [
    flags.HAS_TIME, flags.HAS_NUMBER, flags.HAS_QUESTION, flags.BY_PERSON, flags.IS_TURN, flags.ABOUT_SELF,
    flags.ABOUT_LISTENER, flags.BY_ASSISTANT,
]  # fmt: skip
NOTHING = {
    "has_time": False, "has_number": False, "has_question": False, "only_question": False, "about_self": False,
    "about_listener": False, "words": 3,
}  # fmt: skip


def test_every_flag_is_a_bit_of_its_own() -> None:
    """Eight flags fill one byte and never overlap."""
    assert sorted(BITS) == [1 << n for n in range(8)]


@pytest.mark.parametrize(
    ("feature", "bit"),
    [
        ("has_time", flags.HAS_TIME),
        ("has_number", flags.HAS_NUMBER),
        ("has_question", flags.HAS_QUESTION),
        ("about_self", flags.ABOUT_SELF),
        ("about_listener", flags.ABOUT_LISTENER),
    ],
)
def test_each_feature_sets_its_flag(feature: str, bit: int) -> None:
    """What the words hold is in the byte, and nothing else changes with it."""
    item = turn("t", "words")
    without = flags_of(item, TurnFeatures(**NOTHING))
    assert flags_of(item, TurnFeatures(**{**NOTHING, feature: True})) == without | bit != without


@pytest.mark.parametrize(
    ("role", "who"),
    [
        ("user", flags.BY_PERSON),
        ("person", flags.BY_PERSON),
        ("assistant", flags.BY_ASSISTANT),
        ("tool", 0),
        ("document", 0),
    ],
)
def test_who_speaks_is_told_by_the_role(role: str, who: int) -> None:
    """The owner and named persons are people; tools and documents are neither people nor the assistant."""
    features = TurnFeatures(**NOTHING)
    assert flags_of(turn("t", "x", role=role), features) == who | flags.IS_TURN
    assert flags_of(node("n", "x", role=role), features) == who


@given(st.integers(0, 500), st.integers(0, 500))
def test_longer_texts_have_more_room(one: int, other: int) -> None:
    """From 0 without a word to 1 at sixty words and beyond, never falling."""
    assert 0 <= length_signal(one) <= 1
    assert length_signal(0) == 0 and length_signal(60) == length_signal(60 + one) == 1
    assert length_signal(max(one, other)) >= length_signal(min(one, other))
