"""Who is meant: one node a person, found by name or by relation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graphs import START
from records import make_delta
from selfimprint.engine.delta import SetNode
from selfimprint.engine.extraction.candidates import Candidate
from selfimprint.engine.graph import EdgeType, NodeType, Role
from telling import Told, candidate, event, in_slot


def person(name: str = "", relation: str = "") -> Candidate:
    return candidate(f"{relation} {name}".strip(), NodeType.PERSON, value=name, relation=relation)


def known(told: Told) -> set[tuple[str, str]]:
    """Name and relation of every person."""
    return {(n.attribute("name"), n.attribute("relation")) for n in told.nodes(NodeType.PERSON)}


def test_a_name_is_one_person_whatever_its_case() -> None:
    """Anna, anna and ANNA are one person with a touch from each message."""
    told = Told()
    for at, name in enumerate(("Anna", "anna", "ANNA")):
        told.say(person(name), at=at)
    (anna,) = told.nodes(NodeType.PERSON)
    assert len(anna.touches) == 3
    assert anna.subject == anna.id


def test_two_annas_with_different_relations_are_two_persons() -> None:
    """The boss Anna and the sister Anna stay apart, and each is found again by her relation."""
    told = Told()
    told.say(person("Anna", "boss"))
    told.say(person("Anna", "sister"))
    told.say(in_slot("home", "Narva", subject="person:Anna", relation="sister"))
    told.say(in_slot("home", "Riga", subject="person:Anna", relation="boss"))
    assert known(told) == {("Anna", "boss"), ("Anna", "sister")}
    by_relation = {n.attribute("relation"): n.id for n in told.nodes(NodeType.PERSON)}
    assert told.current("home", by_relation["sister"]) == ["Narva"]
    assert told.current("home", by_relation["boss"]) == ["Riga"]


@pytest.mark.parametrize(
    "order",
    [
        (("", "sister"), ("Anna", "sister"), ("Anna", "")),
        (("Anna", ""), ("Anna", "sister"), ("", "sister")),
        (("Anna", "sister"), ("", "sister"), ("Anna", "")),
        (("Anna", "sister"), ("Anna", ""), ("", "sister")),
    ],
)
def test_name_and_relation_join(order: tuple[tuple[str, str], ...]) -> None:
    """Once "my sister Anna" was said, "my sister" and "Anna" are that one person, before and after."""
    told = Told()
    for at, (name, relation) in enumerate(order):
        told.say(person(name, relation), at=at)
    assert known(told) == {("Anna", "sister")}


def test_a_relation_alone_finds_who_has_it() -> None:
    """A bare "my boss" is the boss named before; a second relation makes a second person."""
    told = Told()
    told.say(person("Anna", "boss"))
    told.say(in_slot("home", "Riga", subject="person:boss"))
    told.say(person("", "neighbour"))
    assert known(told) == {("Anna", "boss"), ("", "neighbour")}
    assert told.current("home", told.person("Anna").id) == ["Riga"]


def test_a_second_sister_is_a_second_person() -> None:
    """A sister of another name is somebody else."""
    told = Told()
    told.say(person("Anna", "sister"))
    told.say(person("Maria", "sister"))
    assert known(told) == {("Anna", "sister"), ("Maria", "sister")}


def test_a_named_speaker_speaks_about_themselves() -> None:
    """A person's first-person statement is about that person, never about the owner."""
    told = Told()
    told.say(in_slot("home", "Narva"), role=Role.PERSON, speaker="Anna")
    told.say(in_slot("home", "Tartu"))
    assert told.current("home") == ["Tartu"]
    assert told.current("home", told.person("Anna").id) == ["Narva"]


def test_whom_a_statement_names_is_associated_with_it() -> None:
    """An event that names two persons is linked to both, and each of them exists once."""
    told = Told()
    told.say(event("had dinner with Anna and Bob", persons=("Anna", "Bob")))
    (dinner,) = told.nodes(NodeType.EVENT)
    ends = {(e.from_id, e.to_id) for e in told.edges(EdgeType.ASSOCIATED_WITH)}
    assert ends == {(dinner.id, told.person("Anna").id), (dinner.id, told.person("Bob").id)}


def test_a_fact_about_a_person_hangs_on_the_person() -> None:
    """Whom a fact is about is associated with it."""
    told = Told()
    told.say(in_slot("hobby", "chess", subject="person:Anna"))
    (edge,) = told.edges(EdgeType.ASSOCIATED_WITH)
    assert edge.to_id == told.person("Anna").id


def test_a_retired_person_is_not_found_again() -> None:
    """After the owner retired a person, the same name makes a new one."""
    told = Told()
    told.say(person("Anna"))
    anna = told.person("Anna")
    told.state.apply(make_delta(SetNode(before=anna, after=replace(anna, retired_at=START))))
    told.say(person("Anna"), at=1)
    assert told.person("Anna").id != anna.id


def test_one_name_in_two_scripts_is_one_person() -> None:
    """Who writes of Andrei and Андрей writes of one; Jan and Ian, in one script, are two."""
    told = Told()
    for at, name in enumerate(["Andrei", "Андрей", "Jan", "Ian"]):
        told.say(person(name, ""), at=at)
    assert {name for name, _ in known(told)} == {"Andrei", "Jan", "Ian"}


def test_what_is_said_by_name_belongs_to_whom_the_message_calls_so() -> None:
    """In "my mum Greet lives in Bruges" Bruges is the home of the mum who is known, not of a second person."""
    told = Told()
    told.say(person("", "mum"))
    told.say(in_slot("home", "Bruges", subject="person:Greet"), person("Greet", "mum"), at=5)
    assert known(told) == {("Greet", "mum")}
    assert told.current("home", told.person("Greet").id) == ["Bruges"]
