"""What is known of the owner is told whatever words the question has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from suite_runs import Models, Told, memory

from selfimprintd.facade import ContextQuery

TOLD = (
    "I'm Ina and I live in Narva.",
    "I'm allergic to nuts.",
    "My mum is visiting.",
    "We adopted a kitten called Muri.",
    "I have diabetes.",
)


@pytest.fixture(scope="module")
def ina() -> Iterator[Told]:
    with memory(Models()) as held:
        for day, text in enumerate(TOLD, 1):
            held.tell({"at": f"2026-03-{day:02d}T10:00:00+02:00", "role": "user", "text": text}, session=str(day))
        yield held


def context(held: Told, question: str, **fields: object) -> str:
    query = ContextQuery(message=question, **fields)  # type: ignore[arg-type]
    return str(held.service.context(query)["text"])


def test_a_question_about_a_topic_is_answered_by_the_fact(ina: Told) -> None:
    """No word of the question stands in what was said of the kitten."""
    assert "kitten" in context(ina, "Do I have any pets?").split("On ")[0]


def test_a_question_for_everything_gets_all_that_stands(ina: Told) -> None:
    """Name, home, allergy and pet stand before anything is quoted."""
    text = context(ina, "What do you know about me?").split(" On ")[0]
    assert all(word in text for word in ("Ina", "Narva", "nuts", "kitten"))


def test_what_is_sensitive_is_not_told_with_everything(ina: Told) -> None:
    """An illness is told when it is asked for, and an allergy always."""
    assert "diabetes" not in context(ina, "What do you know about me?").split(" On ")[0]


def test_a_parent_without_a_name_is_no_news(ina: Told) -> None:
    """That somebody has a mother need not be said."""
    assert "has a parent" not in context(ina, "What do you know about me?")


def test_what_was_not_yet_so_is_not_told(ina: Told) -> None:
    """As of a day before the kitten there is none."""
    before = 1_772_500_000_000_000  # 3 March 2026
    assert "kitten" not in context(ina, "Do I have any pets?", as_of_us=before).split("On ")[0]


def test_a_job_that_begins_next_month_is_not_yet_the_job() -> None:
    """Until the day comes the old one is told; a plan is told at once."""
    with memory(Models()) as held:
        turns = ("I work as a nurse.", "I start as a chef in August.", "We're planning a trip to Rome in September.")
        for day, text in enumerate(turns, 1):
            held.tell({"at": f"2026-05-{day:02d}T10:00:00+02:00", "role": "user", "text": text}, session=str(day))
        told = context(held, "What do you know about me?").split(" On ")[0]
    assert "nurse" in told
    assert "chef" not in told
    assert "Rome" in told
