"""Twin of selfimprintd/recalling.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from graphs import START, make_node
from opened import Opened

from selfimprintd.facade import RecallQuery
from selfimprintd.recalling import BadQuestion, holds_at


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


def texts(opened: Opened, question: str, **fields: Any) -> list[str]:
    return [i["text"] for i in opened.service.recall(RecallQuery(query=question, **fields))["items"]]


@pytest.mark.parametrize(
    ("starts", "ends", "holds"),
    [(START, None, True), (START + 1, None, False), (None, None, True), (None, START, False), (None, START + 1, True),
     (START - 5, START, False), (START - 5, START + 1, True)],
)  # fmt: skip
def test_a_thing_holds_from_its_start_until_before_its_end(starts: int | None, ends: int | None, holds: bool) -> None:
    """The first instant counts, the last does not."""
    assert holds_at(make_node("a", valid_from=starts, valid_to=ends), START) is holds


def test_without_a_start_a_thing_holds_since_it_was_told_or_always_where_it_has_an_end() -> None:
    """What is over began before it was told of."""
    assert not holds_at(make_node("a", created_at=START), START - 1)
    assert holds_at(make_node("a", created_at=START, valid_to=START + 1), START - 1)


def test_the_newer_word_on_the_asked_state_stands_above_the_older(opened: Opened) -> None:
    """And the older is marked as superseded."""
    opened.say("I live in Tartu.")
    opened.say("I live in Riga now.", days=5)
    items = opened.service.recall(RecallQuery(query="Where do I live?"))["items"]
    found = {i["text"]: (rank, i["superseded"]) for rank, i in enumerate(items) if "I live" in i["text"]}
    assert found["I live in Riga now."][0] < found["I live in Tartu."][0]
    assert [found[t][1] for t in ("I live in Riga now.", "I live in Tartu.")] == [False, True]


def test_as_of_an_instant_what_was_told_later_does_not_count(opened: Opened) -> None:
    """Neither the later turn nor what was learned from it."""
    opened.say("I live in Tartu.")
    then = opened.clock.now + 1
    opened.say("I live in Riga now.", days=5)
    found = texts(opened, "Where do I live?", as_of_us=then)
    assert "I live in Tartu." in found and not any("Riga" in t for t in found)


def test_what_was_retired_or_excluded_is_not_found(opened: Opened) -> None:
    """What the owner takes back takes along the turn it came from, until it is undone; an excluded key likewise."""
    told = opened.say("I collect old maps.")
    node = next(n for n in opened.profile.state.nodes.values() if n.evidence and n.evidence[0].message == told["id"])
    assert len(texts(opened, "old maps")) == 1
    taken_back = opened.service.retire_node(node.id)
    assert texts(opened, "old maps") == []
    opened.service.undo(taken_back["delta"])
    assert len(texts(opened, "old maps")) == 1
    assert texts(opened, "old maps", exclude=(told["id"],)) == []


def test_no_more_than_k_items_with_parts_only_on_request(opened: Opened) -> None:
    """`explain` shows what a score is made of."""
    for n in range(5):
        opened.say(f"I planted {n} apple trees.", days=1)
    plain = opened.service.recall(RecallQuery(query="apple trees", k=2))["items"]
    told = opened.service.recall(RecallQuery(query="apple trees", k=2, explain=True))["items"]
    assert len(plain) == 2 and not any("parts" in i for i in plain)
    assert all(i["parts"] for i in told)


@pytest.mark.parametrize(("question", "mode"), [(" \n", "default"), ("tea", "magic")])
def test_a_question_that_cannot_be_asked_is_refused(opened: Opened, question: str, mode: str) -> None:
    """An empty one, or in no known mode."""
    with pytest.raises(BadQuestion):
        opened.service.recall(RecallQuery(query=question, mode=mode))


def test_a_recall_moves_no_weight(opened: Opened) -> None:
    """Asking is not speaking of it."""
    opened.say("I live in Tartu.")
    before = dict(opened.profile.state.nodes), opened.profile.seq
    texts(opened, "Where do I live?")
    assert (dict(opened.profile.state.nodes), opened.profile.seq) == before
