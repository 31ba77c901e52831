from __future__ import annotations

from selfimprint.engine.slots import SLOTS, Cardinality, is_base_profile, is_sensitive, is_single


def test_single_slots_are_superseded_and_the_others_are_not() -> None:
    """One home and one name; many likes and children; an unknown slot supersedes nothing."""
    assert is_single("home") and is_single("name")
    assert not is_single("likes") and not is_single("child") and not is_single("nonsense")
    assert {s.cardinality for s in SLOTS.values()} == {Cardinality.ONE, Cardinality.MANY}


def test_the_base_profile_is_the_designs() -> None:
    """Name, language, home, work, partner and family, diet and allergies, birthday are pinned while current."""
    wanted = "name language home employer role partner child sibling parent diet allergy birthday".split()
    assert all(is_base_profile(slot) for slot in wanted)
    assert not is_base_profile("likes") and not is_base_profile("health")


def test_sensitive_topics_are_marked() -> None:
    """Health, religion, politics, sexuality, finances, immigration and criminal matters are sensitive."""
    wanted = "health religion politics sexuality finances immigration criminal".split()
    assert all(is_sensitive(slot) for slot in wanted)
    assert not is_sensitive("hobby")
