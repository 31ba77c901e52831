from __future__ import annotations

from ablation import Ablation
from scores import Gold


def gold(qid: str, answerable: bool) -> Gold:
    return Gold(qid=qid, conv="c", question="?", category="x", evidence=("1",), answer="", answerable=answerable)


def test_figures_compare_each_question_with_itself() -> None:
    """Doubt that rises without the evidence is right; questions without an answer are compared with all others."""
    ablation = Ablation(doubt={"a": 0.9, "b": 0.1})
    figures = ablation.figures([gold("a", True), gold("b", True), gold("c", False)], {"a": 0.2, "b": 0.3, "c": 0.8})
    assert (figures["pairs"], figures["pairs_right"], figures["ablation_auroc"]) == (2, 0.5, 0.5)
    assert (figures["swapped"], figures["swapped_auroc"]) == (1, 1.0)
