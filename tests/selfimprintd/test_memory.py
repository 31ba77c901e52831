"""Twin of selfimprintd/memory.py: what is read anew from the disk, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opened import Opened

from selfimprintd.memory import ProfileSettings


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened(settings=ProfileSettings(kept_deltas=2))
    found.say("I live in Tartu.")
    found.say("My sister Anna works at Nokia.", days=1)
    found.say("I work at Siemens now.", days=1)
    yield found
    found.close()


def test_deltas_come_newest_first_before_and_after_a_checkpoint(opened: Opened) -> None:
    """From memory and from the files of history alike, each once."""
    before = [seq for seq, _ in opened.profile.deltas()]
    assert before == list(range(opened.profile.seq, 0, -1))
    opened.restart()
    assert [seq for seq, _ in opened.profile.deltas()][-len(before) :] == before


def test_the_nodes_that_a_message_made_are_found_by_its_id(opened: Opened) -> None:
    """Retired ones too, and no other message's."""
    told = opened.say("My brother Peeter lives in Narva.")
    made = opened.profile.nodes_from(told["id"])
    assert len(made) > 1
    assert all(n.evidence[0].message == told["id"] for n in made)
    opened.service.retire_node(made[-1].id)
    assert [n.id for n in opened.profile.nodes_from(told["id"])] == [n.id for n in made]
    assert opened.profile.nodes_from("m_nobody") == []


def test_what_is_forgotten_moves_to_the_archive_and_stays_on_record(opened: Opened) -> None:
    """Weight fades with days of activity; no file forgets."""
    opened.say("I saw a heron at the lake.")
    heron = next(n for n in opened.profile.state.nodes.values() if "heron" in n.content)
    assert opened.profile.is_active(heron)
    for _ in range(150):
        opened.profile.state.activity_days.add(opened.clock.pass_days(3) // 86_400_000_000)
    assert not opened.profile.is_active(heron)
    opened.restart()
    assert opened.profile.state.nodes[heron.id] == heron
    assert opened.profile.files.place(heron.id).startswith("archive/")


def test_the_graph_store_holds_what_the_state_holds(opened: Opened) -> None:
    """Filled at the first question, following afterwards."""
    graph = opened.profile.graph()
    opened.say("I stayed at home because it rained all day.")
    effect = next(e for e in opened.profile.state.edges.values() if e.type.value == "caused_by")
    assert opened.profile.graph() is graph
    assert [effect.from_id, effect.to_id] in [list(p) for p in graph.chain(effect.from_id, direction="causes")]  # type: ignore[attr-defined]


def test_an_embedder_of_another_kind_starts_without_the_old_vectors(opened: Opened) -> None:
    """There is no vector where none was made."""
    opened.profile.drop_vectors()
    assert all(opened.profile.vector_of(key) is None for key in opened.profile.index.slots)
    assert opened.profile.vector_of("m_nobody") is None


def test_warming_ends_when_it_is_no_longer_wanted(opened: Opened) -> None:
    """A stop waits for nobody."""
    asked: list[bool] = []

    def wanted() -> bool:
        asked.append(True)
        return False

    opened.restart()
    opened.profile.warm(wanted)
    assert asked == [True]
