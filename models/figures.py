"""What heads did on lines they had not seen: figures by language, and what their thresholds let through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.models.advice import added_and_right
from selfimprint.models.heads import OUTPUTS, Advice, expected_valence
from selfimprint.models.linear import Rows, softmax
from selfimprint.models.lines import Line
from selfimprint.models.scores import accuracy, auc, macro_f1, share, spearman

LANGUAGES = ("en", "de", "ru", "et", "es", "fr")
REST = "other"
ALL = "all"
JOINED = "joined"
FIGURES = (
    "worth_auc",
    "worth_accuracy",
    "type_accuracy",
    "type_macro_f1",
    "about_macro_f1",
    "self_other_accuracy",
    "modality_accuracy",
    "modality_macro_f1",
    "valence_sign_accuracy",
    "valence_spearman",
    "importance_spearman",
)
THRESHOLDS = ("retired_worth", "retired_rest", "added_worth", "added_rest", "added_precision", "added_worth_precision")
WORTH_AT = (0.15, 0.3, 0.5, 0.7, 0.9)
WORTH_FIGURES = tuple(f"{kind}_at_{at:g}" for at in WORTH_AT for kind in ("precision", "recall"))
"""Of the messages of at least that worth, the part worth keeping; of those worth keeping, the part of that worth."""

Marks = NDArray[np.bool_]


def figures_of(lines: Sequence[Line], scores: Mapping[str, Rows], advice: Advice) -> dict[str, Any]:
    """The heads' figures and what the advice does, for single lines (all, and by language) and for joined ones; then
    the junk let through, by modality."""
    long = np.array([line.joined for line in lines], dtype=bool)
    languages = np.array([line.language if line.language in LANGUAGES else REST for line in lines])
    groups = {ALL: ~long, **{name: ~long & (languages == name) for name in (*LANGUAGES, REST)}, JOINED: long}
    groups = {name: marks for name, marks in groups.items() if marks.any()}
    heads, thresholds = {}, {}
    for name, marks in groups.items():
        some = [line for line, used in zip(lines, marks, strict=True) if used]
        part = {head: rows[marks] for head, rows in scores.items()}
        heads[name] = {"lines": len(some), **_rounded(_heads(some, part))}
        thresholds[name] = _rounded(_thresholds(some, part, advice))
    return {
        "advice": asdict(advice),
        "figures": heads,
        "thresholds": thresholds,
        "added_rest_by_modality": _rounded(_junk(lines, scores, advice)),
    }


def _heads(lines: Sequence[Line], scores: Mapping[str, Rows]) -> dict[str, float]:
    worth = np.array([line.worth for line in lines], dtype=bool)
    valence = np.array([line.valence for line in lines])
    importance = np.array([line.importance for line in lines])
    probability = softmax(scores["worth"])[:, 1]
    best = {name: scores[name].argmax(axis=1) for name in ("type", "about", "modality")}
    right = {
        name: np.array(
            [OUTPUTS[name].index(said) if (said := getattr(line, name)) in OUTPUTS[name] else -1 for line in lines]
        )
        for name in best
    }
    someone = worth & (right["about"] != OUTPUTS["about"].index("none"))
    felt = valence != 0
    said_valence = expected_valence(scores["valence"])
    return {
        "worth_auc": auc(probability, worth),
        "worth_accuracy": share((probability >= 0.5) == worth),
        "type_accuracy": accuracy(best["type"][worth], right["type"][worth]),
        "type_macro_f1": macro_f1(best["type"][worth], right["type"][worth], len(OUTPUTS["type"])),
        "about_macro_f1": macro_f1(best["about"], right["about"], len(OUTPUTS["about"])),
        "self_other_accuracy": accuracy(scores["about"][someone, :2].argmax(axis=1), right["about"][someone]),
        "modality_accuracy": accuracy(best["modality"], right["modality"]),
        "modality_macro_f1": macro_f1(best["modality"], right["modality"], len(OUTPUTS["modality"])),
        "valence_sign_accuracy": share(np.sign(said_valence[felt]) == np.sign(valence[felt])),
        "valence_spearman": spearman(said_valence, valence),
        "importance_spearman": spearman(scores["importance"][worth, 0], importance[worth]),
    }


def _thresholds(lines: Sequence[Line], scores: Mapping[str, Rows], advice: Advice) -> dict[str, float]:
    worth = np.array([line.worth for line in lines], dtype=bool)
    probability = softmax(scores["worth"])[:, 1]
    retired = probability < advice.retire_worth
    added, right = added_and_right(lines, scores, advice)
    return {
        "retired_worth": share(retired[worth]),
        "retired_rest": share(retired[~worth]),
        "added_worth": share(added[worth]),
        "added_rest": share(added[~worth]),
        "added_precision": share(right[added]),
        "added_worth_precision": share(worth[added]),
        **{f"precision_at_{at:g}": share(worth[probability >= at]) for at in WORTH_AT},
        **{f"recall_at_{at:g}": share(probability[worth] >= at) for at in WORTH_AT},
    }


def _junk(lines: Sequence[Line], scores: Mapping[str, Rows], advice: Advice) -> dict[str, float]:
    added, _ = added_and_right(lines, scores, advice)
    modality = np.array([line.modality if not line.worth else "" for line in lines])
    return {name: share(added[modality == name]) for name in OUTPUTS["modality"]}


def _rounded(figures: Mapping[str, float]) -> dict[str, float | None]:
    """For JSON, which has no nan: a figure that could not be taken is null."""
    return {name: None if np.isnan(value) else round(value, 3) for name, value in figures.items()}


def table(report: Mapping[str, Any]) -> str:
    """The report as two Markdown tables, a column a language and one for joined lines."""
    names = list(report["figures"])
    advice = ", ".join(f"{name} {value:g}" for name, value in report["advice"].items())
    out = [f"{report['fingerprint']}: {report['held_out_lines']} held-out lines; {advice}"]
    parts = (("lines", *FIGURES), report["figures"]), (THRESHOLDS + WORTH_FIGURES, report["thresholds"])
    for rows, source in parts:
        out += ["", f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
        out += [f"| {row} | {' | '.join(_cell(source[name][row]) for name in names)} |" for row in rows]
    return "\n".join(out)


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
