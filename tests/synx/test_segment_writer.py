"""Twin of synx/segment_writer.py."""

import errno
from pathlib import Path

import pytest
from memory_files import MemoryFiles
from selfimprint.synx.errors import DiskFull, ReadOnly, VaultError
from selfimprint.synx.recovery import read_segment, segment_path
from selfimprint.synx.segment_writer import SegmentWriter

FOLDER = Path("/j")
KEY, PROFILE = b"k" * 32, b"p" * 16


def folder() -> MemoryFiles:
    files = MemoryFiles()
    files.make_folder(FOLDER)
    return files


def fail_at(files: MemoryFiles, call: str, code: int) -> None:
    files.fault = lambda number, kind, path: OSError(code, "injected") if kind == call else None


def opened(files: MemoryFiles) -> SegmentWriter:
    return SegmentWriter.open(FOLDER, 7, files=files, salt=b"s" * 32, journal_key=KEY, profile=PROFILE)


def written(writer: SegmentWriter, seq: int, payload: bytes) -> VaultError | None:
    """Write one record and, where it is durable, say so in the writer's segment."""
    data = writer.seal(seq, payload)
    error = writer.write(data)
    if error is None:
        writer.segment = writer.segment.grown(len(data), last_seq=seq)
    return error


def test_what_is_written_is_read_again() -> None:
    """A segment starts empty and durable; its records come back as they were, in order."""
    files = folder()
    writer = opened(files)
    assert (writer.segment.segment_id, writer.segment.last_seq) == (7, None)
    assert written(writer, 1, b"one") is None and written(writer, 2, b"two") is None
    found = read_segment(FOLDER, writer.segment, files=files, key_for=lambda segment_id: KEY, profile=PROFILE)
    assert list(found) == [(1, b"one"), (2, b"two")]


@pytest.mark.parametrize(
    ("call", "code", "expected"),
    [
        ("write", errno.ENOSPC, DiskFull),
        ("write", errno.EIO, ReadOnly),
        ("sync", errno.ENOSPC, ReadOnly),
        ("sync", errno.EIO, ReadOnly),
    ],
)
def test_only_a_full_disk_may_heal(call: str, code: int, expected: type[VaultError]) -> None:
    """A write without space is DiskFull; any other failure, and every failed sync, is final."""
    files = folder()
    writer = opened(files)
    fail_at(files, call, code)
    assert type(written(writer, 1, b"lost")) is expected


@pytest.mark.parametrize(("code", "expected"), [(errno.ENOSPC, DiskFull), (errno.EIO, ReadOnly)])
def test_a_segment_that_finds_no_place_is_not_opened(code: int, expected: type[VaultError]) -> None:
    """Without space no file of the segment's name is left, and the same id may be tried again."""
    files = folder()
    fail_at(files, "write", code)
    with pytest.raises(expected):
        opened(files)
    files.fault = None
    assert segment_path(FOLDER, 7) not in files.entries
    assert written(opened(files), 1, b"one") is None


def test_cutting_takes_off_what_was_not_acknowledged() -> None:
    """After a cut the file is as long as its durable records; where the disk refuses the cut nothing may go on."""
    files = folder()
    writer = opened(files)
    written(writer, 1, b"kept")
    writer.write(writer.seal(2, b"never acknowledged"))
    writer.cut()
    assert len(files.entries[segment_path(FOLDER, 7)].data) == writer.segment.good_bytes
    fail_at(files, "truncate", errno.EIO)
    with pytest.raises(ReadOnly):
        writer.cut()
