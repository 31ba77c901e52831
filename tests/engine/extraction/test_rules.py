from __future__ import annotations

import pytest
from selfimprint.engine.extraction.clauses import Clause
from selfimprint.engine.extraction.extract import extract
from selfimprint.engine.extraction.packs import pack_from_texts
from selfimprint.engine.extraction.persons import Referents
from selfimprint.engine.extraction.rules import ClauseContext, apply_rules, clean_value
from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS

PACK = pack_from_texts([
    r"""
language = "xx"
[values]
strip_left = "(?:the|a)"
strip_right = "(?:now|too)"
not = "it"
[numbers]
seven = 7
[[rule]]
id = "moved"
slot = "home"
also = "event"
blocks = ["likes"]
patterns = ["from (?P<prev>\\w+) to (?P<place>\\w+)"]
[[rule]]
id = "weak"
slot = "goal"
weak = true
patterns = ["likes (?P<value>.+)"]
[[rule]]
id = "likes"
slot = "likes"
split = true
not = ["never"]
patterns = ["likes (?P<value>.+)"]
[[rule]]
id = "asked"
type = "open_loop"
in = ["question"]
patterns = ["should I"]
[[rule]]
id = "age"
slot = "age"
patterns = ["is (?P<n>\\w+) now"]
"""
])  # fmt: skip


def run(text: str, modality: str = "stated") -> list[tuple[str, str, str]]:
    clause = Clause(start=0, end=len(text), text=text, modality=modality)  # type: ignore[arg-type]
    context = ClauseContext(message=text, clause=clause, dates=(), valence=0.0, pack=PACK, settings=DEFAULT_SETTINGS)
    found, _ = apply_rules(context, Referents(PACK))
    return [(c.reason, c.value, c.previous) for c in found]


def test_values_are_trimmed_and_split() -> None:
    """Articles and fillers go, a list gives one candidate an item, and the weak rule keeps silent."""
    assert run("likes the tea, coffee now") == [("likes", "tea", ""), ("likes", "coffee", "")]
    assert clean_value("the it", PACK, (), 0) == ""


def test_excludes_and_modality_silence_a_rule() -> None:
    """`not` silences (and lets the weak rule speak), and a rule for questions speaks only to questions."""
    assert run("never likes tea") == [("weak", "tea", "")]
    assert run("should I go") == []
    assert run("should I go", "question") == [("asked", "", "")]


def test_groups_fill_the_candidate() -> None:
    """`place` is the value, `prev` the previous one, `also` adds an event, `blocks` silences another slot."""
    assert run("from Oslo to Rome likes tea")[:2] == [("moved", "Rome", "Oslo"), ("moved+event", "", "")]
    assert ("likes", "tea", "") not in run("from Oslo to Rome likes tea")


def test_ages_become_digits() -> None:
    """A number word in the age slot is stored as digits."""
    assert run("is seven now") == [("age", "7", "")]


BESIDE = [
    ("en", "On Saturdays I work as a barista."),
    ("de", "Nebenbei arbeite ich als Taxifahrer."),
    ("et", "Nädalavahetustel töötan veel giidina."),
    ("es", "Los fines de semana trabajo también de camarera."),
    ("fr", "Le week-end je bosse aussi comme serveur."),
    ("ru", "По вечерам подрабатываю репетитором."),
]


@pytest.mark.parametrize(("language", "text"), BESIDE)
def test_a_job_for_some_hours_stands_beside_the_main_one(language: str, text: str) -> None:
    """In each language a side job is read as one."""
    found = extract(text, at_us=0, offset_minutes=0, language=language)
    assert [c.beside for c in found.candidates if c.slot == "role"] == [True]
