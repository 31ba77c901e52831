"""An end says which fact it ends, in whatever words; it ends nothing else."""

from __future__ import annotations

from selfimprint.engine.graph import Node, NodeType
from telling import Told, candidate, event, in_slot


def current(told: Told, slot: str) -> list[str]:
    """Values that still hold in the slot."""
    facts = told.nodes(NodeType.FACT)
    return [n.attribute("value") for n in facts if n.slot == slot and _holds(n)]


def _holds(node: Node) -> bool:
    return node.valid_to is None and node.attribute("polarity") != "-1"


def test_another_form_of_the_word_is_the_same_thing() -> None:
    """Quitting smoking ends the habit that was told as "smoke"."""
    told = Told()
    told.say(in_slot("habit", "smoke"))
    told.say(in_slot("habit", "smoking", polarity=-1), at=30)
    assert current(told, "habit") == []


def test_what_was_told_as_a_vehicle_can_be_sold_as_a_possession() -> None:
    """Of things one has, the slot is a matter of words."""
    told = Told()
    told.say(in_slot("vehicle", "Corolla"))
    told.say(in_slot("possession", "the Corolla", polarity=-1), at=30)
    assert current(told, "vehicle") == []


def test_a_word_for_whatever_fills_the_slot_ends_that() -> None:
    """Losing "the job" ends the only employer known."""
    told = Told()
    told.say(in_slot("employer", "Tesco"))
    told.say(in_slot("employer", "job", polarity=-1, whichever=True), at=30)
    assert current(told, "employer") == []


def test_the_end_of_something_else_ends_nothing() -> None:
    """Having left another employer says nothing about the one that is known."""
    told = Told()
    told.say(in_slot("employer", "Tesco"))
    told.say(in_slot("employer", "Aldi", polarity=-1), at=30)
    assert current(told, "employer") == ["Tesco"]


def test_a_pet_is_no_person_and_its_death_ends_the_fact() -> None:
    """What befalls an animal known by name befell the owner's life; no person node is made for it."""
    told = Told()
    told.say(in_slot("pet", "cat Biscuit"))
    told.say(event("Biscuit died", subject="person:Biscuit", importance=0.95, valence=-0.8), at=30)
    assert current(told, "pet") == []
    assert told.nodes(NodeType.PERSON) == []


def test_a_pet_that_is_only_ill_stays() -> None:
    """An event of less weight ends nothing."""
    told = Told()
    told.say(in_slot("pet", "cat Biscuit"))
    told.say(event("Biscuit ate a sock", subject="person:Biscuit", importance=0.5, valence=-0.3), at=30)
    assert current(told, "pet") == ["cat Biscuit"]


def test_an_empty_value_means_the_latest() -> None:
    """ "Not any more" without a name ends what was told last."""
    told = Told()
    told.say(in_slot("home", "Leeds"))
    told.say(candidate("not any more", slot="home", value="", polarity=-1), at=30)
    assert current(told, "home") == []


def test_who_lost_the_job_no_longer_does_it() -> None:
    """With the job goes what one was there; leaving a named employer says nothing about that."""
    told = Told()
    told.say(in_slot("employer", "Hill School"), in_slot("role", "teacher"))
    told.say(in_slot("employer", "Hill School", polarity=-1), at=20)
    assert current(told, "role") == ["teacher"]
    told.say(in_slot("employer", "Hill School"), at=30)
    told.say(in_slot("employer", "job", polarity=-1, whichever=True), at=40)
    assert current(told, "employer") == current(told, "role") == []
