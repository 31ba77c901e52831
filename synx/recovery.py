"""What a journal folder holds at opening: verified records, a torn tail cut and kept aside, or damage said aloud."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from selfimprint.synx import segments
from selfimprint.synx.errors import Damaged
from selfimprint.synx.files import Files, discard, write_atomically
from selfimprint.synx.segments import SegmentScan, SegmentSeal

SEGMENT_SUFFIX = ".seg"
TAIL_SUFFIX = ".tail"
_ID_DIGITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A verified segment: its newest record (None: empty) and the length that is durable."""

    segment_id: int
    last_seq: int | None
    good_bytes: int

    def grown(self, size: int, *, last_seq: int) -> "Segment":
        """After `size` more durable bytes."""
        return replace(self, good_bytes=self.good_bytes + size, last_seq=last_seq)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """Verified segments in order, and every reason not to write."""

    segments: tuple[Segment, ...] = ()
    last_seq: int = 0
    next_segment: int = 1
    damage: tuple[str, ...] = ()


def segment_path(folder: Path, segment_id: int) -> Path:
    """Segments are named by their id alone."""
    return folder / f"{segment_id:016x}{SEGMENT_SUFFIX}"


def segment_ids(folder: Path, files: Files) -> list[int]:
    """Ids of the segments in the folder, oldest first."""
    stems = [name.removesuffix(SEGMENT_SUFFIX) for name in files.names(folder) if name.endswith(SEGMENT_SUFFIX)]
    return sorted(int(stem, 16) for stem in stems if len(stem) == _ID_DIGITS and set(stem) <= set("0123456789abcdef"))


def remove_segments(folder: Path, ids: Iterable[int], *, files: Files) -> None:
    """Remove the segments and the tails cut from them, as far as the disk lets go of them."""
    gone = {segment_path(folder, segment_id).name for segment_id in ids}
    try:
        names = files.names(folder)
    except OSError:
        names = sorted(gone)
    for name in names:
        if name in gone or (name.endswith(TAIL_SUFFIX) and name.split(".")[0] + SEGMENT_SUFFIX in gone):
            discard(files, folder / name)


def recover(
    folder: Path,
    *,
    files: Files,
    key_for: Callable[[int], bytes | bytearray],
    profile: bytes,
    through_seq: int,
    first_segment: int,
    named_segment: int,
    next_segment: int,
) -> Recovered:
    """Verify every segment HEAD still needs; a torn tail of the newest is moved aside and cut.

    Segments before `first_segment` are garbage. `named_segment` was durable before HEAD named it: missing is damage.
    `next_segment` is the least id for the segment to come.
    """
    found = segment_ids(folder, files)
    live = [segment_id for segment_id in found if segment_id >= first_segment]
    damage = [] if named_segment in live else ["the journal segment that HEAD names is missing"]
    result: list[Segment] = []
    last_seq: int | None = None
    for segment_id in live:
        path = segment_path(folder, segment_id)
        scanned = _scan(path, segment_id, files, key_for, profile, None if last_seq is None else last_seq + 1)
        if last_seq is None and scanned.first_seq is not None and scanned.first_seq > through_seq + 1:
            damage.append("journal records after the checkpoint are missing")
            break
        if scanned.damage is not None:
            damage.append(scanned.damage)
        if scanned.torn_bytes and segment_id != live[-1]:
            damage.append("a journal segment is cut short before a later one")
        result.append(Segment(segment_id=segment_id, last_seq=scanned.last_seq, good_bytes=scanned.good_bytes))
        last_seq = scanned.last_seq if scanned.last_seq is not None else last_seq
        if damage:
            break
        if scanned.torn_bytes:
            _cut(path, scanned, files)
    if not damage and last_seq is not None and last_seq < through_seq:
        damage.append("the journal ends before the checkpoint")
    return Recovered(
        segments=tuple(result),
        last_seq=max(through_seq, last_seq or 0),
        next_segment=max([next_segment, *(segment_id + 1 for segment_id in found)]),
        damage=tuple(damage),
    )


def read_segment(
    folder: Path,
    segment: Segment,
    *,
    files: Files,
    key_for: Callable[[int], bytes | bytearray],
    profile: bytes,
) -> Iterator[tuple[int, bytes]]:
    """(seq, payload) of a segment's durable records; Damaged if they changed since they were verified."""
    data = files.read(segment_path(folder, segment.segment_id))[: segment.good_bytes]
    if len(data) < segment.good_bytes:
        raise Damaged("a journal segment shrank")
    seal = SegmentSeal(data[: segments.HEADER_BYTES], journal_key=key_for(segment.segment_id), profile=profile)
    if seal.segment_id != segment.segment_id:
        raise Damaged("a journal segment under another's name")
    yield from segments.records(data, seal)


def _scan(
    path: Path,
    segment_id: int,
    files: Files,
    key_for: Callable[[int], bytes | bytearray],
    profile: bytes,
    expected_seq: int | None,
) -> SegmentScan:
    try:
        data = files.read(path)
        if len(data) < segments.HEADER_BYTES:
            raise Damaged("a journal segment shorter than its header")
        seal = SegmentSeal(data[: segments.HEADER_BYTES], journal_key=key_for(segment_id), profile=profile)
        if seal.segment_id != segment_id:
            raise Damaged("a journal segment under another's name")
    except Damaged as error:
        return SegmentScan(
            segment_id=segment_id, first_seq=None, last_seq=None, good_bytes=0, torn_bytes=0, damage=error.message
        )
    return segments.scan(data, seal, expected_seq=expected_seq)


def _cut(path: Path, scanned: SegmentScan, files: Files) -> None:
    """Keep the torn tail aside (it is ciphertext), then cut it; a crash in between repeats both."""
    tail = files.read(path)[scanned.good_bytes :]
    write_atomically(files, path.with_name(f"{path.name}.{scanned.good_bytes:x}{TAIL_SUFFIX}"), tail)
    files.sync_folder(path.parent)
    handle = files.reopen(path)
    try:
        handle.truncate(scanned.good_bytes)
        handle.sync()
    finally:
        handle.close()
