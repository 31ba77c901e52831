"""Vectors follow in the background: a queue of turns and nodes that have none yet, newest first."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine import ports
from selfimprint.engine.graph import Role
from selfimprint.engine.recall.items import Item

from selfimprintd.profile import Profile

log = logging.getLogger("selfimprintd.embedding")
BATCH = 4
"""Texts a call: a question waits for one such batch at most."""
RETRY_S = 1.0
"""Between two tries after a failure."""


class NotVectorsError(ValueError):
    """The embedder answered something that is no vector a text."""


class Embedder(ports.Embedder, Protocol):
    """The engine's port, and what a daemon asks of a process that it keeps."""

    def state(self) -> dict[str, Any]: ...
    def close(self) -> None: ...


Embedded = Callable[[list[str]], None]
"""Called with the keys of turns whose vectors have just come."""


class EmbeddingQueue:
    def __init__(self, profile: Profile, embedder: Embedder | None, embedded: Embedded) -> None:
        self._profile = profile
        self._embedder = embedder
        self._embedded = embedded
        self._pending: dict[str, None] = {}
        self._wake = threading.Condition()
        self._busy = False
        self._stopped = False
        self._retry_s = 0.0
        self.done = 0
        if embedder is not None and profile.embedder_fingerprint not in ("", embedder.fingerprint):
            profile.drop_vectors()
        if embedder is not None:
            profile.embedder_fingerprint = embedder.fingerprint
            self._add_all()
            profile.reload_listeners.append(self._add_all)
        self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
        self._thread.start()

    def add(self, keys: Sequence[str]) -> None:
        """Queue what wants a vector; assistant, tool and document turns stay lexical (design §4.6)."""
        if self._embedder is None:
            return
        with self._wake:
            for key in keys:
                if key in self._profile.index.slots and _wants_vector(self._profile.index.item(key)):
                    self._pending[key] = None
            self._wake.notify_all()

    def _add_all(self) -> None:
        self.add(self._profile.index.without_vector(list(self._profile.index.slots)))

    @property
    def depth(self) -> int:
        return len(self._pending) + (1 if self._busy else 0)

    def drain(self, timeout_s: float) -> bool:
        """Wait until nothing is pending; False when time runs out or nothing will ever come."""
        until = time.monotonic() + timeout_s
        with self._wake:
            while self._pending or self._busy:
                left = until - time.monotonic()
                if left <= 0 or self._stopped:
                    return False
                self._wake.wait(min(left, 0.5))
        return True

    def vector(self, text: str, deadline_s: float) -> NDArray[np.float32] | None:
        """The question's vector, or None past the deadline, without an embedder or where it answers garbage."""
        if self._embedder is None:
            return None
        with contextlib.suppress(OSError, TimeoutError, NotVectorsError):
            row: NDArray[np.float32] = self._rows([text], "query", deadline_s)[0]
            return row
        return None

    def _rows(
        self, texts: Sequence[str], kind: ports.EmbedKind, deadline_s: float | None = None
    ) -> NDArray[np.float32]:
        assert self._embedder is not None
        rows = np.asarray(self._embedder.embed(texts, kind, deadline_s), np.float32)
        if rows.shape != (len(texts), self._embedder.width) or not np.isfinite(rows).all():
            raise NotVectorsError("the embedder's answer is not one finite vector a text")
        return rows

    def state(self) -> dict[str, Any]:
        if self._embedder is None:
            return {"embedder": "none", "waiting": 0}
        return {**self._embedder.state(), "waiting": self.depth, "done": self.done}

    def stop(self) -> None:
        with self._wake:
            self._stopped = True
            self._wake.notify_all()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._busy = False
                self._wake.notify_all()
                while not self._stopped and (not self._pending or self._retry_s > 0):
                    waited = self._retry_s
                    self._retry_s = 0.0
                    self._wake.wait(waited or None)
                if self._stopped:
                    return
                keys = [self._pending.popitem()[0] for _ in range(min(BATCH, len(self._pending)))]
                self._busy = True
            try:
                self._embed(keys)
            except (OSError, TimeoutError):
                with self._wake:
                    for key in keys:
                        self._pending.setdefault(key)
                    self._retry_s = RETRY_S
            except Exception as error:  # one bad text must not end the queue, nor hold up the others
                log.warning("a batch could not be embedded: %s", type(error).__name__)
                refused = [key for key in keys if not self._embedded_alone(key)]
                if refused:
                    with self._wake:
                        self._pending = {**dict.fromkeys(refused), **self._pending}
                        self._retry_s = RETRY_S

    def _embedded_alone(self, key: str) -> bool:
        try:
            self._embed([key])
        except Exception:
            return False
        return True

    def _embed(self, keys: list[str]) -> None:
        with self._profile.lock:
            index = self._profile.index
            texts = [(key, index.item(key).text) for key in keys if key in index.slots]
        if not texts:
            return
        rows = self._rows([text for _, text in texts], "passage")
        with self._profile.lock:  # the index may be another by now: after a full disk the profile is read anew
            self._profile.index.set_vectors([key for key, _ in texts], rows)
        self.done += len(texts)
        turns = [key for key, _ in texts if key.startswith("m_")]
        if turns:
            try:
                self._embedded(turns)
            except Exception as error:  # the vectors are there all the same
                log.warning("a second reading failed: %s", type(error).__name__)


def _wants_vector(item: Item) -> bool:
    return item.kind == "node" or item.role in (Role.USER.value, Role.PERSON.value)
