"""Many things sent in few requests, none of which is too large."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_batches(items: Iterable[T], size_of: Callable[[T], int], *, most: int, most_bytes: int) -> Iterator[list[T]]:
    """Runs of at most `most` items whose sizes stay under `most_bytes` together; a larger one goes alone."""
    batch: list[T] = []
    total = 0
    for item in items:
        size = size_of(item)
        if batch and (len(batch) >= most or total + size > most_bytes):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
    if batch:
        yield batch
