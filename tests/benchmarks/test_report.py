from __future__ import annotations

from ablation import Ablation
from asking import Answers
from gold import GoldSet
from report import Run, baselines, markdown
from scores import Gold, ScoreSettings

TURNS = ("I like pottery", "the kettle broke", "we played chess", "it rained")


def gold() -> GoldSet:
    units = [
        {"conv": "c", "id": str(n), "session": "s", "time": "May", "speaker": "A", "text": text}
        for n, text in enumerate(TURNS)
    ]
    asked = Gold(
        qid="q", conv="c", question="Which kettle?", category="x", evidence=("1",), answer="kettle", answerable=True
    )
    return GoldSet(golds=(asked,), units=tuple(units))


def test_baselines_answer_every_question() -> None:
    """BM25 finds the turn with the word, the newest turns come last first, each context within the budget."""
    lexical, _, newest = baselines(gold(), ScoreSettings(budget=8))
    assert lexical.answers.ranked["q"][0] == "1"
    assert newest.answers.ranked["q"] == ["3", "2", "1", "0"]
    assert lexical.answers.contexts["q"] == "[May] A: the kettle broke"
    assert lexical.ablation.doubt["q"] > lexical.answers.doubt["q"]


def test_the_table_has_a_line_for_each_system() -> None:
    """Each system's name and figures stand in the tables, knowledge of not knowing only where it was asked."""
    ours = Run(name="ours", answers=Answers(ranked={"q": ["1"]}, contexts={"q": ""}), ablation=Ablation())
    settings = ScoreSettings(rare=1)
    text = markdown(gold(), [ours, *baselines(gold(), settings)], settings)
    assert "| ours | 100.0 | 100.0 | 100.0 | 0.0 | 0.0 | 0.0 |" in text
    assert text.count("| ours |") == 2
    assert "Questions with an answer and evidence: 1." in text
