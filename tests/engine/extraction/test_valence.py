from __future__ import annotations

from selfimprint.engine.extraction.packs import load_pack
from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS
from selfimprint.engine.extraction.valence import feelings, valence

PACK = load_pack("en")


def v(text: str) -> float:
    return valence(text, PACK, DEFAULT_SETTINGS)


def test_sign_and_degree() -> None:
    """Good is above zero, bad below, neutral zero; "very" strengthens and "slightly" weakens."""
    assert v("I am sad") < 0 < v("I am happy")
    assert v("the train has wheels") == 0
    assert abs(v("I am slightly worried")) < abs(v("I am worried")) < abs(v("I am very worried"))


def test_negation_turns_and_dampens() -> None:
    """ "Not happy" is bad, but less than "sad"."""
    assert v("I am sad") < v("I am not happy") < 0


def test_notes_need_a_feeling() -> None:
    """An event's good word alone makes no note; mixed feelings make two; the floor holds."""
    assert feelings("we won the game", PACK, DEFAULT_SETTINGS) == ()
    assert sorted(x > 0 for x in feelings("happy and scared", PACK, DEFAULT_SETTINGS)) == [False, True]
    assert all(abs(x) >= 0.2 for x in feelings("slightly tired", PACK, DEFAULT_SETTINGS))


def test_valence_is_bounded() -> None:
    """However many strong words, −1 and 1 are the ends."""
    assert -1 <= v("so devastated, so heartbroken, extremely miserable") < 0
