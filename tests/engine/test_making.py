"""Twin of engine/making.py: how new nodes and edges look, and what a mention changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from graphs import START, make_node
from hypothesis import given, settings
from hypothesis import strategies as st
from records import make_message, state_of, touch
from selfimprint.engine.draft import Draft
from selfimprint.engine.graph import Edge, EdgeType, Evidence, Node, NodeType, PieceKind, Role, TouchKind, Trust
from selfimprint.engine.lookup import Lookup, content_stems
from selfimprint.engine.making import Scene, evidence_in, link, mention, new_node, trust_for, with_attributes
from selfimprint.engine.settings import EngineSettings, LimitSettings


def scene(*records: Node | Edge, limits: LimitSettings | None = None, **message: Any) -> Scene:
    """The owner's message m_1 over the given graph."""
    return Scene(
        draft=Draft(state_of(*records)),
        lookup=Lookup(content_stems),
        message=make_message(**message),
        settings=EngineSettings(limits=limits or LimitSettings()),
        prefix="n_1",
        language="en",
        speaker="self",
    )


def made(on: Scene, **fields: Any) -> Node:
    values: dict[str, Any] = {
        "node_type": NodeType.FACT,
        "content": "home is Tartu",
        "subject": "self",
        "evidence": evidence_in(on, 0, 5),
        "attributes": {"slot": "home", "value": "Tartu"},
    }
    return new_node(on, **{**values, **fields})


def test_ids_that_are_taken_are_passed_over() -> None:
    """Ids count up behind the message's own; one that the graph or the draft has is never given again."""
    on = scene(make_node("n_1.1"))
    on.draft.put(make_node("n_1.2"))
    assert [on.new_id(), on.new_id()] == ["n_1.3", "n_1.4"]


@pytest.mark.parametrize(
    ("role", "about_speaker", "trust"),
    [
        (Role.USER, True, Trust.USER_STATED),
        (Role.USER, False, Trust.USER_ABOUT_OTHER),
        (Role.PERSON, True, Trust.PERSON_ABOUT_SELF),
        (Role.PERSON, False, Trust.OTHER_SAID),
        (Role.ASSISTANT, True, Trust.ASSISTANT_SAID),
        (Role.TOOL, True, Trust.DOCUMENT),
        (Role.DOCUMENT, False, Trust.DOCUMENT),
    ],
)
def test_trust_follows_from_who_speaks_about_whom(role: Role, about_speaker: bool, trust: Trust) -> None:
    """The owner about themselves is trusted most; what no person said is never taken for a person's word."""
    assert trust_for(role, about_speaker) is trust


def test_a_new_node_starts_whole_at_the_messages_instant() -> None:
    """One touch at the message's instant, its type's coefficient from the beginning, and where it was said."""
    on = scene(at=START + 7)
    node = made(on)
    assert (node.id, node.created_at, node.trust) == ("n_1.1", START + 7, Trust.USER_STATED)
    assert node.touches == (touch(START + 7, TouchKind.CREATED, "m_1"),)
    assert [(p.since, p.coefficient, p.kind) for p in node.pieces] == [(None, 0.92, PieceKind.TYPE)]
    assert node.evidence == (Evidence(session="s_1", message="m_1", start=0, end=5),)
    assert made(on, subject="p_1").trust is Trust.USER_ABOUT_OTHER


@settings(max_examples=40)
@given(st.floats(-9, 9), st.floats(-9, 9), st.text(max_size=30), st.text(max_size=30))
def test_a_new_node_keeps_within_its_limits(valence: float, importance: float, content: str, value: str) -> None:
    """Whatever was read, valence and importance lie in range, and text is no longer than the door lets in."""
    on = scene(limits=LimitSettings(node_content_chars=10, attribute_chars=5))
    node = made(on, valence=valence, importance=importance, content=content, attributes={"value": value, "place": ""})
    assert -1 <= node.valence <= 1 and 0 <= node.importance <= 1
    assert node.content == content[:10]
    assert node.attributes == ((("value", value[:5]),) if value else ())


