"""Thresholds chosen from scores, against small cases that can be counted."""

from __future__ import annotations

import numpy as np
from selfimprint.models.advice import NEVER, added_and_right, choose_advice
from selfimprint.models.heads import OUTPUTS
from selfimprint.models.linear import Rows
from selfimprint.models.lines import Line


def line(worth: bool, kind: str = "fact") -> Line:
    return Line(
        text="x",
        group="g",
        language="en",
        worth=worth,
        type=kind if worth else "none",
        about="self",
        modality="stated" if worth else "other",
        valence=0.0,
        importance=0.5,
    )


def scores(worth: list[float], sure: list[float] | None = None, stated: list[float] | None = None) -> dict[str, Rows]:
    """Scores whose softmax gives these probabilities; the type is always said to be a fact."""
    count = len(worth)

    def logs(first: list[float], classes: int) -> Rows:
        rest = (1 - np.array(first)) / (classes - 1)
        return np.log(np.column_stack([first, *[rest] * (classes - 1)])).astype(np.float32)

    table = logs(worth, 2)[:, ::-1]
    return {
        "worth": np.asarray(table, dtype=np.float32),
        "type": logs(sure or [0.95] * count, len(OUTPUTS["type"])),
        "modality": logs(stated or [0.95] * count, len(OUTPUTS["modality"])),
    }


def test_retiring_spares_the_part_that_was_asked_for() -> None:
    """Of 100 worthy lines scored 0.00…0.99, keeping 98 % puts the threshold just above the second."""
    given = [0.005 + at / 100 for at in range(100)]
    advice = choose_advice([line(True)] * 100, scores(given), keep_worth=0.98, most_junk=0.0, least_precision=0.9)
    assert sum(value < advice.retire_worth for value in given) == 2


def test_adding_takes_all_it_can_without_letting_junk_in() -> None:
    """The threshold lands between the highest junk and the lowest clean worthy line."""
    lines = [line(True)] * 8 + [line(False)] * 8
    given = [0.8, 0.81, 0.82, 0.85, 0.87, 0.9, 0.91, 0.4, 0.1, 0.2, 0.3, 0.35, 0.45, 0.5, 0.6, 0.7]
    table = scores(given)
    advice = choose_advice(lines, table, keep_worth=0.98, most_junk=0.0, least_precision=0.9)
    assert 0.7 < advice.add_worth <= 0.8
    added, right = added_and_right(lines, table, advice)
    assert added.tolist() == [True] * 7 + [False] * 9
    assert right.tolist() == [True] * 8 + [False] * 8


def test_a_wrong_type_is_no_hit_so_unsure_types_are_left_out() -> None:
    """Where half the unsure types are wrong, the type threshold rises above them."""
    lines = [line(True)] * 6 + [line(True, "event")] * 4
    sure = [0.9] * 5 + [0.5] + [0.5] * 4
    table = scores([0.9] * 10, sure=sure)
    advice = choose_advice(lines, table, keep_worth=0.98, most_junk=0.0, least_precision=0.9)
    assert 0.5 < advice.add_type <= 0.9
    assert added_and_right(lines, table, advice)[0].tolist() == [True] * 5 + [False] * 5


def test_when_nothing_is_clean_enough_nothing_is_ever_added() -> None:
    """Heads that cannot tell get thresholds no probability reaches."""
    lines = [line(True), line(False)] * 10
    advice = choose_advice(lines, scores([0.9] * 20), keep_worth=0.98, most_junk=0.02, least_precision=0.9)
    assert (advice.add_worth, advice.add_stated, advice.add_type) == (NEVER, NEVER, NEVER)
