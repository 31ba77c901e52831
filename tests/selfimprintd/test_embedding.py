"""Twin of selfimprintd/embedding.py: vectors come late, wrongly or never, and answers stay."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from opened import Opened

from selfimprintd import embedding
from selfimprintd.facade import RecallQuery

WIDTH = 8


class Pretender:
    """An embedder that can be told to misbehave."""

    def __init__(self, fingerprint: str = "one") -> None:
        self.fingerprint = fingerprint
        self.width = WIDTH
        self.mood = "well"
        self.asked: list[str] = []
        self.released = threading.Event()

    def embed(self, texts: Sequence[str], kind: str, deadline_s: float | None = None) -> NDArray[np.float32]:
        self.asked += texts
        match self.mood:
            case "dead":
                raise OSError("the worker died")
            case "hanging":
                if not self.released.wait(deadline_s):
                    raise TimeoutError
            case "narrow":
                return np.ones((len(texts), WIDTH - 1), np.float32)
            case "few":
                return np.ones((0, WIDTH), np.float32)
            case "nan":
                return np.full((len(texts), WIDTH), np.nan, np.float32)
            case "poison" if any("poison" in text for text in texts):
                raise ValueError("cannot be read")
        seeds = [int.from_bytes(hashlib.blake2b(t.encode(), digest_size=4).digest(), "big") for t in texts]
        return np.stack([np.random.default_rng(s).normal(size=WIDTH).astype(np.float32) for s in seeds])

    def state(self) -> dict[str, Any]:
        return {"embedder": self.fingerprint}

    def close(self) -> None:
        self.released.set()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "RETRY_S", 0.02)


@pytest.fixture
def pretender() -> Pretender:
    return Pretender()


@pytest.fixture
def opened(pretender: Pretender) -> Iterator[Opened]:
    found = Opened(embedder=pretender)
    yield found
    pretender.close()
    found.close()


def _until(true: Callable[[], bool]) -> None:
    for _ in range(2_000):
        if true():
            return
        time.sleep(0.005)
    raise AssertionError("it did not come to pass")


def _ask(opened: Opened) -> dict[str, Any]:
    return opened.service.recall(RecallQuery(query="Where do I live, in Tartu?"))


@pytest.mark.parametrize("mood", ["dead", "hanging", "narrow", "few", "nan"])
def test_answers_stay_while_the_embedder_misbehaves(opened: Opened, pretender: Pretender, mood: str) -> None:
    """Dead, hanging or babbling: the question is answered and flagged, the backlog shows, and all recovers."""
    pretender.mood = mood
    message = opened.say("I live in Tartu.")
    answer = _ask(opened)
    assert answer["degraded"]
    assert message["id"] in [item["id"] for item in answer["items"]]
    assert opened.service.status()["embedding"]["waiting"] >= 1
    assert not opened.service.queue.drain(0.05)
    pretender.mood = "well"
    pretender.released.set()
    assert opened.service.queue.drain(10)
    assert opened.service.status()["embedding"]["waiting"] == 0
    assert opened.profile.vector_of(message["id"]) is not None
    assert not _ask(opened)["degraded"]


def test_one_text_that_cannot_be_read_does_not_hold_up_the_others(opened: Opened, pretender: Pretender) -> None:
    """A poisoned batch goes to the end of the queue and stays visible there."""
    pretender.mood = "poison"
    poisoned = opened.say("poison poison poison", key="p")
    _until(lambda: any("poison" in text for text in pretender.asked))
    others = [opened.say(f"Number {n} is a fine number.", key=str(n))["id"] for n in range(12)]
    _until(lambda: all(opened.profile.vector_of(i) is not None for i in others))
    assert opened.profile.vector_of(poisoned["id"]) is None
    assert opened.service.queue.depth >= 1


def test_another_embedder_fills_all_vectors_anew(opened: Opened, pretender: Pretender) -> None:
    """With another fingerprint the old vectors are dropped and every turn and node is embedded again."""
    message = opened.say("I live in Tartu.")
    assert opened.service.queue.drain(10)
    old = opened.profile.vector_of(message["id"])
    opened.restart()
    assert opened.profile.vector_of(message["id"]) == pytest.approx(old)
    count = len(pretender.asked)
    opened.embedder = another = Pretender("two")
    opened.restart()
    assert opened.service.queue.drain(10)
    assert len(pretender.asked) == count
    assert "I live in Tartu." in another.asked
    assert opened.profile.embedder_fingerprint == "two"
    opened.restart()
    assert opened.profile.embedder_fingerprint == "two"


def test_turns_of_machines_get_no_vector(opened: Opened, pretender: Pretender) -> None:
    """Assistant, tool and document turns stay lexical and wait for nothing."""
    for role in ("assistant", "tool", "document"):
        opened.say(f"Said by the {role}.", role=role)
    assert opened.service.queue.drain(10)
    assert pretender.asked == []


def test_vectors_come_again_after_memory_was_read_anew(opened: Opened) -> None:
    """After a full disk took memory back to what the disk holds, vectors that were not filed are made again."""
    message = opened.say("I live in Tartu.")
    assert opened.service.queue.drain(10)
    opened.profile._reload()
    assert opened.service.queue.drain(10)
    assert opened.profile.vector_of(message["id"]) is not None
