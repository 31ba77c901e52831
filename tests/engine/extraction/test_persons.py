from __future__ import annotations

from selfimprint.engine.extraction.packs import load_pack
from selfimprint.engine.extraction.persons import Referents, find_mentions

PACK = load_pack("en")


def test_relation_and_name_are_read_together() -> None:
    """Name and relation are found in either order; a relation alone is a mention too."""
    assert [(m.name, m.relation, m.slot) for m in find_mentions("my sister Anna called", PACK)] == [
        ("Anna", "sister", "sibling")
    ]
    assert [(m.name, m.relation) for m in find_mentions("Tom is my best friend", PACK)] == [("Tom", "friend")]
    assert [m.subject for m in find_mentions("my boss is late", PACK)] == ["person:boss"]


def test_several_names_are_several_mentions() -> None:
    """ "My kids Tom and Mia" are two."""
    assert [m.name for m in find_mentions("my kids Tom and Mia are here", PACK)] == ["Tom", "Mia"]


def test_capitalised_words_that_are_nobody() -> None:
    """A weekday after a relation is not its name."""
    assert [m.name for m in find_mentions("I saw my sister Monday", PACK)] in ([""], [])


def test_pronouns_and_relations_find_their_person() -> None:
    """A pronoun means the last one mentioned; a relation the name it came with; a pet is no person."""
    referents = Referents(PACK)
    assert referents.subject("she") == ""
    referents.note(find_mentions("my sister Anna called", PACK))
    assert referents.subject("she") == "person:Anna"
    assert referents.subject("my sister") == "person:Anna"
    referents.note(find_mentions("my dog Rex barked", PACK))
    assert referents.subject("Rex") == ""
    assert referents.subject("You've") == ""
