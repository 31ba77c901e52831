"""The daemon dies at any moment under load; what it acknowledged is there afterwards, once."""

from __future__ import annotations

import http.client
import random
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from real_daemon import RealDaemon

from selfimprintd.client import ApiError, Client, NotRunning

KILLS, CLIENTS = 50, 4
SHORTEST_S, LONGEST_S = 0.1, 0.4
PATIENCE_S = 20.0


@dataclass
class Written:
    """What one client was told, and what it asked last without an answer."""

    name: str
    count: int = 0
    acknowledged: dict[str, str] = field(default_factory=dict)
    learned: set[str] = field(default_factory=set)
    unanswered: tuple[str, str] | None = None


def _write(client: Client, written: Written, stopped: threading.Event) -> None:
    while not stopped.is_set():
        if written.unanswered is None:
            written.count += 1
            key = f"{written.name}-{written.count}"
            written.unanswered = (key, f"I own {written.count} red lamps called Lamp{key}.")
        key, content = written.unanswered
        try:
            answer = client.add("user", content, key=key, session=written.name)
        except (ApiError, NotRunning, OSError, http.client.HTTPException):
            return
        for message in [answer] if "id" in answer else answer["messages"]:
            assert message["id"] not in written.acknowledged
            written.acknowledged[message["id"]] = content
            written.learned |= {x["id"] for x in message["learned"]}
        written.unanswered = None


def _answering(writers: list[Written]) -> None:
    """Waits until one more message was acknowledged."""
    before = sum(len(w.acknowledged) for w in writers)
    deadline = time.monotonic() + PATIENCE_S
    while sum(len(w.acknowledged) for w in writers) == before:
        assert time.monotonic() < deadline, "no message was acknowledged"
        time.sleep(0.01)


def _held(client: Client, name: str) -> list[dict[str, str]]:
    messages, cursor = [], ""
    while True:
        page = client.session(name, limit=500, cursor=cursor) if cursor else client.session(name, limit=500)
        messages += page["messages"]
        cursor = page["next"]
        if not cursor:
            return messages


def _check(client: Client, all_written: list[Written]) -> None:
    nodes, cursor = set(), ""
    while True:
        page = client.nodes(status="all", limit=500, **({"cursor": cursor} if cursor else {}))
        nodes |= {n["id"] for n in page["nodes"]}
        cursor = page["next"]
        if not cursor:
            break
    for written in all_written:
        held = _held(client, written.name)
        ids = [m["id"] for m in held]
        assert len(ids) == len(set(ids))
        assert len({m["content"] for m in held}) == len(held)
        found = {m["id"]: m["content"] for m in held}
        assert written.acknowledged.items() <= found.items()
        assert len(found) - len(written.acknowledged) <= 1  # the one whose answer the kill cut off
        assert written.learned <= nodes


def test_nothing_acknowledged_is_lost_or_doubled_by_kills_at_random_moments() -> None:
    """After fifty kills under four writing clients every acknowledged message is there exactly once, with its nodes."""
    chance = random.Random(20_261_201)
    writers = [Written(f"client{n}") for n in range(CLIENTS)]
    with tempfile.TemporaryDirectory(prefix="si") as folder:
        daemon = RealDaemon(Path(folder) / "h")
        for kill in range(KILLS):
            with daemon:
                stopped = threading.Event()
                clients = [daemon.client() for _ in writers]
                threads = [
                    threading.Thread(target=_write, args=(c, w, stopped)) for c, w in zip(clients, writers, strict=True)
                ]
                for thread in threads:
                    thread.start()
                if kill % 3:  # else it dies in its first moments
                    _answering(writers)
                time.sleep(chance.uniform(SHORTEST_S, LONGEST_S))
                if kill % 10 == 9:
                    stopped.set()
                    for thread in threads:
                        thread.join()
                    with_one_answered = [w for w in writers if w.unanswered is None]
                    assert with_one_answered
                    _check(daemon.client(), writers)
                    if kill % 20 == 19:
                        assert daemon.stop() == 0  # a checkpoint in between
                        continue
                daemon.kill()
                for thread in threads:
                    thread.join()
        with daemon:
            _check(daemon.client(), writers)
            assert daemon.stop() == 0
    assert sum(len(w.acknowledged) for w in writers) > 4 * KILLS
