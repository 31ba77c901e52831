"""What the engine needs from outside, cut by who uses it. Backends fit by structure; none is imported here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

EmbedKind = Literal["query", "passage"]


class Embedder(Protocol):
    """Turns texts into unit vectors. `fingerprint` names model and version: vectors of different ones never mix."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def width(self) -> int: ...

    def embed(self, texts: Sequence[str], kind: EmbedKind, deadline_s: float | None = None) -> NDArray[np.float32]:
        """Shape (len(texts), width), rows of length 1. OSError when it cannot, TimeoutError past the deadline."""
        ...


class Clock(Protocol):
    """The daemon's clock."""

    def now_us(self) -> int:
        """Microseconds since 1970-01-01T00:00Z. May step back, as real clocks do."""
        ...
