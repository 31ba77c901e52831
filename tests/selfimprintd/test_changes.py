"""Twin of selfimprintd/changes.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from opened import Opened
from selfimprint.engine.errors import UnknownId
from selfimprint.engine.graph import DAY_US, Trust

from selfimprintd.changes import BadChange


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    found.say("I live in Tartu.")
    yield found
    found.close()


def test_a_correction_is_a_delta_that_an_undo_takes_back(opened: Opened) -> None:
    """The node after it is the node before."""
    before = opened.node("home", "Tartu")
    done = opened.service.patch_node(before.id, {"value": "Tallinn", "content": " I live in Tallinn "})
    after = opened.profile.state.nodes[before.id]
    assert (after.attribute("value"), after.content) == ("Tallinn", "I live in Tallinn")
    assert opened.service.undo(done["delta"])["undone"] == 1
    assert opened.profile.state.nodes[before.id] == before


def test_a_correction_survives_the_next_start(opened: Opened) -> None:
    """It is in the journal like anything else."""
    node = opened.node("home", "Tartu")
    opened.service.patch_node(node.id, {"importance": 0.75, "sensitive": True})
    opened.crash()
    after = opened.profile.state.nodes[node.id]
    assert (after.importance, after.sensitive) == (0.75, True)


def test_what_the_owner_corrects_they_have_confirmed(opened: Opened) -> None:
    """Another person's claim becomes the owner's; a pin alone confirms nothing."""
    opened.say("I work at Nokia.", role="person", speaker="Anna")
    node = next(n for n in opened.profile.state.nodes.values() if n.attribute("value") == "Nokia")
    assert node.trust is not Trust.USER_STATED
    opened.service.patch_node(node.id, {"pinned": True})
    assert opened.profile.state.nodes[node.id].trust is node.trust
    opened.service.patch_node(node.id, {"content": "Anna works at Nokia"})
    assert opened.profile.state.nodes[node.id].trust is Trust.USER_CONFIRMED


def test_a_pin_holds_the_weight_until_it_is_taken_out(opened: Opened) -> None:
    """Pinned and unpinned by pieces, so that the past stays as it was."""
    node = opened.node("home", "Tartu")
    opened.service.patch_node(node.id, {"pinned": True})
    assert opened.profile.state.nodes[node.id].is_pinned
    opened.clock.pass_days(1)
    opened.service.patch_node(node.id, {"pinned": False})
    assert not opened.profile.state.nodes[node.id].is_pinned
    assert len(opened.profile.state.nodes[node.id].pieces) == len(node.pieces) + 2


@pytest.mark.parametrize(
    "changes",
    [{}, {"type": "event"}, {"content": " "}, {"value": 5}, {"importance": 1.5}, {"importance": True}, {"pinned": 1},
     {"valid_to": "now"}],
)  # fmt: skip
def test_a_change_that_does_not_fit_changes_nothing(opened: Opened, changes: dict[str, Any]) -> None:
    """An unknown field, or a value of the wrong kind."""
    before = opened.node("home", "Tartu")
    with pytest.raises(BadChange):
        opened.service.patch_node(before.id, changes)
    assert opened.profile.state.nodes[before.id] == before


def test_a_retired_node_keeps_its_record_and_comes_back_with_its_edges(opened: Opened) -> None:
    """What hangs on it is retired with it, once."""
    opened.say("I stayed at home because it rained all day.")
    state = opened.profile.state
    edge = next(e for e in state.edges.values() if e.type.value == "caused_by")
    delta = opened.service.retire_node(edge.from_id)["delta"]
    assert state.nodes[edge.from_id].retired_at == state.edges[edge.id].retired_at == opened.clock.now
    with pytest.raises(BadChange):
        opened.service.retire_node(edge.from_id)
    opened.service.undo(delta)
    assert state.nodes[edge.from_id].retired_at is None and state.edges[edge.id].retired_at is None


def test_an_undo_leaves_what_was_changed_since(opened: Opened) -> None:
    """The later word stands, and is named."""
    node = opened.node("home", "Tartu")
    first = opened.service.patch_node(node.id, {"importance": 0.5})["delta"]
    opened.service.patch_node(node.id, {"importance": 0.75})
    answer = opened.service.undo(first)
    assert answer["kept"] and opened.profile.state.nodes[node.id].importance == 0.75


def test_an_end_can_be_told_and_taken_away(opened: Opened) -> None:
    """With the end goes its reason."""
    node = opened.node("home", "Tartu")
    opened.service.patch_node(node.id, {"valid_to": opened.clock.now + DAY_US})
    assert opened.profile.state.nodes[node.id].attribute("end_reason") == "stated"
    opened.service.patch_node(node.id, {"valid_to": None})
    after = opened.profile.state.nodes[node.id]
    assert (after.valid_to, after.attribute("end_reason")) == (None, "")


def test_an_id_nobody_knows_is_told_so(opened: Opened) -> None:
    """Of a node or of a delta."""
    for ask in (opened.service.retire_node, opened.service.undo):
        with pytest.raises(UnknownId):
            ask("n_nobody")
