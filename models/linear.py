"""Linear models in numpy alone: softmax regression by L-BFGS, ridge, and calibration of probabilities."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """When the minimiser stops, and how much of the past it remembers (L-BFGS: Nocedal & Wright, algorithm 7.5)."""

    most_steps: int = 200
    tolerance: float = 1e-6
    memory: int = 10
    sufficient_decrease: float = 1e-4
    smallest_step: float = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class Affine:
    """scores = rows @ weights + bias; weights (width, outputs), bias (outputs,)."""

    weights: Rows
    bias: Rows

    def scores(self, rows: Rows) -> Rows:
        return np.asarray(rows @ self.weights + self.bias, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Each column to mean 0 and spread 1: an embedder's columns differ a lot, and one L2 must suit them all."""

    mean: Rows
    spread: Rows

    def apply(self, rows: Rows) -> Rows:
        return np.asarray((rows - self.mean) / self.spread, dtype=np.float32)

    def folded(self, fitted: Affine) -> Affine:
        """The same scores, from rows that were not scaled."""
        weights = fitted.weights / self.spread[:, None]
        return Affine(weights=weights, bias=np.asarray(fitted.bias - self.mean @ weights, dtype=np.float32))


def scale_of(rows: Rows) -> Scale:
    spread = rows.std(axis=0)
    return Scale(mean=rows.mean(axis=0), spread=np.where(spread > 0, spread, 1.0).astype(np.float32))


def unit(rows: NDArray[np.floating]) -> Rows:
    """Rows of length 1; a row of zeros stays."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(norms > 0, norms, 1.0), dtype=np.float32)


def softmax(scores: Rows | Floats) -> Floats:
    raised = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def log_loss(scores: Rows, labels: Labels) -> float:
    """The mean surprise, in nats, of the right labels."""
    picked = softmax(scores)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(picked, np.finfo(np.float64).tiny)).mean())


def fit_softmax(
    rows: Rows, labels: Labels, classes: int, l2: float, start: Affine | None = None, descent: Descent | None = None
) -> Affine:
    """The minimum of the mean log loss + l2/2 · ‖weights‖² (the bias is free). `start` only saves steps."""
    count, width = rows.shape
    wanted = np.zeros((count, classes), dtype=np.float32)
    wanted[np.arange(count), labels] = 1.0

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, bias = flat[:-classes].reshape(width, classes), flat[-classes:]
        scores = Affine(weights=weights.astype(np.float32), bias=bias.astype(np.float32)).scores(rows)
        off = (softmax(scores) - wanted).astype(np.float32) / np.float32(count)
        value = log_loss(scores, labels) + l2 / 2 * float((weights**2).sum())
        return value, np.concatenate([(rows.T @ off + l2 * weights).ravel(), off.sum(axis=0)])

    first = np.zeros((width + 1) * classes)
    if start is not None:
        first = np.concatenate([start.weights.ravel(), start.bias]).astype(np.float64)
    flat = minimise(loss, first, descent or Descent())
    return Affine(
        weights=flat[:-classes].reshape(width, classes).astype(np.float32), bias=flat[-classes:].astype(np.float32)
    )


def minimise(loss: Callable[[Floats], tuple[float, Floats]], start: Floats, descent: Descent) -> Floats:
    """L-BFGS with backtracking, on a function that gives value and gradient."""
    at = start
    value, slope = loss(at)
    past: deque[tuple[Floats, Floats]] = deque(maxlen=descent.memory)
    for _ in range(descent.most_steps):
        direction = _direction(slope, past)
        downhill = float(slope @ direction)
        step = 1.0
        while True:
            there = at - step * direction
            new_value, new_slope = loss(there)
            if new_value <= value - descent.sufficient_decrease * step * downhill:
                break
            step /= 2
            if step < descent.smallest_step:
                return at
        moved, bent = there - at, new_slope - slope
        if float(moved @ bent) > 0:
            past.append((moved, bent))
        gained = value - new_value
        at, value, slope = there, new_value, new_slope
        if gained < descent.tolerance * max(1.0, abs(value)):
            break
    return at


def _direction(slope: Floats, past: deque[tuple[Floats, Floats]]) -> Floats:
    direction = slope.copy()
    shares = []
    for moved, bent in reversed(past):
        share = float(moved @ direction) / float(moved @ bent)
        shares.append(share)
        direction -= share * bent
    if past:
        moved, bent = past[-1]
        direction *= float(moved @ bent) / float(bent @ bent)
    for (moved, bent), share in zip(past, reversed(shares), strict=True):
        direction += moved * (share - float(bent @ direction) / float(moved @ bent))
    return direction


def fit_ridge(rows: Rows, values: Floats, l2: float) -> Affine:
    """The minimum of the mean squared error + l2 · ‖weights‖², the bias free; one output."""
    wide = rows.astype(np.float64)
    mean, level = wide.mean(axis=0), float(values.mean())
    centred = wide - mean
    inner = centred.T @ centred / len(wide) + l2 * np.eye(wide.shape[1])
    weights = np.linalg.solve(inner, centred.T @ (values - level) / len(wide))
    bias = np.array([level - float(mean @ weights)])
    return Affine(weights=weights[:, None].astype(np.float32), bias=bias.astype(np.float32))


def temperature(scores: Rows, labels: Labels, low: float = 0.2, high: float = 5.0, halvings: int = 40) -> float:
    """The number to divide scores by so that probabilities of unseen rows are as surprised as they ought to be
    (Guo et al. 2017, §4.2). The scores must come from models that did not see these rows."""
    left, right = np.log(low), np.log(high)
    golden = (np.sqrt(5.0) - 1) / 2
    for _ in range(halvings):
        a, b = right - golden * (right - left), left + golden * (right - left)
        if log_loss(scores / np.float32(np.exp(a)), labels) <= log_loss(scores / np.float32(np.exp(b)), labels):
            right = b
        else:
            left = a
    return float(np.exp((left + right) / 2))
