"""Twin of selfimprintd/profile.py."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphs import make_node
from memory_vault import MemoryVault
from opened import Opened, SetClock, picture
from records import make_delta
from selfimprint.engine.delta import AddNode, SetNode
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.graph import PieceKind
from selfimprint.engine.store.memory import MemoryStore
from selfimprint.synx.errors import DiskFull

from selfimprintd.facade import ContextQuery, RecallQuery
from selfimprintd.memory import ProfileSettings


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    yield found
    found.close()


def _no_room(_number: int, call: str, _path: Path) -> OSError | None:
    return OSError(errno.ENOSPC, "no space") if call in ("write", "create") else None


def _answers(opened: Opened) -> list[Any]:
    service = opened.service
    questions = ("Where do I live?", "Where do I work?", "Why did I stay at home?", "What about my sister Anna?")
    found: list[Any] = []
    for question in questions:
        found.append(service.recall(RecallQuery(query=question, explain=True)))
        found.append(service.context(ContextQuery(message=question, explain=True)))
    return found


def _tell_a_life(opened: Opened) -> None:
    for line in (
        "I live in Tartu.",
        "My sister Anna works at Nokia.",
        "I stayed at home because it rained all day.",
        "I moved to Riga.",
        "I work at Siemens now.",
        "I hate mushrooms.",
    ):
        opened.say(line, days=2)


@pytest.mark.parametrize("end", ["restart", "crash"])
def test_answers_are_the_same_after_a_restart(opened: Opened, end: str) -> None:
    """Contexts and recalls before and after a stop or a kill are equal, with and without a checkpoint."""
    _tell_a_life(opened)
    before, held = _answers(opened), picture(opened.profile)
    getattr(opened, end)()
    assert picture(opened.profile) == held
    assert _answers(opened) == before
    opened.profile.checkpoint()
    getattr(opened, end)()
    assert picture(opened.profile) == held
    assert _answers(opened) == before


def test_a_delta_that_the_door_refuses_changes_nothing(opened: Opened) -> None:
    """A refusal is counted by its reason and leaves memory and journal as they were."""
    before = picture(opened.profile)
    with pytest.raises(DeltaRefused):
        opened.profile.commit(make_delta(AddNode(node=make_node("n_1", content=" "))))
    assert picture(opened.profile) == before
    assert sum(opened.profile.refused.values()) >= 1


def test_a_full_disk_takes_back_what_was_not_durable(opened: Opened) -> None:
    """A commit that finds no room leaves memory as it was, and goes through once there is room."""
    opened.say("I live in Tartu.")
    before = picture(opened.profile)
    opened.files.fault = _no_room
    with pytest.raises(DiskFull):
        opened.say("I moved to Riga.", days=1)
    opened.files.fault = None
    assert picture(opened.profile) == before
    opened.say("I moved to Riga.")
    opened.crash()
    assert opened.values("home") == ["Riga"]


def test_nothing_builds_on_a_record_that_was_lost(opened: Opened) -> None:
    """A delta that begins after another's record was lost, before anybody heard of it, is judged without that one."""
    profile = opened.profile
    node = make_node("n_1")
    ticket = profile.begin(make_delta(AddNode(node=node), id="d_1"))
    opened.files.fault = _no_room
    with pytest.raises(DiskFull):
        profile.vault.finish(ticket)
    opened.files.fault = None
    changed = make_node("n_1", content="other words")
    with pytest.raises(DeltaRefused):
        profile.commit(make_delta(SetNode(before=node, after=changed), id="d_2"))
    opened.crash()
    assert opened.profile.state.nodes == {}


def test_hearing_of_a_loss_late_takes_back_nothing_good(opened: Opened) -> None:
    """Of two clients that lost one batch, the second to hear does not undo what went on meanwhile."""
    profile = opened.profile
    lost = [profile.begin(make_delta(AddNode(node=make_node(f"n_{n}")), id=f"d_{n}")) for n in (1, 2)]
    opened.files.fault = _no_room
    with pytest.raises(DiskFull):
        profile.finish(lost[:1])
    opened.files.fault = None
    good = profile.begin(make_delta(AddNode(node=make_node("n_3")), id="d_3"))
    with pytest.raises(DiskFull):
        profile.finish(lost[1:])
    profile.finish([good])
    assert set(profile.state.nodes) == {"n_3"}
    opened.crash()
    assert set(opened.profile.state.nodes) == {"n_3"}


def test_a_duplicate_waits_for_its_first_telling(opened: Opened) -> None:
    """A retry is not acknowledged while the first telling is lost on its way to the disk."""
    sent = {"session": "talk", "key": "k"}
    begin, profile = opened.profile.begin, opened.profile
    opened.files.fault = _no_room
    tickets = []
    profile.begin = lambda delta: tickets.append(begin(delta)) or tickets[-1]  # type: ignore[method-assign,func-returns-value]
    profile.finish, finish = lambda t: 0, profile.finish  # type: ignore[method-assign,assignment]
    opened.say("I live in Tartu.", **sent)  # a client that does not hear the end
    profile.finish = finish  # type: ignore[method-assign]
    with pytest.raises(DiskFull):
        opened.say("I live in Tartu.", **sent)
    opened.files.fault = None
    assert not opened.say("I live in Tartu.", **sent)["duplicate"]