def test_a_mention_is_one_touch_a_message() -> None:
    """A message touches a node once however often it names it, and adds each span it named it in once."""
    on = scene(at=START + 7)
    node = make_node("n", archived_at=START + 1)
    spans = [evidence_in(on, 0, 3), evidence_in(on, 8, 11)]
    once = mention(on, node, spans[0])
    twice = mention(on, mention(on, once, spans[1]), spans[1])
    assert once.touches == twice.touches == (*node.touches, touch(START + 7, TouchKind.MENTIONED, "m_1"))
    assert twice.evidence == (*node.evidence, *spans)
    assert once.archived_at is None
    assert mention(on, node, None).evidence == node.evidence


def test_an_older_message_told_late_makes_the_node_older() -> None:
    """Order of arrival does not matter: touches stand in the order of their instants, creation is the first of them."""
    on = scene(at=START - 7)
    node = mention(on, make_node("n"), None)
    assert node.created_at == START - 7
    assert [t.at for t in node.touches] == [START - 7, START]


def test_mentions_end_at_the_limits() -> None:
    """A node with as many touches and spans as the door lets in takes no more."""
    on = scene(limits=LimitSettings(touches_a_node=1, evidence_a_node=1), at=START + 7)
    node = make_node("n")
    after = mention(on, node, evidence_in(on, 0, 3))
    assert (after.touches, after.evidence) == (node.touches, node.evidence)


def test_an_empty_value_removes_an_attribute() -> None:
    """Attributes stay sorted, each once; the others are left alone."""
    node = make_node("n", attributes=(("place", "north"), ("value", "Tartu")))
    assert with_attributes(node, value="Riga", slot="home", place="").attributes == (
        ("slot", "home"),
        ("value", "Riga"),
    )


def test_an_edge_told_again_is_confirmed() -> None:
    """The same two ends and type are one edge: it gains the evidence and the later instant, and loses no confidence."""
    on = scene(make_node("a"), make_node("b"), at=START + 7)
    link(on, EdgeType.CAUSED_BY, "a", "b", evidence_in(on, 0, 3), confidence=0.9)
    first = on.draft.edge("a>b:caused_by")
    assert first is not None and (first.confidence, first.is_inferred, first.last_confirmed_at) == (
        0.9,
        False,
        START + 7,
    )
    link(on, EdgeType.CAUSED_BY, "a", "b", evidence_in(on, 0, 3), confidence=1.0)
    assert on.draft.edge("a>b:caused_by") == first  # the same words confirm nothing
    later = scene(make_node("a"), make_node("b"), first, id="m_2", at=START + 9)
    link(later, EdgeType.CAUSED_BY, "a", "b", evidence_in(later, 0, 3), confidence=0.5)
    second = later.draft.edge("a>b:caused_by")
    assert second is not None and (second.confidence, second.last_confirmed_at) == (0.9, START + 9)
    assert [e.message for e in second.evidence] == ["m_1", "m_2"]


def test_a_stated_link_makes_an_inferred_edge_observed() -> None:
    """What somebody says stands above what was inferred, and brings a retired edge back."""
    on = scene(make_node("a"), make_node("b"))
    link(on, EdgeType.CAUSED_BY, "a", "b", evidence_in(on, 0, 3))
    stated = on.draft.edge("a>b:caused_by")
    assert stated is not None and stated.confidence == on.settings.resolve.observed_confidence
    inferred = replace(
        stated, is_inferred=True, trust=Trust.INFERRED, confidence=0.4, evidence=(), retired_at=START + 1
    )
    later = scene(make_node("a"), make_node("b"), inferred, id="m_2")
    link(later, EdgeType.CAUSED_BY, "a", "b", evidence_in(later, 0, 3))
    found = later.draft.edge("a>b:caused_by")
    assert found is not None
    assert (found.is_inferred, found.trust, found.retired_at) == (False, Trust.USER_STATED, None)
    assert found.confidence == stated.confidence


def test_nothing_is_linked_to_itself() -> None:
    """A node is neither its own cause nor associated with itself."""
    on = scene(make_node("a"))
    link(on, EdgeType.ASSOCIATED_WITH, "a", "a", evidence_in(on, 0, 3))
    assert on.draft.operations() == ()
