"""Twin of synx/recovery.py."""

from pathlib import Path

import pytest
from memory_files import Inode, MemoryFiles
from selfimprint.synx import segments
from selfimprint.synx.recovery import Recovered, recover, remove_segments, segment_ids, segment_path
from selfimprint.synx.segments import SegmentSeal

FOLDER = Path("/j")


def with_segments(*contents: tuple[int, int, int]) -> MemoryFiles:
    """Segments as (id, first seq, count)."""
    files = MemoryFiles()
    files.make_folder(FOLDER)
    for segment_id, first, count in contents:
        header = segments.segment_header(segment_id, bytes([segment_id]) * 32)
        seal = SegmentSeal(header, journal_key=b"k" * 32, profile=b"p" * 16)
        data = header + b"".join(seal.seal(first + n, b"r%d" % (first + n)) for n in range(count))
        files.entries[segment_path(FOLDER, segment_id)] = Inode(data, data)
    return files


def recovered(files: MemoryFiles, *, through_seq: int = 0, first: int = 1, named: int = 1) -> Recovered:
    return recover(
        FOLDER,
        files=files,
        key_for=lambda segment_id: b"k" * 32,
        profile=b"p" * 16,
        through_seq=through_seq,
        first_segment=first,
        named_segment=named,
        next_segment=1,
    )


def data_of(files: MemoryFiles, segment_id: int) -> bytearray:
    return files.entries[segment_path(FOLDER, segment_id)].data


def test_sound_segments_are_taken_as_they_are() -> None:
    """Records run on over segments, empty ones between them included; older segments than HEAD's are left out."""
    found = recovered(with_segments((1, 1, 2), (2, 3, 1), (3, 4, 0), (4, 4, 2)), through_seq=2, first=2, named=3)
    assert [segment.segment_id for segment in found.segments] == [2, 3, 4]
    assert (found.last_seq, found.next_segment, found.damage) == (5, 5, ())


def test_a_torn_tail_is_kept_aside_and_cut() -> None:
    """The newest segment loses its short last frame, whose bytes stay in a file beside it."""
    files = with_segments((1, 1, 3))
    tail = bytes(data_of(files, 1)[-30:-7])
    del data_of(files, 1)[-7:]
    found = recovered(files)
    assert (found.last_seq, found.damage) == (2, ())
    kept = [bytes(inode.data) for path, inode in files.entries.items() if path.suffix == ".tail"]
    assert len(kept) == 1 and kept[0].endswith(tail)
    assert recovered(files).last_seq == 2


@pytest.mark.parametrize("segment_id", [1, 2])
def test_a_short_frame_before_a_later_segment_is_damage(segment_id: int) -> None:
    """Only the newest segment can have been torn by a crash."""
    files = with_segments((1, 1, 2), (2, 3, 2), (3, 5, 0))
    del data_of(files, segment_id)[-3:]
    before = bytes(data_of(files, segment_id))
    assert recovered(files, named=3).damage and bytes(data_of(files, segment_id)) == before


def test_a_whole_last_record_that_does_not_open_is_damage() -> None:
    """It may have been acknowledged: nothing is cut, what lies before stays readable."""
    files = with_segments((1, 1, 3))
    data_of(files, 1)[-1] ^= 1
    found = recovered(files)
    assert found.damage and found.last_seq == 2 and found.segments[0].last_seq == 2


def test_missing_segments_and_records_are_damage() -> None:
    """The segment HEAD names, the one after the checkpoint, and those between cannot vanish unnoticed."""
    assert recovered(with_segments((2, 1, 1)), named=1).damage
    assert recovered(with_segments((3, 7, 1)), through_seq=5, first=1, named=3).damage
    assert recovered(with_segments((1, 1, 2), (3, 5, 1)), named=3).damage
    assert recovered(with_segments((1, 1, 2)), through_seq=3).damage
    assert recovered(MemoryFiles(), named=1).damage


def test_segments_under_another_name_or_headless_are_damage() -> None:
    """A renamed segment and one shorter than a header are not read."""
    files = with_segments((1, 1, 1))
    files.entries[segment_path(FOLDER, 2)] = files.entries[segment_path(FOLDER, 1)]
    assert recovered(files).damage
    files = with_segments((1, 1, 1))
    del data_of(files, 1)[20:]
    assert recovered(files).damage


def test_only_segment_names_count() -> None:
    """Other files in the folder are no segments."""
    files = with_segments((1, 1, 1), (10, 2, 0))
    for name in ("x.seg", "00000000000000AB.seg", "0000000000000001.seg.30.tail", "0000000000000002.seg.tmp"):
        files.entries[FOLDER / name] = Inode()
    assert segment_ids(FOLDER, files) == [1, 10]


def test_a_segment_goes_with_its_tails() -> None:
    """What is removed takes along the tails that were cut from it; other segments and their tails stay."""
    files = with_segments((1, 1, 1), (2, 2, 1))
    for segment_id in (1, 2):
        path = segment_path(FOLDER, segment_id)
        files.entries[path.with_name(f"{path.name}.48.tail")] = Inode(b"", b"")
    remove_segments(FOLDER, [1], files=files)
    kept = segment_path(FOLDER, 2).name
    assert sorted(path.name for path in files.entries) == [kept, f"{kept}.48.tail"]
