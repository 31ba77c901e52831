from __future__ import annotations

import pytest
from selfimprint.engine.extraction.extract import extract
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


EARLIER = [
    ("en", "My sister Anna visited today.", "She works at Siemens now.", "person:Anna"),
    ("de", "Meine Schwester Anna war da.", "Sie arbeitet bei SAP.", "person:Anna"),
    ("ru", "Моя сестра Анна приехала.", "Она работает в Яндексе.", "person:Анна"),
    ("et", "Mu õde Anna käis külas.", "Ta töötab Telias.", "person:Anna"),
    ("fr", "Ma soeur Anna est venue.", "Elle travaille chez Airbus.", "person:Anna"),
    ("es", "Mi hermana Ana vino hoy.", "Ella trabaja en Iberia.", "person:Ana"),
]


@pytest.mark.parametrize(("language", "before", "text", "subject"), EARLIER)
def test_a_pronoun_reaches_the_turn_before(language: str, before: str, text: str, subject: str) -> None:
    """Who was named in the speaker's last turn is who a pronoun means."""
    found = extract(text, at_us=0, offset_minutes=0, language=language, earlier=[before])
    assert [c.subject for c in found.candidates if c.slot == "employer"] == [subject]
    alone = extract(text, at_us=0, offset_minutes=0, language=language)
    assert not [c for c in alone.candidates if c.slot == "employer"]


def test_a_pronoun_that_may_mean_two_people_means_nobody() -> None:
    """A wrong owner of a fact is worse than a missing fact; a relation's gender may decide."""
    two = extract("She moved to Riga.", at_us=0, offset_minutes=0, language="en", earlier=["Lunch with Anna and Maria"])
    assert not two.candidates
    one = ["My brother Tom and my sister Anna met."]
    decided = extract("She moved to Riga.", at_us=0, offset_minutes=0, language="en", earlier=one)
    assert {c.subject for c in decided.candidates if c.slot == "home"} == {"person:Anna"}


def test_a_name_may_be_given_in_the_next_turn() -> None:
    """ "We got a dog." – "His name is Rufus." is one pet with a name."""
    found = extract("His name is Rufus.", at_us=0, offset_minutes=0, language="en", earlier=["We got a dog!"])
    assert [(c.slot, c.value) for c in found.candidates] == [("pet", "dog Rufus")]
