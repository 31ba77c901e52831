"""Of two turns about the asked state the newer stands first; all else keeps its place."""

from __future__ import annotations

import pytest
from selfimprint.engine.recall.topics import TOPIC_OF_SLOT, Placed, newer_of_topic_first, topics
from selfimprint.engine.slots import SLOTS

HOME = frozenset({"home"})


def placed(key: str, score: float, at: int | None, about: frozenset[str] = HOME) -> Placed:
    return Placed(key=key, score=score, topics=about, at_us=at)


@pytest.mark.parametrize(
    ("language", "question", "turn"),
    [
        ("en", "Where do I live?", "finally unpacked in the new flat"),
        ("de", "Wo wohne ich?", "der Umzug ist geschafft"),
        ("ru", "Где я живу?", "наконец переехали"),
        ("et", "Kus ma elan?", "kolimine on tehtud"),
        ("es", "¿Dónde vivo?", "por fin instalada en el piso"),
        ("fr", "Où est-ce que j'habite ?", "le déménagement est fini"),
    ],
)
def test_question_and_turn_meet_in_a_topic(language: str, question: str, turn: str) -> None:
    """A home is asked for and spoken of in different words of the same language."""
    assert "home" in topics(question, language) & topics(turn, language)


def test_a_word_counts_only_whole() -> None:
    """A topic's word inside another word says nothing."""
    assert "pet" not in topics("I read the catalogue", "en")


def test_a_language_without_words_is_read_by_the_english_ones() -> None:
    """An unknown language does not fail."""
    assert topics("where do I live", "xx") == topics("where do I live", "en")


def test_the_newer_of_the_topic_stands_first() -> None:
    """The pull outweighs a smaller lead of the older turn."""
    entries = [placed("old", 1.0, 1), placed("new", 0.7, 2)]
    assert newer_of_topic_first(entries, HOME, 0.5) == ["new", "old"]


def test_a_lead_larger_than_the_pull_stays() -> None:
    """A turn that only touches the topic does not pass one that answers."""
    entries = [placed("old", 1.0, 1), placed("new", 0.3, 2)]
    assert newer_of_topic_first(entries, HOME, 0.5) == ["old", "new"]


def test_other_topics_and_other_people_gain_nothing() -> None:
    """What is about something else, or was said by somebody else, keeps its score."""
    entries = [placed("old", 1.0, 1), placed("work", 0.9, 5, frozenset({"work"})), placed("theirs", 0.8, None)]
    assert newer_of_topic_first(entries, HOME, 0.5) == ["old", "work", "theirs"]


def test_a_single_turn_of_the_topic_gains_nothing() -> None:
    """Where nothing is older there is nothing to pass."""
    entries = [placed("other", 1.0, 1, frozenset()), placed("home", 0.9, 2)]
    assert newer_of_topic_first(entries, HOME, 0.5) == ["other", "home"]


def test_every_slot_named_is_a_slot() -> None:
    """The table names slots that exist."""
    assert set(TOPIC_OF_SLOT) <= set(SLOTS)
