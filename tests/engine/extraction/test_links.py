from __future__ import annotations

from selfimprint.engine.extraction.clauses import Clause
from selfimprint.engine.extraction.links import ClauseLink, clause_links


def clause(relation: str = "", sentence: int = 0) -> Clause:
    return Clause(start=0, end=1, text="x", relation=relation, sentence=sentence)


def only(*clauses: Clause) -> tuple[int, int, str] | None:
    links = clause_links(clauses)
    return (links[0].first, links[0].second, links[0].kind) if links else None


def test_each_connective_points_its_way() -> None:
    """The first index is the cause or the earlier one."""
    assert only(clause(), clause("cause")) == (1, 0, "cause")
    assert only(clause(), clause("effect")) == (0, 1, "cause")
    assert only(clause("fronted-cause"), clause("main")) == (0, 1, "cause")
    assert only(clause(), clause("then")) == (0, 1, "order")
    assert only(clause(), clause("after")) == (1, 0, "order")
    assert only(clause("fronted-after"), clause("main")) == (0, 1, "order")
    assert only(clause(), clause("plain")) is None


def test_a_fronted_effect_reaches_one_sentence_back_and_no_further() -> None:
    """ "That's why …" links to the neighbouring sentence only."""
    assert clause_links((clause(), clause("fronted-effect", 1))) == (ClauseLink(first=0, second=1, kind="cause"),)
    assert clause_links((clause(), clause("fronted-effect", 2))) == ()
