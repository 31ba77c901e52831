"""The soft window: a turn answers for what its neighbours said, at a discount, per question term.

For each term a turn gets the *maximum* of its own part and a neighbour's discounted one, within the session; a sum
of scores would let a turn win by standing among many. Discounts measured on LoCoMo (three conversations).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowSettings:
    """Discounts by distance: `before[0]` is for what the turn right before said, `after[0]` for the one right after.

    `answered` replaces `before[0]` where that turn asks a question and the speaker changes: its words belong to the
    answer.
    """

    before: tuple[float, ...] = (0.7, 0.5, 0.35, 0.25)
    after: tuple[float, ...] = (0.5, 0.35, 0.25, 0.15)
    answered: float = 0.9

    @property
    def reach(self) -> int:
        """How many positions away a neighbour may be."""
        return max(len(self.before), len(self.after))

    def offsets(self) -> tuple[int, ...]:
        """Where the receiving turn stands, seen from the one that speaks: later turns first, then earlier ones."""
        later = tuple(range(1, len(self.before) + 1))
        return later + tuple(-distance for distance in range(1, len(self.after) + 1))

    def discount(self, offset: int, *, asks_another: bool) -> float:
        """What a turn `offset` positions later receives of this turn's part."""
        if offset < 0:
            return self.after[-offset - 1]
        return self.answered if offset == 1 and asks_another else self.before[offset - 1]


def spread(
    own: NDArray[np.float32],
    rows: NDArray[np.intp],
    sources: NDArray[np.intp],
    neighbours: NDArray[np.int32],
    discounts: NDArray[np.float32],
) -> None:
    """Raise `own` (terms × items), in place, to what the entries at (`rows`, `sources`) lend to their neighbours.

    The pairs must be distinct and name every entry that is to spread. `neighbours` and `discounts` are items ×
    offsets; a neighbour of −1 is none. Own parts and lent ones are read before anything is raised: nothing is lent
    twice.
    """
    parts = own[rows, sources]
    flat: NDArray[Any] = own.reshape(-1)
    bases = rows * own.shape[1]
    targets, lent = neighbours[sources], discounts[sources] * parts[:, None]
    for offset in range(neighbours.shape[1]):
        there = np.flatnonzero(targets[:, offset] >= 0)
        at = bases[there] + targets[there, offset]
        np.maximum.at(flat, at, lent[there, offset])  # two turns of one position lend to the same
