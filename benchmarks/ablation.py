"""Does it know that it does not know? The same question asked with and without its evidence.

Needs gold. For every question with evidence, recall is asked again with the evidence turns, and whatever cites them,
excluded; the confidence should fall. Questions about the wrong speaker have no answer at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from asking import Told
from bm25 import Bm25
from scores import Gold, auroc, pairs_right
from told import Conversation

FEW = 10
"""Only the confidence is wanted: few results suffice."""


@dataclass(slots=True)
class Ablation:
    """Doubt (1 − confidence) without the evidence, by question id."""

    doubt: dict[str, float] = field(default_factory=dict)

    def ask(self, told: Told, conversation: Conversation, golds: Mapping[str, Gold], preset: str) -> None:
        for qid, question in conversation.questions:
            gold = golds.get(qid)
            if gold is None or not gold.evidence or not gold.answerable:
                continue
            answer = told.recall(question, exclude=told.all_that_rests_on(gold.evidence), k=FEW, preset=preset)
            self.doubt[qid] = 1.0 - float(answer["confidence"])

    def ask_bm25(self, lexical: Bm25, golds: Sequence[Gold], doubt: dict[str, float]) -> None:
        """The same of BM25, whose doubt is that its best score is low."""
        for gold in golds:
            scores = lexical.scores(gold.question)
            doubt[gold.qid] = -max(scores.values())
            if gold.evidence and gold.answerable:
                self.doubt[gold.qid] = -max(s for turn, s in scores.items() if turn not in gold.evidence)

    def figures(self, golds: Sequence[Gold], doubt: Mapping[str, float]) -> dict[str, Any]:
        """AUROC and pairs ranked right of the ablation, and the AUROC of the questions without an answer."""
        pairs = [(without, doubt[qid]) for qid, without in self.doubt.items()]
        answerable = [doubt[g.qid] for g in golds if g.answerable and g.qid in doubt]
        unanswerable = [doubt[g.qid] for g in golds if not g.answerable and g.qid in doubt]
        return {
            "pairs": len(pairs),
            "ablation_auroc": auroc([a for a, _ in pairs], [b for _, b in pairs]),
            "pairs_right": pairs_right(pairs),
            "swapped": len(unanswerable),
            "swapped_auroc": auroc(unanswerable, answerable),
        }
