"""Twin of selfimprintd/items.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opened import Opened
from records import make_message
from selfimprint.engine.graph import SELF, NodeType, Role

from selfimprintd.items import speaker_name


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


@pytest.mark.parametrize(
    ("role", "speaker", "name"),
    [(Role.USER, "Mari", SELF), (Role.PERSON, "Anna", "Anna"), (Role.ASSISTANT, "", "assistant")],
)
def test_the_owner_is_self_and_others_have_their_name_or_role(role: Role, speaker: str, name: str) -> None:
    """Whatever name the owner gives."""
    assert speaker_name(make_message(role=role, speaker=speaker)) == name


def test_a_nodes_item_names_the_turn_it_rests_on_and_whom_it_is_about(opened: Opened) -> None:
    """So that recall shows the turn once, and a person by name."""
    told = opened.say("My sister Anna works at Nokia.")
    node = opened.node("employer", "Nokia")
    item = opened.profile.items.node(node)
    assert (item.turn_key, item.subject, item.speaker) == (told["id"], "Anna", SELF)
    person = next(n for n in opened.profile.state.nodes.values() if n.type is NodeType.PERSON)
    assert opened.profile.items.node(person).text == "sister Anna"


def test_a_turns_item_is_the_turn(opened: Opened) -> None:
    """Its words, its place and its time."""
    told = opened.say("I live in Tartu.")
    message = opened.profile.trace.get(told["id"])
    assert message is not None
    item = opened.profile.items.turn(message)
    assert (item.text, item.session, item.at_us, item.language) == ("I live in Tartu.", "talk", opened.clock.now, "en")


def test_an_unknown_subject_has_no_name(opened: Opened) -> None:
    """A person who was retired away or never known is nobody."""
    assert opened.profile.items.name("n_nobody") == ""
