"""Twin of engine/recall/postings.py."""

from __future__ import annotations

import numpy as np
import pytest
from selfimprint.engine.recall.postings import Postings, PostingSettings, term_part


def test_a_merged_index_answers_as_its_tail_did() -> None:
    """Freezing the tail changes no lookup, and removal works on both sides of it."""
    never, often = (Postings(PostingSettings(merge_after_items=n, merge_after_share=0)) for n in (10_000, 1))
    for postings in (never, often):
        for slot in range(20):
            postings.add(slot, {"cat": slot % 3 + 1, f"only{slot}": 1})
        postings.remove(3)
        postings.remove(19)
    for term in ("cat", "only3", "only5", "absent"):
        one, other = ({s: p for s, p in zip(*p.lookup(term), strict=True) if p} for p in (never, often))
        assert one == pytest.approx(other)
    assert never.frequency("cat") == often.frequency("cat") == 18 and never.frequency("only3") == 0


def test_a_part_saturates_and_falls_with_length() -> None:
    """More of a term counts for less each time; a longer item counts for less, up to four pivots."""
    settings = PostingSettings()
    parts = term_part(np.array([1.0, 2.0, 50.0]), 11, settings)
    assert parts[0] == pytest.approx(1.0) and parts[0] < parts[1] < parts[2] < settings.k1 + 1
    long, longer = (term_part(np.array([1.0]), length, settings)[0] for length in (44, 4000))
    assert parts[0] > long == longer > 0
