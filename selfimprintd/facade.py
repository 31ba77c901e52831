"""What the doors need of the memory behind them: two ports and the frozen inputs they take.

Calls are synchronous and thread-safe; the doors make them from a thread pool. Instants are integers: microseconds since
1970-01-01T00:00Z. What a call returns is a plain dict of JSON values. In it an instant stands as an integer under
one of `selfimprintd.instants.INSTANT_KEYS`, or under a key that ends in `_us`; the doors write it as ISO-8601, in the
offset of an `offset_minutes` beside it. The shapes are the models in `selfimprintd.answers`. Failures are the engine's
`EngineError` and the vault's `VaultError`, each with a stable `.code` (`selfimprintd.problems`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Answer = dict[str, Any]
Wait = Literal["stored", "embedded"]
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One message as a client gave it. `at_us` None: the memory sets a time and flags it; no `session`: it finds it."""

    role: str
    content: str
    speaker: str = ""
    session: str = ""
    at_us: int | None = None
    offset_minutes: int = 0
    key: str = ""  # idempotency
    app: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery:
    """A request for context. `as_of_us` is valid time (true then), `known_at_us` record time (known then)."""

    message: str
    budget: int = 400
    counter: str = "estimate"
    as_of_us: int | None = None
    known_at_us: int | None = None
    style: str = "composed"
    exclude: tuple[str, ...] = ()
    explain: bool = False
    language: str = ""
    preset: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    query: str
    k: int = 20
    mode: str = "default"
    as_of_us: int | None = None
    known_at_us: int | None = None
    types: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    explain: bool = False


class ProfileFacade(Protocol):
    """One person's memory. Wider than a port should be: it is the list of what the API offers, one method a route."""

    def add_messages(self, items: Sequence[IncomingMessage], wait: Wait) -> list[Answer]: ...
    def context(self, query: ContextQuery) -> Answer: ...
    def recall(self, query: RecallQuery) -> Answer: ...
    def nodes(self, type: str, slot: str, subject: str, status: str, limit: int, cursor: str) -> Answer: ...
    def node(self, id: str) -> Answer: ...
    def patch_node(self, id: str, changes: Mapping[str, Any]) -> Answer: ...
    def retire_node(self, id: str) -> Answer: ...
    def undo(self, delta_id: str) -> Answer: ...
    def why(self, id: str) -> Answer: ...
    def why_not(self, q: str) -> Answer: ...
    def graph(self, center: str, hops: int, limit: int) -> Answer: ...
    def timeline(self, from_us: int | None, to_us: int | None, limit: int, cursor: str) -> Answer: ...
    def sessions(self, limit: int, cursor: str) -> Answer: ...
    def session(self, id: str, limit: int, cursor: str) -> Answer: ...
    def deltas(self, limit: int) -> Answer: ...
    def status(self) -> Answer: ...
    def drain(self, timeout_s: float) -> Answer: ...

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call back, from any thread, with each event (`type`, ids, counts; no content). Returns the end of it."""
        ...


class DaemonFacade(Protocol):
    """All profiles of one data directory."""

    def profile(self, profile_id: str) -> ProfileFacade:
        """The open profile; `Locked` while its keys are gone, `NotFound` when there is none."""
        ...

    def health(self) -> Answer:
        """`{"status": "ok" | "starting" | "locked" | "read-only"}`: never blocks, shows nothing private."""
        ...

    def stop(self) -> None: ...
