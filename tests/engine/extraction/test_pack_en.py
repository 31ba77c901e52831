from __future__ import annotations

import pytest
from selfimprint.engine.extraction.extract import extract
from selfimprint.engine.graph import NodeType

AT = 1_700_000_000_000_000


def told(text: str) -> set[tuple[str, str, int]]:
    """Slot, value and polarity of every fact a line yields."""
    found = extract(text, at_us=AT, offset_minutes=0, language="en").candidates
    return {(c.slot, c.value, c.polarity) for c in found if c.type is NodeType.FACT}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("bee stings could kill me", ("allergy", "bee stings", 1)),
        ("I'm allergic to cats, sadly", ("allergy", "cats", 1)),
        ("back on keto again", ("diet", "keto", 1)),
        ("I'm eating gluten again", ("diet", "gluten-free", -1)),
        ("left uni after a year", ("school", "studies", -1)),
        ("had to put Rex down last week", ("pet", "Rex", -1)),
        ("I've been sober since 2019", ("habit", "sober", 1)),
        ("haven't smoked since June", ("habit", "smoked", -1)),
        ("called off the wedding", ("plan", "wedding", -1)),
        ("signed a lease in Leeds", ("plan", "Leeds", 1)),
        ("we bought a house in Ghent", ("home", "Ghent", 1)),
        ("accepted an offer from Philips", ("employer", "Philips", 1)),
        ("yoga every tuesday", ("habit", "yoga", 1)),
        ("my sister anna works at sap", ("sibling", "anna", 1)),
        ("we lost our old labrador Monty at the weekend", ("pet", "labrador Monty", -1)),
        ("i'm not at Tesco any more", ("employer", "Tesco", -1)),
    ],
)
def test_a_thing_told_in_passing_is_read(text: str, fact: tuple[str, str, int]) -> None:
    """The line yields the fact, with the polarity it was told with."""
    assert fact in told(text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("my boss could kill me", "allergy"),
        ("my beer would kill me", "allergy"),
        ("finished school at four today", "school"),
        ("gave Anna to her grandparents", "pet"),
        ("put Mia to sleep at eight", "pet"),
        ("my kitchen has been clean since Monday", "habit"),
        ("postponed the dentist", "plan"),
        ("I'm a Londoner, resident grump of this chat", "home"),
        ("we found a flat in Ghent", "home"),
        ("got an offer from Philips", "employer"),
        ("baking is the most relaxing thing", "habit"),
        ("I do weekends at the shop", "role"),
        ("home is where the heart is", "home"),
        ("my other half's name is Ruth", "name"),
        ("we lost our old labrador Monty at the weekend", "possession"),
        ("my sister never works at night", "employer"),
    ],
)
def test_a_look_alike_fills_no_such_slot(text: str, slot: str) -> None:
    """What only sounds like the fact leaves its slot empty."""
    assert slot not in {name for name, _, _ in told(text)}
