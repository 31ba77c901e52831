"""Twin of selfimprintd/contexts.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from graphs import make_node
from opened import Opened
from selfimprint.engine.graph import Evidence, Node

from selfimprintd.contexts import _spans_messages
from selfimprintd.facade import ContextQuery
from selfimprintd.recalling import BadQuestion


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


def context(opened: Opened, message: str, **fields: Any) -> dict[str, Any]:
    return opened.service.context(ContextQuery(message=message, **fields))


def test_a_context_tells_what_holds_now_and_cites_it(opened: Opened) -> None:
    """The newer residence, with the turn it rests on."""
    opened.say("I live in Tartu.")
    told = opened.say("I live in Riga now.", days=5)
    answer = context(opened, "Where do I live?")
    assert "Riga" in answer["text"] and not answer["empty"]
    assert told["id"] in {c["message"] for c in answer["citations"]}


def test_nothing_known_is_said_as_empty(opened: Opened) -> None:
    """No words, no citation."""
    answer = context(opened, "Where do I live?")
    assert (answer["text"], answer["empty"], answer["citations"]) == ("", True, [])


def test_the_budget_is_kept(opened: Opened) -> None:
    """Whatever there would be to tell; none buys nothing."""
    for n, what in enumerate(("apple", "pear", "plum", "cherry", "quince")):
        opened.say(f"I planted {n + 2} {what} trees in the garden behind the house.", days=1)
    assert context(opened, "What trees did I plant?", budget=20)["tokens"] <= 20
    assert context(opened, "What trees did I plant?", budget=0)["tokens"] == 0
    assert context(opened, "What trees did I plant?", budget=400)["tokens"] > 20


def test_sensitive_things_are_told_only_when_asked_about(opened: Opened) -> None:
    """The owner's illness has no place in an answer about dinner."""
    opened.say("I was diagnosed with depression.")
    for node in list(opened.profile.state.nodes.values()):
        opened.service.patch_node(node.id, {"sensitive": True})
    assert "depression" in context(opened, "What about my depression?")["text"]
    assert "depression" not in context(opened, "What was I told by the plumber?")["text"]


def test_a_loop_nobody_spoke_of_for_long_is_not_told_as_open(opened: Opened) -> None:
    """While it is fresh it is."""
    opened.say("I still need to call the dentist.")
    contexts = opened.service._contexts
    (loop,) = [n for n in opened.profile.state.nodes.values() if n.type.value == "open_loop"]
    day = 86_400_000_000
    assert contexts._is_open(loop, opened.clock.now + day)
    assert not contexts._is_open(loop, opened.clock.now + 61 * day)


def test_a_chain_is_one_that_was_put_together_where_several_messages_told_it() -> None:
    """One breath, once quoted, says its own causes."""

    def chain(*messages: str) -> tuple[Node, ...]:
        proofs = [(Evidence(session="s", message=m, start=0, end=1),) for m in messages]
        return tuple(make_node(f"n{i}", evidence=e) for i, e in enumerate(proofs))

    assert not _spans_messages(chain("m_1", "m_1", "m_1"))
    assert _spans_messages(chain("m_1", "m_1", "m_2"))


@pytest.mark.parametrize(
    "fields", [{"style": "poem"}, {"counter": "abacus"}, {"budget": -1}, {"budget": 4_001}, {"preset": "magic"}]
)
def test_a_wish_that_cannot_be_met_is_refused(opened: Opened, fields: dict[str, Any]) -> None:
    """By name, before anything is searched."""
    with pytest.raises(BadQuestion):
        context(opened, "tea", **fields)


def test_an_explanation_counts_what_was_held_back(opened: Opened) -> None:
    """With the score parts of what was not."""
    opened.say("I live in Tartu.")
    assert "explain" not in context(opened, "Where do I live?")
    told = context(opened, "Where do I live?", explain=True)["explain"]
    assert told["items"][0]["parts"] and told["withheld"] >= 0


def test_what_was_handed_out_is_known_when_it_comes_back(opened: Opened) -> None:
    """The memory must not learn its own words as the owner's."""
    opened.say("I live in Tartu.")
    text = context(opened, "Where do I live?")["text"]
    assert opened.profile.sent.echoes(text, opened.clock.now)
