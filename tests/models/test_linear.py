"""Linear models against what is known about them."""

from __future__ import annotations

import numpy as np
import pytest
from selfimprint.models.linear import (
    Affine,
    Descent,
    fit_ridge,
    fit_softmax,
    log_loss,
    minimise,
    scale_of,
    softmax,
    temperature,
    unit,
)


def test_minimise_finds_the_bottom_of_an_ill_conditioned_bowl() -> None:
    """On a quadratic with curvatures 1 to 10,000 it reaches the known minimum."""
    curve = np.logspace(0, 4, 12)
    bottom = np.arange(12.0)

    def bowl(at: np.ndarray) -> tuple[float, np.ndarray]:
        return float((curve * (at - bottom) ** 2).sum() / 2), curve * (at - bottom)

    found = minimise(bowl, np.zeros(12), Descent(tolerance=1e-14))
    assert np.allclose(found, bottom, atol=1e-3)


def test_softmax_regression_stands_at_a_stationary_point_from_any_start() -> None:
    """At the fit the gradient of the penalised loss is nearly zero, and another start ends at the same scores."""
    random = np.random.default_rng(1)
    rows = random.normal(size=(300, 6)).astype(np.float32)
    labels = (rows[:, :3] + random.normal(size=(300, 3)) * 0.5).argmax(axis=1)
    fitted = fit_softmax(rows, labels, 3, l2=0.05, descent=Descent(tolerance=1e-9))
    off = softmax(fitted.scores(rows)) - np.eye(3)[labels]
    assert np.abs(rows.T @ off / 300 + 0.05 * fitted.weights).max() < 1e-3
    assert np.abs(off.mean(axis=0)).max() < 1e-3
    far = Affine(weights=np.full((6, 3), 2.0, dtype=np.float32), bias=np.zeros(3, dtype=np.float32))
    again = fit_softmax(rows, labels, 3, l2=0.05, start=far, descent=Descent(tolerance=1e-9))
    assert np.allclose(softmax(again.scores(rows)), softmax(fitted.scores(rows)), atol=5e-3)
    assert (fitted.scores(rows).argmax(axis=1) == labels).mean() > 0.75


def test_ridge_recovers_a_line_and_shrinks_with_l2() -> None:
    """Without noise and penalty the coefficients come back; a heavy penalty leaves the mean."""
    random = np.random.default_rng(2)
    rows = random.normal(size=(200, 3)).astype(np.float32)
    values = rows.astype(np.float64) @ np.array([1.0, -2.0, 0.5]) + 4.0
    close = fit_ridge(rows, values, 1e-9)
    assert np.allclose(close.weights[:, 0], [1.0, -2.0, 0.5], atol=1e-4)
    assert np.allclose(close.bias, 4.0, atol=1e-4)
    flat = fit_ridge(rows, values, 1e6)
    assert np.allclose(flat.scores(rows), values.mean(), atol=1e-3)


def test_a_folded_scale_gives_the_same_scores_on_raw_rows() -> None:
    """Scaling then scoring equals scoring with the scale folded in, also for a column that never varies."""
    random = np.random.default_rng(3)
    rows = (random.normal(size=(50, 4)) * [1, 10, 0.1, 0] + [0, 5, -3, 2]).astype(np.float32)
    scale = scale_of(rows)
    mapping = Affine(weights=random.normal(size=(4, 2)).astype(np.float32), bias=np.array([1, -1], dtype=np.float32))
    assert np.allclose(scale.folded(mapping).scores(rows), mapping.scores(scale.apply(rows)), atol=1e-3)


@pytest.mark.parametrize("boast", [0.5, 1.0, 2.5])
def test_temperature_undoes_overconfidence(boast: float) -> None:
    """Scores multiplied by a factor get that factor back as temperature."""
    random = np.random.default_rng(4)
    scores = random.normal(size=(20_000, 3)).astype(np.float32) * 2
    labels = (softmax(scores).cumsum(axis=1) > random.random(20_000)[:, None]).argmax(axis=1)
    heat = temperature(scores * np.float32(boast), labels)
    assert heat == pytest.approx(boast, rel=0.08)
    assert log_loss(scores * np.float32(boast / heat), labels) <= log_loss(scores * np.float32(boast), labels) + 1e-6


def test_unit_rows_have_length_one_and_zeros_stay() -> None:
    """No division by zero for a row of zeros."""
    rows = unit(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 0.0]]