def test_a_checkpoint_waits_for_what_is_on_its_way(opened: Opened) -> None:
    """A checkpoint while another client's record is not synced yet covers that record too."""
    ticket = opened.profile.begin(make_delta(AddNode(node=make_node("n_1"))))
    opened.profile.checkpoint()
    assert opened.profile.vault.through_seq == ticket.seq
    opened.profile.finish([ticket])
    opened.crash()
    assert set(opened.profile.state.nodes) == {"n_1"}


def test_a_failed_checkpoint_loses_nothing_of_the_next(opened: Opened) -> None:
    """What a checkpoint could not write for want of room is written by the next one."""
    _tell_a_life(opened)
    before = picture(opened.profile)
    opened.files.fault = _no_room
    with pytest.raises(DiskFull):
        opened.profile.checkpoint()
    opened.files.fault = None
    opened.profile.checkpoint()
    opened.crash()
    assert picture(opened.profile) == before


def test_a_commit_is_acknowledged_though_its_checkpoint_finds_no_room() -> None:
    """Once durable in the journal a record is acknowledged, whatever becomes of the checkpoint that is due."""
    opened = Opened(settings=ProfileSettings(checkpoint_records=0))
    files = opened.files

    def no_room_for_files(_number: int, call: str, path: Path) -> OSError | None:
        return OSError(errno.ENOSPC, "no space") if call in ("write", "create") and "data" in path.parts else None

    files.fault = no_room_for_files
    assert opened.say("I live in Tartu.")["id"]
    assert opened.profile.vault.through_seq == 0
    files.fault = None
    opened.say("I work at Nokia.")
    assert opened.profile.vault.through_seq == opened.profile.seq
    opened.close()


def test_damaged_index_files_are_made_anew() -> None:
    """Index blocks that do not fit are rebuilt from graph and turns, and filed again."""
    vault = MemoryVault()
    first = Opened(vault=vault)
    _tell_a_life(first)
    before = _answers(first)
    first.profile.checkpoint()
    blocks = [name for name in vault.files if name.startswith("postings/")]
    for name in blocks:
        vault.files[name] = vault.files[name][: len(vault.files[name]) // 2]
    again = Opened(vault=vault, clock=SetClock(first.clock.now))
    assert set(again.profile.index.slots) == set(first.profile.index.slots)
    assert _answers(again) == before
    again.say("I like tea.")
    again.profile.checkpoint()
    third = Opened(vault=vault, clock=SetClock(first.clock.now))
    assert set(third.profile.index.slots) == set(again.profile.index.slots)
    for opened in (first, again, third):
        opened.close()


class _Failing(MemoryStore):
    """Takes no change; counts how often it was filled."""

    filled = 0
    breaks_filling = False

    def rebuild(self, nodes: Any, edges: Any, seq: int) -> None:
        type(self).filled += 1
        if type(self).breaks_filling:
            raise RuntimeError("no memory")
        super().rebuild(nodes, edges, seq)

    def apply(self, seq: int, operations: Any) -> None:
        raise RuntimeError("broken")


def test_a_failing_graph_store_refuses_no_commit_and_is_rebuilt() -> None:
    """A store that fails falls behind unnoticed by writers and is filled anew at the next question."""
    _Failing.filled, _Failing.breaks_filling = 0, False
    opened = Opened(open_graph=lambda _source: _Failing())
    told = opened.say("I stayed at home because it rained all day.")["learned"]
    assert len(told) == 2
    opened.service.why(told[0]["id"])
    assert _Failing.filled == 1
    opened.say("I was tired because I slept badly.", days=1)
    chains = [opened.service.why(n)["chains"] for n in opened.profile.state.nodes]
    assert _Failing.filled == 2
    assert sum(map(len, chains)) == 2
    opened.close()


def test_a_graph_store_that_could_not_be_filled_is_filled_later() -> None:
    """A store that fails at its filling answers nothing half-filled; the next question fills another."""
    _Failing.filled, _Failing.breaks_filling = 0, True
    opened = Opened(open_graph=lambda _source: _Failing())
    opened.say("I stayed at home because it rained all day.")
    effect = next(e.from_id for e in opened.profile.state.edges.values())
    with pytest.raises(RuntimeError):
        opened.service.why(effect)
    _Failing.breaks_filling = False
    assert len(opened.service.why(effect)["chains"]) == 1
    opened.close()


def test_what_was_sent_survives_a_stop(opened: Opened) -> None:
    """A context sent after the last checkpoint is still known as ours after a clean restart."""
    _tell_a_life(opened)
    opened.profile.checkpoint()
    text = opened.service.context(ContextQuery(message="Tell me about my sister Anna and where I live."))["text"]
    opened.restart()
    assert opened.profile.sent.echoes(text, opened.clock.now)


def test_pinned_nodes_do_not_fade(opened: Opened) -> None:
    """A pin holds a node's weight from its instant on."""
    node_id = opened.say("I live in Tartu.")["learned"][0]["id"]
    opened.service.patch_node(node_id, {"pinned": True})
    for _ in range(60):
        opened.say("Hello!", days=2)
    node = opened.profile.state.nodes[node_id]
    assert node.pieces[-1].kind is PieceKind.PINNED
    assert opened.profile.weight(node, opened.clock.now) == pytest.approx(1.0)
