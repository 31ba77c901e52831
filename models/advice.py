"""Chooses the thresholds that go with trained heads, from scores of lines the scoring models had not seen."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from selfimprint.models.heads import OUTPUTS, Advice
from selfimprint.models.linear import Floats, Rows, softmax
from selfimprint.models.lines import Line

GRID = tuple(round(0.3 + 0.02 * step, 2) for step in range(35))
"""Candidate thresholds for adding: 0.30 to 0.98."""
NEVER = 1.01
"""A threshold no probability reaches."""

Marks = NDArray[np.bool_]


def choose_advice(
    lines: Sequence[Line], scores: Mapping[str, Rows], *, keep_worth: float, most_junk: float, least_precision: float
) -> Advice:
    """`scores`: a row of head outputs for every line, by head.

    Retiring keeps that part of the lines worth keeping. Adding lets through at most that part of the others, is right
    (worth it and of the right type) at least that often, and within these bounds adds as many right ones as it can."""
    worthy = np.array([line.worth for line in lines], dtype=bool)
    worth, stated, sure, right = _read(lines, scores)
    retire = math.floor(float(np.quantile(worth[worthy], 1 - keep_worth)) * 100) / 100
    best, most = Advice(retire_worth=retire, add_worth=NEVER, add_stated=NEVER, add_type=NEVER), 0
    for add_worth, add_stated, add_type in itertools.product(GRID, GRID[::5], GRID[::5]):
        added = (worth >= add_worth) & (stated >= add_stated) & (sure >= add_type)
        hits = int((added & right).sum())
        if hits <= most or (added & ~worthy).sum() > most_junk * (~worthy).sum():
            continue
        if hits >= least_precision * added.sum():
            most = hits
            best = Advice(retire_worth=retire, add_worth=add_worth, add_stated=add_stated, add_type=add_type)
    return best


def added_and_right(lines: Sequence[Line], scores: Mapping[str, Rows], advice: Advice) -> tuple[Marks, Marks]:
    """Which lines the advice would add, and which of all lines are worth it and have the type that is likeliest."""
    worth, stated, sure, right = _read(lines, scores)
    return (worth >= advice.add_worth) & (stated >= advice.add_stated) & (sure >= advice.add_type), right


def _read(lines: Sequence[Line], scores: Mapping[str, Rows]) -> tuple[Floats, Floats, Floats, Marks]:
    worth = softmax(scores["worth"])[:, OUTPUTS["worth"].index("yes")]
    stated = softmax(scores["modality"])[:, OUTPUTS["modality"].index("stated")]
    types = softmax(scores["type"])
    said = [OUTPUTS["type"][at] for at in types.argmax(axis=1)]
    right = np.array([line.worth and line.type == kind for line, kind in zip(lines, said, strict=True)], dtype=bool)
    return worth, stated, np.asarray(types.max(axis=1)), right
