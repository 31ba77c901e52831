"""The report: what it counts, and that it can be written as JSON and read as a table."""

from __future__ import annotations

import json

import numpy as np
from selfimprint.models.figures import FIGURES, THRESHOLDS, WORTH_FIGURES, figures_of, table
from selfimprint.models.heads import OUTPUTS, VALENCE_LEVELS, Advice
from selfimprint.models.linear import Rows
from selfimprint.models.lines import Line

ADVICE = Advice(retire_worth=0.2, add_worth=0.8, add_stated=0.5, add_type=0.5)


def line(
    language: str,
    worth: bool,
    modality: str = "stated",
    valence: float = 0.5,
    importance: float = 0.5,
    joined: bool = False,
) -> Line:
    return Line(
        text="x",
        group="g",
        language=language,
        worth=worth,
        type="fact" if worth else "none",
        about="self" if worth else "none",
        modality=modality,
        valence=valence,
        importance=importance,
        joined=joined,
    )


def said(lines: list[Line], **wrong: set[int]) -> dict[str, Rows]:
    """Scores that are right with certainty, save for the given rows of a head, which say another class."""
    out: dict[str, Rows] = {}
    for name, outputs in OUTPUTS.items():
        rows = np.zeros((len(lines), len(outputs)), dtype=np.float32)
        for at, one in enumerate(lines):
            value = getattr(one, name)
            if name == "importance":
                rows[at] = value
                continue
            step = 3 if name == "valence" else 1
            if name == "valence":
                label = VALENCE_LEVELS.index(min(VALENCE_LEVELS, key=lambda level: abs(level - value)))
            else:
                label = int(value) if name == "worth" else outputs.index(value) if value in outputs else 0
            rows[at, (label + step * (at in wrong.get(name, set()))) % len(outputs)] = 9.0
        out[name] = rows
    return out


LINES = [
    line("en", True),
    line("en", True, importance=0.9),
    line("en", False, "question", valence=0.0),
    line("de", True, valence=-0.5),
    line("de", False, "other"),
    line("fi", False, "question"),
]


def test_perfect_scores_give_perfect_figures() -> None:
    """Every figure that exists is 1, everything worthy is added, everything else retired."""
    report = figures_of(LINES, said(LINES), ADVICE)
    assert {value for name, value in report["figures"]["all"].items() if name != "lines"} == {1.0}
    assert report["thresholds"]["all"] == {
        "retired_worth": 0.0,
        "retired_rest": 1.0,
        "added_worth": 1.0,
        "added_rest": 0.0,
        "added_precision": 1.0,
        "added_worth_precision": 1.0,
        **dict.fromkeys(WORTH_FIGURES, 1.0),
    }


def test_an_error_shows_in_its_language_only() -> None:
    """A wrong sign and junk added in German leave the English figures alone; unlisted languages are `other`."""
    report = figures_of(LINES, said(LINES, valence={3}, worth={4}, modality={4}), ADVICE)
    assert list(report["figures"]) == ["all", "en", "de", "other"]
    assert report["figures"]["de"]["valence_sign_accuracy"] == 0.5
    assert report["figures"]["en"]["valence_sign_accuracy"] == 1.0
    assert report["thresholds"]["de"]["added_rest"] == 1.0 and report["thresholds"]["en"]["added_rest"] == 0.0
    assert report["added_rest_by_modality"]["other"] == 1.0 and report["added_rest_by_modality"]["question"] == 0.0


def test_joined_lines_have_a_column_of_their_own() -> None:
    """A joined line counts in `joined` and neither in its language nor in `all`."""
    lines = [*LINES, line("en", True, joined=True), line("en", False, "other", joined=True)]
    report = figures_of(lines, said(lines, worth={6}), ADVICE)
    assert report["figures"]["all"]["worth_accuracy"] == 1.0 and report["figures"]["en"]["lines"] == 3
    assert report["figures"]["joined"]["worth_accuracy"] == 0.5


def test_a_figure_without_a_basis_is_null_in_json_and_a_dash_in_the_table() -> None:
    """One Finnish question has no AUC; the report is strict JSON all the same."""
    report = {"fingerprint": "toy", "held_out_lines": 6, **figures_of(LINES, said(LINES), ADVICE)}
    assert report["figures"]["other"]["worth_auc"] is None
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    shown = table(report)
    assert "| worth_auc | 1 | 1 | 1 | – |" in shown
    assert all(f"| {name} |" in shown for name in (*FIGURES, *THRESHOLDS, *WORTH_FIGURES))
