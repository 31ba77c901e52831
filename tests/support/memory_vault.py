"""A vault that lives in memory: the same calls, no files, no keys. For tests of what stands on a vault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from selfimprint.synx.journal import Ticket, _Batch


class MemoryVault:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.records: list[tuple[int, bytes]] = []
        self.through_seq = 0
        self.last_seq = 0
        self.read_only: str | None = None
        self.syncs = 0

    def begin(self, payload: bytes, *, after: int | None = None) -> Ticket:
        return Ticket(self.append(payload), _Batch(done=True))

    def finish(self, ticket: Ticket) -> int:
        return ticket.seq

    def append(self, payload: bytes) -> int:
        self.last_seq += 1
        self.records.append((self.last_seq, payload))
        return self.last_seq

    def replay(self) -> Iterator[tuple[int, bytes]]:
        yield from [(seq, data) for seq, data in self.records if seq > self.through_seq]

    def read(self, name: str) -> bytes:
        return self.files[name]

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.files))

    def checkpoint(
        self, changed: Mapping[str, bytes | None], *, through_seq: int, note: Mapping[str, str | int]
    ) -> None:
        for name, data in changed.items():
            if data is None:
                self.files.pop(name, None)
            else:
                self.files[name] = data
        self.through_seq = through_seq

    def close(self) -> None:
        pass
