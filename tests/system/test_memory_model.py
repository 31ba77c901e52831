"""A profile over a vault whose disk fails, against a model that a child could check."""

from __future__ import annotations

import contextlib
import errno
import os
import random
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    precondition,
    rule,
)
from memory_files import Crash, MemoryFiles
from opened import Opened, picture
from selfimprint.synx.errors import VaultError

from selfimprintd.memory import ProfileSettings

CITIES = ("Tartu", "Riga", "Oslo")
EMPLOYERS = ("Nokia", "Siemens")
SAYINGS = {
    **{f"I live in {city}.": ("home", city) for city in CITIES},
    **{f"I work at {name}.": ("employer", name) for name in EMPLOYERS},
    "Good morning!": None,
    "It rained all day because a front came in.": None,
}


class MemoryModel(RuleBasedStateMachine):
    changes = Bundle("changes")

    def __init__(self) -> None:
        super().__init__()
        self.opened = Opened(settings=ProfileSettings(checkpoint_records=25))
        self.said: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.current: dict[str, str] = {}
        self.retired: set[str] = set()
        self.count = 0

    def _tell(self, saying: str, key: str) -> dict[str, Any]:
        return self.opened.say(saying, key=key, days=1)

    def _remember(self, saying: str, key: str, answer: dict[str, Any]) -> None:
        self.said[answer["id"]] = saying
        self.keys[key] = saying
        filled = SAYINGS[saying]
        if filled is not None:
            slot, value = filled
            self.current[slot] = value

    @rule(saying=st.sampled_from(sorted(SAYINGS)))
    def say(self, saying: str) -> None:
        self.count += 1
        key = f"k{self.count}"
        self._remember(saying, key, self._tell(saying, key))

    @precondition(lambda self: self.keys)
    @rule(data=st.data())
    def say_again(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.keys)))
        before = picture(self.opened.profile)
        answer = self.opened.say(self.keys[key], key=key)
        assert answer["duplicate"] and answer["id"] in self.said
        assert picture(self.opened.profile) == before

    @precondition(lambda self: self.current)
    @rule(target=changes, data=st.data())
    def retire(self, data: st.DataObject) -> tuple[str, str, str]:
        slot = data.draw(st.sampled_from(sorted(self.current)))
        (node,) = self.opened.slot(slot)  # a newer one of this value may be retired
        self.opened.clock.pass_days(0.1)
        answer = self.opened.service.retire_node(node.id)
        self.retired.add(node.id)
        return answer["delta"], slot, self.current.pop(slot)

    @rule(change=consumes(changes))
    def undo_retirement(self, change: tuple[str, str, str]) -> None:
        delta, slot, value = change
        if slot in self.current:
            return  # told anew since: what an undo makes of that is the owner's to judge
        node = next(n for n in self.opened.profile.state.nodes.values() if f"{n.id}" in self._subject_of(delta))
        was_retired = node.retired_at is not None
        answer = self.opened.service.undo(delta)
        if was_retired and node.id in self.retired and answer["undone"]:
            self.retired.discard(node.id)
            now = self.opened.profile.state.nodes[node.id]
            if now.valid_to is None:
                self.current.setdefault(slot, value)

    def _subject_of(self, delta: str) -> set[str]:
        found = next(d for _, d in self.opened.profile.deltas() if d.id == delta)
        return {op.after.id for op in found.operations if hasattr(op, "after")}

    @precondition(lambda self: self.current)
    @rule(data=st.data(), pinned=st.booleans(), importance=st.floats(0, 1))
    def patch(self, data: st.DataObject, pinned: bool, importance: float) -> None:
        slot = data.draw(st.sampled_from(sorted(self.current)))
        (node,) = self.opened.slot(slot)  # a newer one of this value may be retired
        self.opened.service.patch_node(node.id, {"pinned": pinned, "importance": importance})
        after = self.opened.profile.state.nodes[node.id]
        assert (after.is_pinned, after.importance) == (pinned, importance)

    @rule()
    def checkpoint(self) -> None:
        self.opened.profile.checkpoint()

    @rule()
    def restart(self) -> None:
        before = picture(self.opened.profile)
        self.opened.restart()
        assert picture(self.opened.profile) == before

    @rule()
    def kill(self) -> None:
        before = picture(self.opened.profile)
        self.opened.crash()
        assert picture(self.opened.profile) == before

    @rule(seed=st.integers(0, 2**32))
    def cut_the_power(self, seed: int) -> None:
        before = picture(self.opened.profile)
        self.opened.crash(self.opened.files.after_power_loss(random.Random(seed)))
        assert picture(self.opened.profile) == before

    @rule(saying=st.sampled_from(sorted(SAYINGS)), after=st.integers(1, 4))
    def fill_the_disk_while_telling(self, saying: str, after: int) -> None:
        self.count += 1
        key = f"k{self.count}"
        with _full(self.opened.files, after):
            try:
                answer = self._tell(saying, key)
            except VaultError:
                answer = None
        if answer is None:  # it may be told again, and is then stored once
            answer = self._tell(saying, key)
        self._remember(saying, key, answer)

    @rule(after=st.integers(1, 40))
    def fill_the_disk_while_checkpointing(self, after: int) -> None:
        before = picture(self.opened.profile)
        with _full(self.opened.files, after), contextlib.suppress(VaultError):
            self.opened.profile.checkpoint()
        if (
            self.opened.profile.vault.read_only
        ):  # HEAD itself met the full disk: only opening anew tells which one holds
            self.opened.crash()
        assert picture(self.opened.profile) == before

    @rule(after=st.integers(1, 30), seed=st.none() | st.integers(0, 2**32))
    def die_while_checkpointing(self, after: int, seed: int | None) -> None:
        before = picture(self.opened.profile)
        files = self.opened.files
        first = files.calls
        files.fault = lambda number, call, path: Crash() if number >= first + after else None
        with contextlib.suppress(Crash, VaultError):
            self.opened.profile.checkpoint()
        files.fault = None
        self.opened.crash(None if seed is None else files.after_power_loss(random.Random(seed)))
        assert picture(self.opened.profile) == before

    @invariant()
    def turns_are_those_acknowledged(self) -> None:
        assert {m.id: m.content for m in self.opened.profile.trace.all()} == self.said

    @invariant()
    def slots_hold_what_was_said_last(self) -> None:
        for slot in ("home", "employer"):
            wanted = [self.current[slot]] if slot in self.current else []
            assert self.opened.values(slot) == wanted

    @invariant()
    def retired_stays_retired(self) -> None:
        nodes = self.opened.profile.state.nodes
        assert {i for i, n in nodes.items() if n.retired_at is not None} == self.retired

    def teardown(self) -> None:
        self.opened.close()


class _full:
    """No room from the given call on, until the end of the block."""

    def __init__(self, files: MemoryFiles, after: int) -> None:
        self._files, self._first = files, files.calls + after

    def __enter__(self) -> None:
        self._files.fault = self._fault

    def _fault(self, number: int, call: str, path: Path) -> OSError | None:
        grows = call in ("write", "create")
        return OSError(errno.ENOSPC, "no space") if number >= self._first and grows else None

    def __exit__(self, *_: object) -> None:
        self._files.fault = None


EXPLORE = "SELFIMPRINT_EXPLORE"
"""Set in the environment, each run draws other histories; else the same ones, so that a change is what breaks them."""

TestMemoryModel = MemoryModel.TestCase
TestMemoryModel.settings = settings(
    derandomize=EXPLORE not in os.environ,
    max_examples=50,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
)
