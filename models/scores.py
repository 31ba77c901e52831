"""How good a head is: the usual figures, in numpy alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]
Labels = NDArray[np.intp]
Marks = NDArray[np.bool_]


def ranks(values: Numbers) -> NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of theirs."""
    _, back, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[back.reshape(-1)], dtype=np.float64)


def auc(scores: Numbers, positive: Marks) -> float:
    """The chance that a positive row scores above a negative one (ties count half); nan when one kind is missing."""
    many, few = int(positive.sum()), int((~positive).sum())
    if not many or not few:
        return float("nan")
    return float((ranks(scores)[positive].sum() - many * (many + 1) / 2) / (many * few))


def spearman(left: Numbers, right: Numbers) -> float:
    """Correlation of ranks; nan when one side does not vary."""
    a, b = ranks(left), ranks(right)
    if len(a) < 2 or not a.std() or not b.std():
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def accuracy(said: Labels, right: Labels) -> float:
    return float((said == right).mean()) if len(right) else float("nan")


def macro_f1(said: Labels, right: Labels, classes: int) -> float:
    """The plain mean of the F1 of every class that was said or right at least once."""
    each = []
    for label in range(classes):
        hits = int(((said == label) & (right == label)).sum())
        total = int((said == label).sum()) + int((right == label).sum())
        if total:
            each.append(2 * hits / total)
    return float(np.mean(each)) if each else float("nan")


def share(marks: Marks) -> float:
    """The part of the rows that are marked; nan of none."""
    return float(marks.mean()) if len(marks) else float("nan")
