"""The journal's newest segment: made durable before anything goes in, then written, synced and cut.

What a failure means is decided here: a full disk may heal, after anything else the disk is not to be trusted.
"""

from __future__ import annotations

import errno
from pathlib import Path

from selfimprint.synx import segments
from selfimprint.synx.errors import DiskFull, ReadOnly, VaultError
from selfimprint.synx.files import Files, OpenFile, write_atomically
from selfimprint.synx.recovery import Segment, segment_path
from selfimprint.synx.segments import SegmentSeal

_FULL = (errno.ENOSPC, errno.EDQUOT)


class SegmentWriter:
    """One segment that records are appended to; `segment` says what of it is durable."""

    def __init__(self, segment: Segment, *, seal: SegmentSeal, handle: OpenFile) -> None:
        """Use `open`."""
        self.segment = segment
        self._seal = seal
        self._handle = handle
        self._closed = False

    @classmethod
    def open(
        cls,
        folder: Path,
        segment_id: int,
        *,
        files: Files,
        salt: bytes,
        journal_key: bytes | bytearray,
        profile: bytes,
    ) -> SegmentWriter:
        """A new, empty, durable segment. DiskFull: there is none, and it may be tried again; ReadOnly: do not go on."""
        header = segments.segment_header(segment_id, salt)
        path = segment_path(folder, segment_id)
        try:
            write_atomically(files, path, header)
        except OSError as failure:
            if failure.errno in _FULL:
                raise DiskFull("no space for a journal segment") from failure
            raise ReadOnly("a journal segment could not be made") from failure
        try:
            files.sync_folder(folder)
            handle = files.reopen(path)
        except OSError as failure:
            raise ReadOnly("a journal segment could not be made durable") from failure
        return cls(
            Segment(segment_id=segment_id, last_seq=None, good_bytes=len(header)),
            seal=SegmentSeal(header, journal_key=journal_key, profile=profile),
            handle=handle,
        )

    def seal(self, seq: int, payload: bytes) -> bytes:
        """The record's bytes; a number is sealed at most once a segment."""
        return self._seal.seal(seq, payload)

    def write(self, data: bytes) -> VaultError | None:
        """One write, one sync. None: durable; else why nothing of it is acknowledged."""
        try:
            self._handle.write(data)
        except OSError as failure:
            if failure.errno in _FULL:
                return DiskFull("no space for the journal")
            return ReadOnly("the journal could not be written")
        try:
            self._handle.sync()
        except OSError:
            return ReadOnly("the journal could not be made durable")
        return None

    def cut(self) -> None:
        """Take off what was written and not acknowledged; ReadOnly where the disk refuses."""
        try:
            self._handle.truncate(self.segment.good_bytes)
            self._handle.sync()
        except OSError as failure:
            raise ReadOnly("the journal could not be cut after a full disk") from failure

    def close(self) -> None:
        """No more is written; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._handle.close()
