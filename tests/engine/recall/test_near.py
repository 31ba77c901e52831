"""Twin of engine/recall/near.py."""

from __future__ import annotations

import numpy as np
import pytest
from selfimprint.engine.recall.near import NearTerms


def test_near_terms_are_centred_and_credited() -> None:
    """What all words share does not make them near; the credit is 0.8 × the centred cosine."""
    near = NearTerms()
    near.set(["cat", "kitten", "rain", "snow"], np.array([[9, 1], [9, 1], [9, -1], [9, -1]], np.float32))
    assert near.near("cat") == (("kitten", pytest.approx(0.8)),)
    assert near.near("absent") == ()


def test_forgotten_terms_go() -> None:
    """A term that the index no longer holds loses its vector."""
    near = NearTerms()
    near.set(["cat", "kitten", "rain"], np.array([[1, 1], [1, 0.9], [-1, 0]], np.float32))
    near.keep({"cat": 0, "rain": 1})
    assert near.near("cat") == () and "kitten" not in near and len(near.matrix) == 2
