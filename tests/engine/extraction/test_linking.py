from __future__ import annotations

from selfimprint.engine.extraction.extract import extract
from selfimprint.engine.graph import EdgeType, NodeType

AT = 1_700_000_000_000_000


def test_links_point_at_the_clauses_they_join() -> None:
    """ "A because B" makes A the effect of B; "B, so A" the same."""
    for text in ("I quit because my boss kept yelling at me.", "My boss kept yelling at me, so I quit."):
        result = extract(text, at_us=AT, offset_minutes=0, language="en")
        link = next(link for link in result.links if link.type is EdgeType.CAUSED_BY)
        assert "quit" in result.candidates[link.effect].content
        assert "yelling" in result.candidates[link.cause].content
        assert 0.9 <= link.confidence <= 1.0


def test_a_connective_at_a_sentences_start_reaches_back() -> None:
    """ "That's why" links its sentence to the one before."""
    result = extract("We moved to Graz. That's why I changed jobs.", at_us=AT, offset_minutes=0, language="en")
    link = result.links[0]
    assert "Graz" in result.candidates[link.cause].content
    assert "changed" in result.candidates[link.effect].content


def test_a_fronted_cause_needs_no_comma() -> None:
    """ "Because of X I Y" is a link from X to Y."""
    result = extract("because of the strike we missed our flight", at_us=AT, offset_minutes=0, language="en")
    (link,) = result.links
    assert "strike" in result.candidates[link.cause].content
    assert "missed" in result.candidates[link.effect].content


def test_a_dash_after_a_feeling_gives_its_reason() -> None:
    """ "I'm furious - my bike was stolen" links the feeling to what happened, less surely than "because"."""
    result = extract("I'm furious - my bike was stolen yesterday", at_us=AT, offset_minutes=0, language="en")
    (link,) = result.links
    assert result.candidates[link.effect].type is NodeType.EMOTIONAL_NOTE
    assert "stolen" in result.candidates[link.cause].content and link.confidence < 0.9


def test_a_linked_clause_is_about_whom_it_opens_with() -> None:
    """What befell a sister does not become the owner's; what involves the owner does."""
    found = extract("I was sad because my sister didn't get the flat.", at_us=0, offset_minutes=0, language="en")
    (lost,) = [c for c in found.candidates if c.reason == "linked"]
    assert (lost.subject, lost.polarity) == ("person:sister", -1)
    found = extract("I'm tired because my sister kept me awake.", at_us=0, offset_minutes=0, language="en")
    assert {c.subject for c in found.candidates if c.reason == "linked"} <= {"self"}
