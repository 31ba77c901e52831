"""Rows measured on a daemon's process over its API: ingest, start, memory, wake-ups, the command line."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conversation_sample
from measuring import Row, Timing, number, row, summary, timed
from own_daemon import DaemonSettings, OwnDaemon
from plain_sqlite import PlainMemory
from process_facts import resident_mib, wakeups_a_second

CLIENTS = 4
ONE_MUST_MS, MANY_MUST_PER_S = 15.0, 200.0
START_MUST_MS, MEMORY_MUST_MIB, WAKEUPS_MUST, STATUS_MUST_MS = 1_500.0, 200.0, 1.0, 150.0
_BATCH = 50
_SETTLE_S = 2.0
_WATCHES = 3

Add = Callable[[str, str, int, str], None]
"""Stores one turn: id, session, instant, content."""


def ingest(daemon: OwnDaemon, home: Path, size: str, messages: int, repetitions: int) -> list[Row]:
    """Messages, one a call and durable when answered, into the profile of that size; rules only, no embedder."""
    profile = next(iter(daemon.tokens))
    plain = PlainMemory(home / "plain.sqlite")
    daemon.start()
    try:
        idle = resident_mib(daemon.pid)
        clients = [daemon.client(profile) for _ in range(CLIENTS)]
        adders = [_over_http(client) for client in clients]
        one = hammer(adders[:1], messages, "one")
        plain_one = hammer([plain.add], messages, "one")
        many = hammer(adders, messages, "many")
        plain_many = hammer([plain.add] * CLIENTS, messages, "many")
        batch = _batches(clients[0], repetitions)
        found = [
            row("ingest, one client", size, one.timing, must_ms=ONE_MUST_MS, floor=plain_one.timing, floor_name=_PLAIN),
            Row(
                work=f"ingest, {CLIENTS} clients",
                size=size,
                value=many.per_second,
                unit="messages/s",
                must=MANY_MUST_PER_S,
                higher_is_better=True,
                spread=f"{number(many.timing.low_ms)}–{number(many.timing.high_ms)} ms a message",
                floor=plain_many.per_second,
                floor_name=_PLAIN,
            ),
            row(f"ingest, {_BATCH} in a call, for each", size, batch),
            Row(work="memory, the profile open", size=size, value=idle, unit="MiB"),
        ]
        status, nothing = timed([_command(daemon, "status"), _bare_python], repetitions)
        found.append(
            row("`selfimprint status`", size, status, must_ms=STATUS_MUST_MS, floor=nothing, floor_name="bare python")
        )
        for client in clients:
            client.close()
    finally:
        daemon.stop()
        plain.close()
    return found


_PLAIN = "SQLite WAL, synced, FTS5"


class Hammered:
    """What became of some clients that added messages at the same time."""

    def __init__(self, timing: Timing, per_second: float) -> None:
        self.timing = timing
        self.per_second = per_second


def hammer(adders: list[Add], messages: int, name: str) -> Hammered:
    """Each adder in a thread of its own, message after message; the first failure is raised here."""
    taken: list[float] = []
    failures: list[Exception] = []

    def work(client: int, add: Add) -> None:
        texts = conversation_sample.texts(messages)
        try:
            for index, text in enumerate(texts):
                began = time.perf_counter()
                # each client talks of its own minute, so that no two messages are the same one
                add(f"{name}-{client}-{index}", f"{name}-{client}", client * 100_000 + index, text)
                taken.append((time.perf_counter() - began) * 1_000)
        except Exception as error:  # told to the caller, who would wait for a dead thread otherwise
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n, add)) for n, add in enumerate(adders)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    if failures:
        raise failures[0]
    return Hammered(summary(taken), len(taken) / seconds)


def _over_http(client: Any) -> Add:
    def add(id: str, session: str, minute: int, content: str) -> None:
        client.add("user", content, session=session, at=_instant(minute), key=id)

    return add


def _instant(minute: int) -> str:
    day, rest = divmod(minute, 1_440)
    return f"2026-{1 + day // 28 % 2:02d}-{1 + day % 28:02d}T{rest // 60:02d}:{rest % 60:02d}:00Z"


def _batches(client: Any, repetitions: int) -> Timing:
    """Milliseconds a message where fifty come in one call."""
    taken = []
    texts = conversation_sample.texts(_BATCH)
    for number_ in range(repetitions):
        messages = [
            {"role": "user", "content": text, "session": f"batch-{number_}", "key": f"batch-{number_}-{index}"}
            for index, text in enumerate(texts)
        ]
        began = time.perf_counter()
        client.add_many(messages)
        taken.append((time.perf_counter() - began) * 1_000 / _BATCH)
    return summary(taken)


def empty(home: Path, repetitions: int, idle_s: float) -> list[Row]:
    """Start, idle memory and wake-ups of a daemon with an empty profile and the embedder of the base install."""
    daemon = OwnDaemon(home, DaemonSettings())
    daemon.prepare(["default"])
    started, bare = [], []
    for _ in range(repetitions):
        started.append(daemon.start() * 1_000)
        daemon.stop()
        began = time.perf_counter()
        _bare_python()
        bare.append((time.perf_counter() - began) * 1_000)
    daemon.start()
    try:
        time.sleep(_SETTLE_S)
        memory = resident_mib(daemon.pid)
        wakeups = statistics.median(wakeups_a_second(daemon.pid, idle_s / _WATCHES) for _ in range(_WATCHES))
    finally:
        daemon.stop()
        shutil.rmtree(home)
    return [
        row(
            "start to ready",
            "empty",
            summary(started),
            must_ms=START_MUST_MS,
            floor=summary(bare),
            floor_name="bare python",
        ),
        Row(work="idle memory, embedder unloaded", size="empty", value=memory, unit="MiB", must=MEMORY_MUST_MIB),
        Row(work="idle wake-ups, all threads", size="empty", value=wakeups, unit="/s", must=WAKEUPS_MUST),
    ]


def _command(daemon: OwnDaemon, name: str) -> Callable[[], object]:
    command = [sys.executable, "-m", "selfimprintd.cli", name, "--home", str(daemon.home)]
    return lambda: subprocess.run(command, check=True, capture_output=True)


def _bare_python() -> None:
    subprocess.run([sys.executable, "-c", "pass"], check=True)
