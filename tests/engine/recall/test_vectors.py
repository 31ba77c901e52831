"""Twin of engine/recall/vectors.py."""

from __future__ import annotations

import numpy as np
import pytest
from selfimprint.engine.recall.vectors import Vectors


def test_rows_are_unit_and_reused() -> None:
    """A vector is scaled, found by its slot, and a dropped row is overwritten, skipped and used again."""
    vectors = Vectors()
    assert (vectors.set(4, np.array([3, 4], np.float32)), vectors.set(7, np.array([0, 2], np.float32))) == (0, 1)
    slots, cosine = vectors.cosines(np.array([0, 1], np.float32))
    assert dict(zip(slots.tolist(), cosine.tolist(), strict=True)) == pytest.approx({4: 0.8, 7: 1.0})
    assert vectors.drop(4) == 0 and vectors.drop(4) == -1 and vectors.get(4) is None
    assert vectors.cosines(np.array([0, 1], np.float32))[0].tolist() == [7]
    assert vectors.set(9, np.array([1, 0], np.float32)) == 0 and 9 in vectors
