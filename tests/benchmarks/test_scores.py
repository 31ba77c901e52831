from __future__ import annotations

import math

import pytest
from scores import Gold, ScoreSettings, auroc, flat, mean, pairs_right, rare_words, recall_at, share, table_row


def test_k_counts_turns() -> None:
    """A memory of several turns spends one rank a turn, and a turn counts once."""
    ranking = ["a", ["b", "a", "c"], "d"]
    assert flat(ranking) == ["a", "b", "c", "d"]
    assert recall_at(ranking, ["b", "d"], 3) == 0.5


def test_a_context_is_cut_at_the_budget() -> None:
    """Words behind the budget do not count; forms of one word are the same word."""
    assert share({"garden", "tea"}, "gardening , tea", 3) == 1.0
    assert share({"garden", "tea"}, "gardening , tea", 2) == 0.5
    assert share(set(), "anything", 9) is None


@pytest.mark.parametrize(("doubts", "expected"), [(([2, 3], [0, 1]), 1.0), (([1], [1]), 0.5), (([0], [1, 2]), 0.0)])
def test_auroc_is_the_share_of_pairs_in_order(doubts: tuple[list[float], list[float]], expected: float) -> None:
    """AUROC is the chance that what has no evidence is doubted more, ties half."""
    assert auroc(*doubts) == expected


def test_nothing_to_compare_is_not_a_number() -> None:
    """An AUROC without cases and a mean without values are no numbers, and not zero."""
    assert math.isnan(auroc([], [1.0]))
    assert math.isnan(mean([None]))
    assert pairs_right([(0.9, 0.1), (0.2, 0.2)]) == 0.75


def test_rare_words_are_those_of_few_turns() -> None:
    """A word that more than one turn in `rare` has is no evidence of anything."""
    texts = {"1": "tea pottery", "2": "tea", "3": "tea"}
    assert rare_words(texts, ScoreSettings(rare=2))["1"] == {"pottery"}


def test_a_row_counts_answerable_questions_only() -> None:
    """Questions without an answer or without evidence are left out of the figures."""
    golds = [
        Gold(qid="1", conv="c", question="?", category="x", evidence=("t1",), answer="pottery", answerable=True),
        Gold(qid="2", conv="c", question="?", category="x", evidence=("t2",), answer="chess", answerable=False),
    ]
    texts = {"c": {"t1": "I like pottery", "t2": "and chess"}}
    row = table_row("ours", golds, texts, {"1": ["t1"]}, {"1": "pottery"}, ScoreSettings(rare=1))
    assert (row["n"], row["R@5"], row["answer"], row["full"]) == (1, 1.0, 1.0, 1.0)
