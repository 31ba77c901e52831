"""The quality table: this memory beside BM25 and beside no memory, on a data set with gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ablation import Ablation
from asking import Answers
from bm25 import Bm25, packed, with_neighbours
from gold import GoldSet
from scores import Gold, ScoreSettings, mean, recall_at, table_row

LINE = "[{time}] {speaker}: {text}"
SPOKEN = "{speaker}: {text}"
DEPTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One system's answers to all questions."""

    name: str
    answers: Answers
    ablation: Ablation


def baselines(gold: GoldSet, settings: ScoreSettings) -> list[Run]:
    """BM25 over turns, BM25 over turns with their neighbours, and the newest turns without any search."""
    spoken, lines = gold.spoken(SPOKEN), gold.spoken(LINE)
    sessions = gold.spoken("{session}")
    runs = []
    for name in ("BM25", "BM25, turn with its neighbours", "no memory: the newest turns"):
        answers, ablation = Answers(), Ablation()
        for conv, turns in spoken.items():
            asked = [g for g in gold.golds if g.conv == conv]
            if name.startswith("no memory"):
                newest = list(reversed(turns))
                rankings = {g.qid: newest for g in asked}
            else:
                lexical = Bm25(with_neighbours(turns, sessions[conv]) if "neighbours" in name else turns)
                rankings = {g.qid: lexical.ranked(g.question) for g in asked}
                ablation.ask_bm25(lexical, asked, answers.doubt)
            for qid, ranking in rankings.items():
                answers.ranked[qid] = ranking[:DEPTH]
                answers.contexts[qid] = packed(ranking, lines[conv], settings.budget)
        runs.append(Run(name=name, answers=answers, ablation=ablation))
    return runs


def markdown(gold: GoldSet, runs: Sequence[Run], settings: ScoreSettings) -> str:
    """The tables of results/quality.md."""
    budget = settings.budget
    asked = {qid for run in runs[:1] for qid in run.answers.ranked}
    golds = [g for g in gold.golds if g.qid in asked]
    rows = [table_row(r.name, golds, gold.texts(), r.answers.ranked, r.answers.contexts, settings) for r in runs]
    ks = [f"R@{k}" for k in settings.ks]
    lines = _table(
        ["system", *ks, f"answer@{budget}", f"full@{budget}", f"evidence@{budget}"],
        ([row["system"], *(percent(row[c]) for c in (*ks, "answer", "full", "evidence"))] for row in rows),
    )
    lines += ["", f"Questions with an answer and evidence: {rows[0]['n']}. k counts turns.", ""]
    lines += [*_by_category(golds, runs, settings), ""]
    figures = [(run, run.ablation.figures(golds, run.answers.doubt)) for run in runs if run.ablation.doubt]
    lines += _table(
        ["knowing that it does not know", "ablation AUROC", "pairs ranked right", "wrong speaker AUROC"],
        (
            [run.name, *(f"{f[key]:.3f}" for key in ("ablation_auroc", "pairs_right", "swapped_auroc"))]
            for run, f in figures
        ),
    )
    return "\n".join(lines) + "\n"


def _by_category(golds: Sequence[Gold], runs: Sequence[Run], settings: ScoreSettings) -> list[str]:
    k = settings.ks[1] if len(settings.ks) > 1 else settings.ks[0]
    kept = [g for g in golds if g.evidence and g.answerable]
    names = sorted({g.category for g in kept})

    def cells(ranked: Mapping[str, Sequence[Any]]) -> list[str]:
        groups = ([g for g in kept if g.category == name] for name in names)
        return [percent(mean(recall_at(ranked.get(g.qid, ()), g.evidence, k) for g in group)) for group in groups]

    return _table([f"R@{k} by kind of question", *names], ([run.name, *cells(run.answers.ranked)] for run in runs))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(head)} |", f"| --- |{' --: |' * (len(head) - 1)}", *(f"| {' | '.join(r)} |" for r in rows)]


def percent(value: float) -> str:
    return f"{100 * value:.1f}"
