from __future__ import annotations

import pytest
from selfimprint.engine.extraction.clauses import Clause, split_clauses
from selfimprint.engine.extraction.packs import load_pack
from selfimprint.engine.extraction.segments import sentences
from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS

PACK = load_pack("en")


def split(text: str) -> tuple[Clause, ...]:
    return split_clauses(sentences(text, PACK.abbreviations)[0], 0, PACK, DEFAULT_SETTINGS)


def test_clauses_carry_their_connective() -> None:
    """The connective is cut out and kept as the relation to the clause before."""
    first, second = split("I quit because my boss was rude")
    assert (first.text, second.text) == ("I quit", "my boss was rude")
    assert (first.relation, second.relation) == ("", "cause")


def test_a_left_out_subject_is_carried_over() -> None:
    """ "…and started" reads as "I started", with the offsets of what was written."""
    text = "I moved to Riga and started at Bolt"
    clause = split(text)[1]
    assert clause.text == "I started at Bolt"
    assert text[clause.start : clause.end] == "started at Bolt"


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I live in Rome.", "stated"),
        ("Do I live in Rome", "question"),
        ("Is it far?", "question"),
        ("If I lived in Rome", "hypothetical"),
        ("I would live in Rome", "hypothetical"),
        ("My sister said I live in Rome", "reported"),
    ],
)
def test_modality_follows_the_guards(text: str, modality: str) -> None:
    """Questions, conditions, wishes and reported speech are told from statements."""
    assert split(text)[0].modality == modality


def test_a_premise_in_a_question_is_stated() -> None:
    """In "since I'm vegan, what can I cook?" the first clause is stated and the second asked."""
    assert [c.modality for c in split("Since I'm vegan, what can I cook?")] == ["stated", "question"]


def test_commands_and_sarcasm_are_not_usable() -> None:
    """Imperatives to the assistant and sarcasm are read as nothing."""
    assert not split("Write a letter to my landlord")[0].usable
    assert not split("Yeah right, I'm the queen of England")[0].usable
    assert split("I wrote a letter to my landlord")[0].usable
