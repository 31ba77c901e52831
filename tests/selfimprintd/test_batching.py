"""What goes in comes out, in order, in runs that keep both bounds."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from selfimprintd.batching import in_batches


@given(st.lists(st.integers(0, 50)), st.integers(1, 5))
def test_runs_keep_order_number_and_size(sizes: list[int], most: int) -> None:
    """A run over the size has a single item; no two runs could have been one."""
    runs = list(in_batches(sizes, lambda size: size, most=most, most_bytes=60))
    assert [size for run in runs for size in run] == sizes
    assert all(run and len(run) <= most and (sum(run) <= 60 or len(run) == 1) for run in runs)
    assert all(len(a) == most or sum(a) + b[0] > 60 for a, b in itertools.pairwise(runs))
