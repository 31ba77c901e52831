"""Twin of engine/recall/columns.py."""

from __future__ import annotations

import numpy as np
from selfimprint.engine.recall.columns import Column


def test_a_column_keeps_its_rows_while_it_grows() -> None:
    """Rows stay what they were, and rows that were only made room for hold the fill value."""
    column = Column(np.int32, (2,), fill=-1)
    for number in range(1000):
        column.append((number, number + 1))
    column.grow_to(1003)
    column.extend(np.array([[5, 6]], np.int32))
    assert len(column) == 1004 and column.view[999].tolist() == [999, 1000]
    assert column.view[1002].tolist() == [-1, -1] and column.view[1003].tolist() == [5, 6]
