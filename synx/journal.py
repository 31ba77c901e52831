"""The journal: records in the order of their sequence numbers, each durable before it is acknowledged.

Bytes: docs/format.md, "Journal". Many threads appending share one sync: whoever finds the disk idle writes at once, and
what arrives while a sync runs goes out together with the next one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from selfimprint.synx.container import SALT_BYTES
from selfimprint.synx.errors import DiskFull, LimitExceeded, Locked, ReadOnly, VaultError
from selfimprint.synx.files import Files
from selfimprint.synx.recovery import Recovered, Segment, read_segment, remove_segments
from selfimprint.synx.segment_writer import SegmentWriter


@dataclass(slots=True)
class _Batch:
    """Records that go to the disk with one write and one sync."""

    parts: list[bytes] = field(default_factory=list)
    last_seq: int = 0
    done: bool = False
    error: VaultError | None = None


@dataclass(frozen=True, slots=True)
class Ticket:
    """A record on its way to the disk."""

    seq: int
    batch: _Batch


class Journal:
    """Appends to the newest segment; older ones are only read and dropped."""

    def __init__(
        self,
        folder: Path,
        *,
        files: Files,
        recovered: Recovered,
        key_for: Callable[[int], bytes | bytearray],
        profile: bytes,
        randomness: Callable[[int], bytes],
        record_bytes: int,
    ) -> None:
        """Takes over what `recovery.recover` found; `start` opens a segment to append to."""
        self._folder = folder
        self._files = files
        self._key_for = key_for
        self._profile = profile
        self._randomness = randomness
        self._record_bytes = record_bytes
        self._closed_segments: list[Segment] = list(recovered.segments)
        self._durable_seq = recovered.last_seq
        self._next_seq = recovered.last_seq + 1
        self._next_segment = recovered.next_segment
        self._current: SegmentWriter | None = None
        self._state = threading.Condition()
        self._batch = _Batch()
        self._syncing = False
        self._rotating = False
        self._paused = False
        self._needs_restart = True
        self._failed: str | None = "; ".join(recovered.damage) or None
        self._closed = False

    @property
    def last_seq(self) -> int:
        """The newest durable record, or the checkpoint's if there is none after it."""
        return self._durable_seq

    @property
    def failed(self) -> str | None:
        """Why nothing more is appended, if so."""
        return self._failed

    @property
    def size_bytes(self) -> int:
        """Bytes of all segments, for the caller's decision to checkpoint."""
        return sum(segment.good_bytes for segment in self._all())

    def _all(self) -> list[Segment]:
        with self._state:
            return [*self._closed_segments, *([self._current.segment] if self._current else [])]

    def fail(self, reason: str) -> None:
        """No more appends: something about this vault's disk is not to be trusted."""
        with self._state:
            self._failed = self._failed or reason

    def append(self, payload: bytes) -> int:
        """The record's sequence number, once it is durable. DiskFull: not acknowledged, the next call tries anew."""
        return self.finish(self.begin(payload))

    def begin(self, payload: bytes, *, after: int | None = None) -> Ticket:
        """Give the record its number and place; it is durable once `finish` returned. Records of several threads that
        begin before one of them finishes share a sync. `after`: the record it builds on, DiskFull where that was lost.
        """
        if len(payload) > self._record_bytes:
            raise LimitExceeded("a journal record past its size limit")
        with self._state:
            while self._rotating or self._paused:
                self._state.wait()
            self._check_writable()
            if self._needs_restart:
                self._restart()
            seq = self._next_seq
            if after is not None and after != seq - 1:
                raise DiskFull("the record before it found no space")
            assert self._current is not None
            self._batch.parts.append(self._current.seal(seq, payload))
            self._batch.last_seq = seq
            self._next_seq = seq + 1
            return Ticket(seq, self._batch)

    def finish(self, ticket: Ticket) -> int:
        """Wait until the record is durable, writing it if nobody else does; its number, or what went wrong."""
        batch = ticket.batch
        with self._state:
            while not batch.done and self._syncing:
                self._state.wait()
            if not batch.done:
                self._syncing = True
                self._batch = _Batch()
        if not batch.done:
            self._write(batch)
        if batch.error is not None:
            raise batch.error
        return ticket.seq

    def _write(self, batch: _Batch) -> None:
        """Leader's part, outside the lock: one write, one sync, then everyone in the batch is told."""
        current = self._current
        assert current is not None
        data = b"".join(batch.parts)
        error: VaultError | None = ReadOnly("writing the journal was interrupted")
        try:
            error = current.write(data)
        finally:
            with self._state:
                if error is None:
                    self._durable_seq = batch.last_seq
                    current.segment = current.segment.grown(len(data), last_seq=batch.last_seq)
                else:
                    self._give_up(error)
                batch.error = error
                batch.done = True
                self._syncing = False
                self._state.notify_all()

    def _give_up(self, error: VaultError) -> None:
        # Those gathered meanwhile carry numbers after the lost ones: they fail too, and the numbers are free again.
        waiting, self._batch = self._batch, _Batch()
        waiting.error, waiting.done = error, True
        self._next_seq = self._durable_seq + 1
        if isinstance(error, DiskFull):
            self._needs_restart = True
        else:
            self._failed = self._failed or error.message

    def _check_writable(self) -> None:
        if self._closed:
            raise Locked("the journal is closed")
        if self._failed is not None:
            raise ReadOnly(self._failed)

    def _restart(self) -> None:
        """Go on in a new segment after cutting what was not acknowledged: a number comes again under a new key."""
        try:
            if self._current is not None:
                self._current.cut()
        except ReadOnly as failure:
            self._failed = failure.message
            raise
        self._open_segment()
        self._needs_restart = False

    def start(self) -> None:
        """Open the first segment of this run."""
        with self._state:
            self._check_writable()
            self._restart()

    def rotate(self) -> int:
        """Close the segment and open the next; its id. Appends wait meanwhile; DiskFull leaves everything as it was."""
        with self._state:
            while self._rotating:
                self._state.wait()
            self._rotating = True
            try:
                self._drain()
                self._check_writable()
                if self._needs_restart:
                    self._restart()
                else:
                    self._open_segment()
                assert self._current is not None
                return self._current.segment.segment_id
            finally:
                self._rotating = False
                self._state.notify_all()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Appends wait until the end of the block; rotation does not."""
        with self._state:
            self._paused = True
        try:
            yield
        finally:
            with self._state:
                self._paused = False
                self._state.notify_all()

    def settled(self) -> int:
        """The newest durable record once nothing is on its way; only of use while paused."""
        with self._state:
            self._drain()
            return self._durable_seq

    def _drain(self) -> None:
        """Until nothing is being written or waits to be."""
        while self._syncing or self._batch.parts:
            if self._syncing:
                self._state.wait()
            else:  # its threads have not woken up yet
                waiting, self._batch = self._batch, _Batch()
                self._syncing = True
                self._write(waiting)

    def advance_to(self, segment_id: int) -> None:
        """Later segments start at `segment_id`: from there on a new journal key holds."""
        with self._state:
            if self._next_segment > segment_id:
                self._failed = "too many journal segments since the last checkpoint"
                raise ReadOnly(self._failed)
            self._next_segment = segment_id

    def _open_segment(self) -> None:
        segment_id = self._next_segment
        salt = self._randomness(SALT_BYTES)
        key = self._key_for(segment_id)
        try:
            opened = SegmentWriter.open(
                self._folder, segment_id, files=self._files, salt=salt, journal_key=key, profile=self._profile
            )
        except ReadOnly as failure:
            self._failed = failure.message
            raise
        if self._current is not None:
            self._current.close()
            self._closed_segments.append(self._current.segment)
        self._current = opened
        self._next_segment = segment_id + 1

    def replay(self, after_seq: int) -> Iterator[tuple[int, bytes]]:
        """(seq, payload) of the durable records after `after_seq`, as of this call."""
        for segment in self._all():
            if segment.last_seq is None or segment.last_seq <= after_seq:
                continue
            for seq, payload in read_segment(
                self._folder, segment, files=self._files, key_for=self._key_for, profile=self._profile
            ):
                if seq > after_seq:
                    yield seq, payload

    def kept_after(self, through_seq: int) -> list[int]:
        """Ids of the segments that still hold a record after `through_seq`, and of the current one."""
        with self._state:
            kept = [s.segment_id for s in self._closed_segments if s.last_seq is not None and s.last_seq > through_seq]
            return [*kept, *([self._current.segment.segment_id] if self._current else [])]

    def drop(self, kept: list[int], *, before: int) -> None:
        """Remove closed segments older than `before` and not in `kept`; what resists is removed at the next opening."""
        with self._state:
            dropped = [s for s in self._closed_segments if s.segment_id < before and s.segment_id not in kept]
            self._closed_segments = [s for s in self._closed_segments if s not in dropped]
        remove_segments(self._folder, [segment.segment_id for segment in dropped], files=self._files)

    def close(self) -> None:
        """Wait for what is being written, then end."""
        with self._state:
            self._closed = True
            self._drain()
            if self._current is not None:
                self._current.close()
