"""Figures against hand-counted cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from selfimprint.models.scores import accuracy, auc, macro_f1, ranks, share, spearman


def test_ranks_share_the_mean_of_ties() -> None:
    """Two equal values in places 2 and 3 both rank 2.5."""
    assert ranks(np.array([10.0, 20.0, 20.0, 30.0])).tolist() == [1.0, 2.5, 2.5, 4.0]


def test_auc_counts_pairs_with_ties_as_half() -> None:
    """Of six pairs four are right and one is tied: 0.75."""
    scores, positive = np.array([0.9, 0.5, 0.8, 0.5, 0.1]), np.array([True, True, False, False, False])
    pairs = [(p > n) + 0.5 * (p == n) for p in scores[positive] for n in scores[~positive]]
    assert auc(scores, positive) == pytest.approx(sum(pairs) / len(pairs)) == pytest.approx(0.75)


def test_auc_of_one_kind_is_not_a_number() -> None:
    """Without negatives there is nothing to rank."""
    assert math.isnan(auc(np.array([0.1, 0.2]), np.array([True, True])))


def test_spearman_sees_order_only() -> None:
    """A monotone but bent relation is 1, its reverse −1, and a constant has none."""
    left = np.array([1.0, 2.0, 3.0, 4.0])
    assert spearman(left, np.exp(left)) == pytest.approx(1.0)
    assert spearman(left, -np.exp(left)) == pytest.approx(-1.0)
    assert math.isnan(spearman(left, np.ones(4)))


def test_macro_f1_is_the_mean_over_classes_that_occur() -> None:
    """Class 0: F1 2/3; class 1: 2/3; class 2 never occurs and does not count."""
    said, right = np.array([0, 1, 1]), np.array([0, 0, 1])
    assert macro_f1(said, right, 3) == pytest.approx(2 / 3)


def test_accuracy_and_share_of_nothing_are_not_numbers() -> None:
    """An empty set has no figure rather than a perfect or a bad one."""
    nothing = np.array([], dtype=np.intp)
    assert math.isnan(accuracy(nothing, nothing)) and math.isnan(share(np.array([], dtype=bool)))
    assert accuracy(np.array([1, 2]), np.array([1, 3])) == 0.5 and share(np.array([True, False])) == 0.5
