"""Growing numpy arrays: appending one row costs amortised constant time, reading is a view without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_FIRST_CAPACITY = 64


class Column:
    """Rows of one dtype and one row shape, appended at the end and changed in place through `view`."""

    __slots__ = ("_fill", "_rows", "_size")

    def __init__(self, dtype: DTypeLike, row_shape: tuple[int, ...] = (), fill: float = 0) -> None:
        self._rows: NDArray[Any] = np.full((_FIRST_CAPACITY, *row_shape), fill, dtype=dtype)
        self._size = 0
        self._fill = fill

    @classmethod
    def of(cls, rows: NDArray[Any], fill: float = 0) -> Column:
        """A column that starts with a copy of these rows."""
        column = cls(rows.dtype, rows.shape[1:], fill)
        column.extend(rows)
        return column

    def __len__(self) -> int:
        return self._size

    @property
    def view(self) -> NDArray[Any]:
        """The rows so far; invalid once the column grows."""
        return self._rows[: self._size]

    def grow_to(self, size: int) -> None:
        """Append rows of the fill value until there are `size`."""
        if size > len(self._rows):
            capacity = max(size, len(self._rows) + len(self._rows) // 2)
            rows = np.full((capacity, *self._rows.shape[1:]), self._fill, dtype=self._rows.dtype)
            rows[: self._size] = self._rows[: self._size]
            self._rows = rows
        self._size = max(self._size, size)

    def append(self, row: Any) -> None:
        """Append one row."""
        self.grow_to(self._size + 1)
        self._rows[self._size - 1] = row

    def extend(self, rows: NDArray[Any]) -> None:
        """Append many rows."""
        start = self._size
        self.grow_to(start + len(rows))
        self._rows[start : self._size] = rows
