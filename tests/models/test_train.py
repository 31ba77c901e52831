"""Training on a small made-up world in which the vector says everything."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from selfimprint.models import train as training
from selfimprint.models.backends import Backend
from selfimprint.models.heads import OUTPUTS, Heads
from selfimprint.models.lines import ABOUTS, MODALITIES, TYPES, Line
from selfimprint.models.train import TrainSettings, run, split, targets, train

WIDTH = 16
QUICK = TrainSettings(folds=2, softmax_l2=(0.03,), ridge_l2=(0.1,))


def world(count: int = 400, groups: int = 40) -> tuple[list[Line], NDArray[np.float32]]:
    """Lines with random labels, and noisy vectors from which each label can be read."""
    random = np.random.default_rng(5)
    lines, rows = [], []
    for at in range(count):
        worth = bool(random.random() < 0.55)
        kind = TYPES[random.integers(4)] if worth else "none"
        about = ABOUTS[random.integers(2)] if worth else "none"
        modality = "stated" if worth else MODALITIES[random.integers(1, 5)]
        valence, importance = round(random.uniform(-1, 1), 2), round(random.uniform(0, 1), 2)
        row = np.zeros(WIDTH)
        row[0] = 1.0 if worth else -1.0
        if worth:
            row[1 + TYPES.index(kind)] += 2.0
        row[5 + ABOUTS.index(about)] += 2.0
        row[8 + MODALITIES.index(modality)] += 2.0
        row[13], row[14], row[15] = 5 * valence, 2 * importance, 4.0
        rows.append(row + random.normal(size=WIDTH) * 0.1)
        lines.append(
            Line(
                text=f"line {at}",
                group=f"g{at % groups}",
                language="en" if at % 2 else "de",
                worth=worth,
                type=kind,
                about=about,
                modality=modality,
                valence=valence,
                importance=importance,
            )
        )
    return lines, np.array(rows, dtype=np.float32)


def _gist(places: list[int], lines: list[Line], rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector of the line worth keeping among these, else of the first."""
    return rows[next((at for at in places if lines[at].worth), places[0])]


def test_what_the_vectors_say_is_learned_and_shown_on_unseen_groups() -> None:
    """Each head is nearly perfect on the held-out groups of a world without riddles."""
    lines, rows = world()
    trained = train(rows, lines, QUICK)
    figures = trained.report["figures"]["all"]
    assert figures["worth_auc"] > 0.99
    assert min(figures[name] for name in ("type_accuracy", "about_macro_f1", "modality_macro_f1")) > 0.9
    assert min(figures[name] for name in ("valence_spearman", "importance_spearman")) > 0.9
    assert trained.report["held_out_lines"] == 100 and trained.report["held_out_groups"] == 10
    assert {name: mapping.weights.shape for name, mapping in trained.maps.items()} == {
        name: (WIDTH, len(outputs)) for name, outputs in OUTPUTS.items()
    }


def test_labels_that_the_vectors_do_not_tell_stay_unlearned() -> None:
    """With shuffled vectors the figures on held-out groups are those of chance: nothing leaks over the split."""
    lines, rows = world()
    shuffled = rows[np.random.default_rng(6).permutation(len(rows))]
    figures = train(shuffled, lines, QUICK).report["figures"]["all"]
    assert 0.35 < figures["worth_auc"] < 0.65
    assert abs(figures["valence_spearman"]) < 0.3


def test_training_twice_gives_the_same_heads() -> None:
    """Nothing in it depends on chance beyond the seed."""
    lines, rows = world(200)
    first, second = train(rows, lines, QUICK), train(rows, lines, QUICK)
    assert first.advice == second.advice and first.report == second.report
    for name in OUTPUTS:
        assert np.array_equal(first.maps[name].weights, second.maps[name].weights)


def test_a_group_is_never_split() -> None:
    """All lines of a group share a fold, a quarter of the groups is held out, and another seed holds out others."""
    groups = [f"g{at % 40}" for at in range(400)]
    folds = split(groups, QUICK)
    assert len({(group, int(fold)) for group, fold in zip(groups, folds, strict=True)}) == 40
    assert len({group for group, fold in zip(groups, folds, strict=True) if fold < 0}) == 10
    assert set(folds.tolist()) == {-1, 0, 1}
    assert split(groups, TrainSettings(seed=8, folds=2)).tolist() != folds.tolist()


def test_type_and_importance_learn_only_from_lines_worth_keeping() -> None:
    """The other heads learn from every line."""
    lines, _ = world(50)
    worth = [line.worth for line in lines]
    for name in OUTPUTS:
        _, usable = targets(name, lines)
        assert usable.tolist() == (worth if name in ("type", "importance") else [True] * 50)


def test_run_embeds_the_lines_as_passages_and_writes_loadable_heads_and_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file loads for that embedder's fingerprint, the JSON beside it holds the figures, the table is said."""
    lines, rows = world(200)
    place = {line.text: at for at, line in enumerate(lines)}
    kinds: set[str] = set()

    def embed(texts: Sequence[str], kind: str) -> NDArray[np.float32]:
        kinds.add(kind)
        # a joined message is placed by its first sentence that says something worth keeping, as a good embedder would
        return np.stack(
            [_gist([place[part] for part in re.findall(r"line \d+", text.lower())], lines, rows) for text in texts]
        )

    backend = Backend(name="toy", module="json", distribution="numpy", width=WIDTH, load=lambda: embed)
    monkeypatch.setattr(training, "choose", lambda name: backend)
    monkeypatch.setattr(training, "read_lines", lambda: lines)
    said_lines = training.training_messages(lines)
    said: list[str] = []
    path = run("toy", tmp_path, said.append, QUICK)
    heads = Heads.load(backend.fingerprint(), tmp_path)
    assert heads is not None and heads.width == WIDTH and path.parent == tmp_path
    report = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert report["fingerprint"] == backend.fingerprint() and report["lines"] == len(said_lines)
    assert kinds == {"passage"}
    assert f"embedded {len(said_lines)} of {len(said_lines)}" in said and "worth_auc" in said[-1]
    judged = heads.judge(rows)
    assert np.mean([(one.worth > 0.5) == line.worth for one, line in zip(judged, lines, strict=True)]) > 0.95


def test_without_an_embedder_there_is_nothing_to_train() -> None:
    """`none` and unknown names are refused in words."""
    for name in ("none", "abacus"):
        with pytest.raises(LookupError, match="embedder"):
            run(name)
