"""Twin of selfimprintd/filing.py."""

from __future__ import annotations

import pytest
from graphs import START
from records import make_delta
from selfimprint.engine.codec import encode
from selfimprint.engine.graph import DAY_US

from selfimprintd import filing
from selfimprintd.documents import read_history


def recorded(seq: int, at: int = START) -> filing.Recorded:
    delta = make_delta(id=f"d_{seq}", recorded_at=at)
    return seq, delta, encode(delta)


@pytest.mark.parametrize("block", ["vectors/3", "terms/12", "items"])
def test_a_block_of_the_index_is_found_again_by_its_file(block: str) -> None:
    """Naming and reading the name are inverse, and the name lies in a folder of the index."""
    name = filing.index_file(block)
    assert filing.block_of(name) == block
    assert name.startswith(filing.INDEX_FOLDERS)


def test_the_parts_of_the_traces_index_come_in_the_order_of_their_numbers() -> None:
    """The tenth after the second, and no other file among them."""
    names = [f"{filing.INDEX}.10", "manifest", f"{filing.INDEX}.2", f"{filing.INDEX}x"]
    assert filing.trace_index_files(names) == [f"{filing.INDEX}.2", f"{filing.INDEX}.10"]


def test_history_is_cut_by_number_and_read_newest_first() -> None:
    """Every delta lies in exactly one file; names sort by the deltas' numbers."""
    written = [recorded(seq) for seq in range(98, 103)]
    files = filing.history_files(written, (), START, kept_days=30, most_bytes=10**6, most_deltas=2)
    newest = [n for name in filing.history_newest_first([*files, "manifest"]) for n, _ in read_history(files[name])]
    assert newest == [102, 100, 101, 98, 99]


def test_a_file_of_history_is_closed_when_it_is_large() -> None:
    """A delta that fills it begins the next one."""
    written = [recorded(1), recorded(2)]
    files = filing.history_files(written, (), START, kept_days=30, most_bytes=1, most_deltas=100)
    assert len(files) == 2


def test_history_older_than_is_kept_is_dropped() -> None:
    """By the day of a file's last delta; the day at the horizon stays, other files are left alone."""
    day = START // DAY_US
    old, edge = f"history/{1:012d}-{day - 31}", f"history/{2:012d}-{day - 30}"
    files = filing.history_files([], [old, edge, "manifest"], START, kept_days=30, most_bytes=1, most_deltas=1)
    assert files == {old: None}
