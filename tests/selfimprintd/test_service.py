"""Twin of selfimprintd/service.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from opened import Opened

from selfimprintd.facade import ContextQuery, RecallQuery


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


def test_subscribers_are_told_of_every_change_without_its_content(opened: Opened) -> None:
    """By delta, cause and count; until they leave, and leaving twice is no failure."""
    heard: list[Any] = []
    leave = opened.service.subscribe(heard.append)
    opened.say("I live in Tartu.")
    assert heard and all(set(e) == {"type", "delta", "cause", "changed"} for e in heard)
    assert "Tartu" not in str(heard)
    leave()
    leave()
    count = len(heard)
    opened.say("I live in Riga now.")
    assert len(heard) == count


def test_what_was_known_at_an_instant_is_answered_from_that_time(opened: Opened) -> None:
    """`known_at`: the later word was not told yet, neither to a context nor to a recall."""
    opened.say("I live in Tartu.")
    then = opened.clock.now + 1
    opened.say("I live in Riga now.", days=5)
    told = opened.service.context(ContextQuery(message="Where do I live?", known_at_us=then))
    assert "Tartu" in told["text"] and "Riga" not in told["text"]
    found = opened.service.recall(RecallQuery(query="Where do I live?", known_at_us=then))["items"]
    assert found and not any("Riga" in i["text"] for i in found)
    assert "Riga" in opened.service.context(ContextQuery(message="Where do I live?"))["text"]


def test_the_status_counts_and_shows_no_content(opened: Opened) -> None:
    """Messages, sessions, nodes, edges, the journal."""
    opened.say("I live in Tartu.")
    opened.say("My sister Anna works at Nokia.", session="family")
    retired = opened.node("home", "Tartu")
    opened.service.retire_node(retired.id)
    status = opened.service.status()
    assert (status["messages"], status["sessions"], status["nodes"]["retired"]) == (2, 2, 1)
    assert status["nodes"]["total"] == len(opened.profile.state.nodes)
    assert status["edges"] == len(opened.profile.state.edges)
    assert status["journal"]["seq"] == opened.profile.seq
    assert not any(word in str(status) for word in ("Tartu", "Anna", "Nokia"))


def test_without_an_embedder_nothing_is_waited_for(opened: Opened) -> None:
    """A drain is over at once, and so is a message that asks for its vector."""
    opened.say("I live in Tartu.")
    assert opened.service.drain(5.0)["drained"]


def test_what_is_made_ready_are_the_languages_last_spoken_and_english(opened: Opened) -> None:
    """Newest first, each once."""
    opened.say("I live in Tartu.")
    opened.say("Ma elan nüüd Riias ja töötan seal koolis.")
    assert opened.service._languages() == ["et", "en"]
