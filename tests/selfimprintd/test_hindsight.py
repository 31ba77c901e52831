"""Twin of selfimprintd/hindsight.py: what was true then, what was known then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from graphs import START
from opened import Opened, picture
from selfimprint.engine.graph import DAY_US

from selfimprintd.facade import ContextQuery, RecallQuery
from selfimprintd.hindsight import BeyondHistory, as_known_at
from selfimprintd.memory import ProfileSettings

WHERE = "Where do I live?"


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


def test_known_then_is_not_true_then(opened: Opened) -> None:
    """After a correction told late, `known_at` answers with the mistake and `as_of` with what was so."""
    opened.say("I live in Tartu.")
    mistaken = opened.clock.pass_days(5)
    node = opened.node("home", "Tartu")
    opened.clock.pass_days(1)
    opened.service.patch_node(node.id, {"content": "I live in Riga", "value": "Riga"})
    opened.clock.pass_days(1)
    with as_known_at(opened.profile, mistaken) as then:
        assert then.state.nodes[node.id].attribute("value") == "Tartu"
    known = opened.service.recall(RecallQuery(query=WHERE, known_at_us=mistaken))["items"]
    values = {n["attributes"].get("value") for item in known for n in item["nodes"]}
    assert values == {"Tartu"}
    true = opened.service.recall(RecallQuery(query=WHERE, as_of_us=mistaken))["items"]
    assert {n["attributes"].get("value") for item in true for n in item["nodes"]} == {"Riga"}


def test_true_then_is_what_held_then(opened: Opened) -> None:
    """`as_of` before a move shows the former home, after it the present one, whenever it was told."""
    opened.say("I live in Tartu.")
    before = opened.clock.pass_days(5)
    opened.say("I moved to Riga.", days=5)
    opened.clock.pass_days(5)
    then = opened.service.context(ContextQuery(message=WHERE, as_of_us=before))["text"]
    now = opened.service.context(ContextQuery(message=WHERE))["text"]
    assert "Tartu" in then and "Riga" not in then
    assert "Riga" in now


def test_looking_back_moves_nothing(opened: Opened) -> None:
    """A question about the past leaves the present as it was."""
    opened.say("I live in Tartu.")
    opened.say("I moved to Riga.", days=3)
    before = picture(opened.profile)
    answer = opened.service.context(ContextQuery(message=WHERE))["text"]
    opened.service.context(ContextQuery(message=WHERE, known_at_us=START))
    assert picture(opened.profile) == before
    assert opened.service.context(ContextQuery(message=WHERE))["text"] == answer


def test_before_the_first_word_nothing_was_known(opened: Opened) -> None:
    """An instant before everything that was ever recorded gives an empty answer while history is whole."""
    opened.say("I live in Tartu.")
    answer = opened.service.recall(RecallQuery(query=WHERE, known_at_us=START - DAY_US))
    assert answer["items"] == []


@pytest.mark.parametrize("later", [0, 1])
def test_beyond_history_is_said(later: int) -> None:
    """Where the deltas that would be taken back are gone, the answer is an error and never the present as the past."""
    opened = Opened(settings=ProfileSettings(history_days=10))
    opened.say("I live in Tartu.")
    opened.profile.checkpoint()
    for _ in range(1 + later):
        opened.say("I moved to Riga.", days=30)
        opened.profile.checkpoint()
    opened.clock.pass_days(30)
    opened.profile.sent.sendings += 1
    opened.profile.checkpoint()
    assert list(opened.profile.deltas()) == []
    with pytest.raises(BeyondHistory), as_known_at(opened.profile, START + DAY_US):
        pass
    with as_known_at(opened.profile, opened.clock.now - DAY_US) as then:
        assert then.state.nodes == opened.profile.state.nodes
    opened.close()
