"""Twin of selfimprintd/views.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from graphs import START, make_node
from opened import Opened
from records import make_delta, make_message
from selfimprint.engine.delta import AddNode, PutMessage
from selfimprint.engine.graph import Evidence, NodeType

from selfimprintd.views import delta_view, evidence_view, message_view, node_view, rounded, status_of


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


def test_what_was_retired_is_that_before_anything_else(opened: Opened) -> None:
    """Then a hypothesis is one, then what has ended has; the instant itself counts as over."""
    over = START + 5
    node = make_node("a", type=NodeType.HYPOTHESIS, retired_at=over, valid_to=over)
    assert status_of(opened.profile, node, over) == "retired"
    assert status_of(opened.profile, node, over - 1) == "hypothesis"
    fact = replace(node, type=NodeType.FACT, retired_at=None)
    assert status_of(opened.profile, fact, over) == "ended"
    assert status_of(opened.profile, fact, over - 1) == "current"


def test_what_was_not_spoken_of_for_years_is_archived(opened: Opened) -> None:
    """By its weight at the instant asked of, not by now."""
    opened.say("I saw a heron at the lake.")
    for _ in range(400):
        opened.profile.state.activity_days.add(opened.clock.pass_days(1) // 86_400_000_000)
    node = next(n for n in opened.profile.state.nodes.values() if n.type is NodeType.EVENT)
    assert status_of(opened.profile, node, opened.clock.now) == "archived"


def test_a_deltas_view_counts_its_operations_and_shows_no_content() -> None:
    """Kinds with numbers; nothing of what was said."""
    delta = make_delta(
        PutMessage(message=make_message(content="zebra")),
        AddNode(node=make_node("a", content="zebra")),
        AddNode(node=make_node("b")),
        reasons=("told",),
    )
    view = delta_view(7, delta)
    assert view["operations"] == {"PutMessage": 1, "AddNode": 2}
    assert (view["seq"], view["id"], view["cause"], view["reasons"]) == (7, "d_1", "ingest", ["told"])
    assert "zebra" not in str(view)


def test_evidence_is_shown_with_the_words_it_points_at(opened: Opened) -> None:
    """The span of the turn, by whom and when."""
    told = opened.say("Well, I live in Tartu.")
    view = evidence_view(opened.profile, Evidence(session="talk", message=told["id"], start=6, end=21))
    assert (view["text"], view["speaker"], view["at"]) == ("I live in Tartu", "self", opened.clock.now)
    assert "when_us" not in view


def test_evidence_whose_turn_is_gone_keeps_its_place(opened: Opened) -> None:
    """Session, message and span, without words."""
    view = evidence_view(opened.profile, Evidence(session="s", message="m_gone", start=1, end=2, when=START))
    assert view == {"message": "m_gone", "session": "s", "start": 1, "end": 2, "when_us": START}


def test_a_nodes_view_tells_its_state_and_whole_provenance(opened: Opened) -> None:
    """Status, the subject's name, and each proof."""
    opened.say("My sister Anna works at Nokia.")
    node = opened.node("employer", "Nokia")
    view = node_view(opened.profile, node, opened.clock.now)
    assert (view["status"], view["subject_name"], view["pinned"], view["trust"]) == (
        "current", "Anna", False, node.trust.value,
    )  # fmt: skip
    assert view["attributes"]["value"] == "Nokia"
    assert len(view["evidence"]) == len(node.evidence) > 0


def test_a_turns_view_is_verbatim() -> None:
    """With its own offset, so that the time can be shown as it was told."""
    view = message_view(make_message(content=" a\n", offset_minutes=120))
    assert (view["content"], view["offset_minutes"], view["at"]) == (" a\n", 120, START)


def test_scores_are_shown_to_four_places() -> None:
    """Enough to compare, few enough to read."""
    assert rounded({"dense": 0.123456}) == {"dense": 0.1235}
