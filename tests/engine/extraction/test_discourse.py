"""What people chat about teaches nothing; what they give as a reason is kept as one, in six languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from selfimprint.engine.extraction.extract import extract
from selfimprint.engine.graph import SELF, EdgeType, NodeType


def lines(name: str) -> list[tuple[str, str]]:
    """(language, text) of each line of a file beside this one."""
    rows = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [(language, text) for language, _, text in (row.partition(": ") for row in rows)]


@pytest.mark.parametrize(("language", "text"), lines("small_talk.txt"))
def test_small_talk_makes_no_fact_event_loop_or_person(language: str, text: str) -> None:
    """A passing feeling may be noted, no more."""
    found = extract(text, at_us=0, offset_minutes=0, language=language)
    assert {c.type for c in found.candidates} <= {NodeType.EMOTIONAL_NOTE}


@pytest.mark.parametrize(("language", "text"), lines("causes.txt"))
def test_a_reason_is_linked_to_what_it_explains(language: str, text: str) -> None:
    """Whatever the connective, and in whichever order the two are told."""
    found = extract(text, at_us=0, offset_minutes=0, language=language)
    links = [link for link in found.links if link.type is EdgeType.CAUSED_BY]
    assert links
    assert all(found.candidates[link.cause].content != found.candidates[link.effect].content for link in links)


@pytest.mark.parametrize(("language", "text"), lines("not_facts.txt"))
def test_what_is_denied_joked_quoted_or_a_figure_of_speech_is_no_fact(language: str, text: str) -> None:
    """Nobody's home, name or work is learned from it; that somebody is named in passing may be."""
    found = extract(text, at_us=0, offset_minutes=0, language=language)
    facts = [c for c in found.candidates if c.type is NodeType.FACT and c.polarity > 0 and c.subject == SELF]
    assert {c.reason for c in facts} <= {"mention.relation"}


def test_what_is_asked_supposed_or_denied_is_not_said() -> None:
    """Only what is said counts as a mention of what is known."""
    text = "Rex slept. Do I live in Rome? If I lived in Oslo, I'd ski. I never worked at Nokia."
    said = extract(text, at_us=0, offset_minutes=0, language="en").said
    assert "Rex" in said and not any(word in said for word in ("Rome", "Oslo", "Nokia"))
