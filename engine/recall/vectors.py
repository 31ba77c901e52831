"""Unit vectors of some of the items, packed without gaps so that one matrix–vector product scores them all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall.columns import Column

Floats = NDArray[np.float32]

_NONE = -1


class Vectors:
    """Rows of one width, each belonging to a slot; the first vector sets the width."""

    def __init__(self) -> None:
        self.rows: Column | None = None
        self.slots = Column(np.int32, fill=_NONE)
        self.row_of: dict[int, int] = {}
        self.free: list[int] = []

    @property
    def width(self) -> int:
        """0 while there are no vectors."""
        return 0 if self.rows is None else int(self.rows.view.shape[1])

    def __contains__(self, slot: object) -> bool:
        return slot in self.row_of

    def get(self, slot: int) -> Floats | None:
        """A copy of a slot's vector."""
        row = self.row_of.get(slot)
        return None if row is None or self.rows is None else np.array(self.rows.view[row])

    def set(self, slot: int, vector: Floats) -> int:
        """Keep a vector, scaled to unit length, and say in which row; one of zeros or not finite counts as none
        (−1).
        """
        if self.rows is None:
            self.rows = Column(np.float32, (len(vector),))
        if len(vector) != self.width:
            raise ValueError(f"expected vectors {self.width} wide, got {len(vector)}")
        norm = float(np.linalg.norm(vector))
        if not np.isfinite(norm) or norm == 0.0:
            return self.drop(slot)
        row = self.row_of.get(slot)
        if row is None:
            row = self.free.pop() if self.free else len(self.rows)
            self.rows.grow_to(max(len(self.rows), row + 1))
            self.slots.grow_to(len(self.rows))
            self.slots.view[row] = slot
            self.row_of[slot] = row
        self.rows.view[row] = vector / np.float32(norm)
        return row

    def drop(self, slot: int) -> int:
        """Overwrite and free a slot's row and say which it was, −1 for none."""
        row = self.row_of.pop(slot, _NONE)
        if row != _NONE and self.rows is not None:
            self.rows.view[row] = 0.0
            self.slots.view[row] = _NONE
            self.free.append(row)
        return row

    def cosines(self, unit: Floats) -> tuple[NDArray[np.int32], Floats]:
        """The slots that have a vector and their cosines with a unit vector of the same width."""
        if self.rows is None:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        slots: NDArray[np.int32] = self.slots.view
        cosine: Floats = self.rows.view @ unit
        if self.free:
            present = slots >= 0
            return slots[present], cosine[present]
        return slots, cosine

    @classmethod
    def of(cls, rows: Floats, slots: NDArray[np.int32]) -> Vectors:
        """Vectors as they were stored; a slot of −1 is a free row."""
        vectors = cls()
        if rows.size:
            vectors.rows, vectors.slots = Column.of(rows), Column.of(slots, fill=_NONE)
            vectors.row_of = {slot: row for row, slot in enumerate(slots.tolist()) if slot >= 0}
            vectors.free = [row for row, slot in enumerate(slots.tolist()) if slot < 0]
        return vectors
