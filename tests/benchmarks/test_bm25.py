from __future__ import annotations

from bm25 import Bm25, packed, with_neighbours

TURNS = {"1": "Liis likes pottery", "2": "I bought a kettle", "3": "potteries and kettles"}


def test_turns_are_ranked_by_their_words() -> None:
    """A turn with the question's rarer words stands above one with fewer, whatever their form."""
    assert Bm25(TURNS).ranked("Which kettle did you buy?")[0] == "2"
    assert Bm25(TURNS).ranked("pottery of Liis")[:2] == ["1", "3"]


def test_a_question_without_a_known_word_scores_nothing() -> None:
    """No word in common is a score of zero for every turn."""
    assert set(Bm25(TURNS).scores("Where to?").values()) == {0.0}


def test_neighbours_are_of_the_same_session() -> None:
    """A turn is joined with the one before and after it unless those belong to another session."""
    joined = with_neighbours(TURNS, {"1": "a", "2": "b", "3": "b"})
    assert joined["2"] == "I bought a kettle potteries and kettles"


def test_a_context_stays_in_the_budget() -> None:
    """Lines are taken whole, best first, up to the first that does not fit."""
    assert packed(["2", "1"], TURNS, 4) == TURNS["2"]
