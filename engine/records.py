"""A mapping of records that are made from their plain form when somebody asks for them.

Opening a profile reads tens of thousands of records; a question looks at a few dozen of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, Generic, TypeVar

R = TypeVar("R")


class Records(MutableMapping[str, R], Generic[R]):
    """Looks like a dict. `offer` adds plain forms under their ids; each becomes a record at its first use."""

    def __init__(self, make: Callable[[Any], R]) -> None:
        self._make = make
        self._ready: dict[str, R] = {}
        self._plain: dict[str, Any] = {}

    def offer(self, plain: Mapping[str, Any]) -> None:
        """Hold these plain forms; ids that are there already are replaced."""
        for key in plain:
            self._ready.pop(key, None)
        self._plain.update(plain)

    def __getitem__(self, key: str) -> R:
        record = self._ready.get(key)
        if record is None:
            record = self._ready[key] = self._make(self._plain.pop(key))
        return record

    def __setitem__(self, key: str, record: R) -> None:
        self._plain.pop(key, None)
        self._ready[key] = record

    def __delitem__(self, key: str) -> None:
        if key in self._plain:
            del self._plain[key]
        else:
            del self._ready[key]

    def __contains__(self, key: object) -> bool:
        return key in self._ready or key in self._plain

    def __iter__(self) -> Iterator[str]:
        """Ids in no particular order; the mapping may change while one iterates."""
        yield from [*self._ready, *self._plain]

    def __len__(self) -> int:
        return len(self._ready) + len(self._plain)
