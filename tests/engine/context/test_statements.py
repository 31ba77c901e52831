import pytest
from selfimprint.engine.context.counters import words as count
from selfimprint.engine.context.fragments import joined
from selfimprint.engine.context.parts import ContextItem, Occurrences
from selfimprint.engine.context.statements import (
    chain_sentence,
    facts_in_one,
    guess,
    history,
    is_guess,
    is_past,
    is_slot,
    loop,
    plural,
)
from selfimprint.engine.context.voices import voices_for
from selfimprint.engine.context.wording import wording

EN = wording("en")
VOICES = voices_for([ContextItem(key="n", kind="node", text="", slot="name", value="Anna")], [], EN)
DAY_US = 86_400_000_000
MARCH_2026_US = 20_514 * DAY_US  # 2 March 2026


def node(key: str = "k", text: str = "", **values: object) -> ContextItem:
    return ContextItem(key=key, kind="node", text=text, **values)  # type: ignore[arg-type]  # test shorthand


def said(*sentences: object) -> str:
    return joined(sentences)[0]  # type: ignore[arg-type]  # test shorthand


def chain(length: int) -> tuple[ContextItem, ...]:
    return tuple(node(f"c{n}", f"reason number {n}") for n in range(length))


def test_facts_about_one_person_are_one_sentence() -> None:
    """Predicates are listed behind the name; another person gets a sentence of their own."""
    facts = [
        node("a", slot="home", value="Tallinn"),
        node("b", slot="child", value="Mia", relation="daughter"),
        node("c", slot="employer", value="Alfa", person="Marek"),
    ]
    assert said(*facts_in_one(facts, VOICES, EN)) == (
        "Anna lives in Tallinn and has a child (daughter Mia). Marek works at Alfa."
    )


def test_free_text_values_are_quoted_and_denials_worded() -> None:
    """What somebody likes stands in their words; a denied slot uses its own template, or is no slot at all."""
    facts = [node("a", slot="likes", value='the "sea"'), node("b", slot="likes", value="noise", polarity=-1)]
    assert said(*facts_in_one(facts, VOICES, EN)) == "Anna likes “the ‘sea’” and does not like “noise”."
    assert not is_slot(node(slot="home", value="Riga", polarity=-1), EN)


def test_recurring_things_say_how_often_and_when_last() -> None:
    """Two occurrences or more are counted, with the last day."""
    fact = node(slot="habit", value="running", occurrences=Occurrences(count=3, last_us=MARCH_2026_US))
    assert said(*facts_in_one([fact], VOICES, EN)).endswith("“running” (3 times, last on 2 March 2026).")


def test_what_ended_is_said_as_history_only() -> None:
    """A former slot says until when, if known; other former words are quoted as no longer so."""
    past = node(slot="home", value="Berlin", status="ended", valid_to_us=MARCH_2026_US)
    assert is_past(past)
    assert said(history(past, VOICES, EN)) == "Until March 2026, Anna's home was Berlin."
    undated = node(slot="home", value="Berlin", status="retired")
    assert said(history(undated, VOICES, EN)) == "Formerly Anna's home was Berlin."
    quote = node(text="I never drink coffee.", status="retired", at_us=MARCH_2026_US)
    assert said(history(quote, VOICES, EN)) == (
        "No longer so, though Anna said on 2 March 2026: “I never drink coffee”."
    )


def test_a_hypothesis_is_worded_as_a_guess_and_a_corroborated_one_as_appearance() -> None:
    """Neither is ever stated as a fact."""
    wild = node(text="work piles up before releases.", status="hypothesis", trust="inferred")
    likely = node(text="Mondays are hard", trust="corroborated")
    assert is_guess(wild) and is_guess(likely)
    assert said(guess(wild, VOICES, EN)).startswith("It may be, though this is only a guess: work piles up")
    assert said(guess(likely, VOICES, EN)).startswith("It seems, though nobody said it in so many words: Mondays")


def test_open_loops_are_listed_with_their_dates() -> None:
    """Loops stand in one sentence, each in the person's own words."""
    loops = [node("a", "call the dentist", at_us=MARCH_2026_US), node("b", "book a train")]
    assert said(loop(loops, EN)) == "Still open: “call the dentist” (2 March 2026); “book a train”."
    assert loop([], EN) == ()


def test_a_chain_runs_from_effect_to_root_cause() -> None:
    """Each link is the reason of the one before it."""
    sentence = chain_sentence(chain(3), nearest="c0", budget=99, voices=VOICES, words=EN, count=count)
    assert said(sentence) == (
        "As Anna tells it, “reason number 0”, because “reason number 1”, and that because “reason number 2”."
    )


def test_a_chain_too_long_keeps_its_ends_and_the_link_nearest_the_question() -> None:
    """What is left out between is counted."""
    sentence = chain_sentence(chain(9), nearest="c4", budget=55, voices=VOICES, words=EN, count=count)
    assert said(sentence) == (
        "As Anna tells it, “reason number 0”, and that, 3 steps further back, because “reason number 4”, "
        "and that, 3 steps further back, because “reason number 8”."
    )
    ends = chain_sentence(chain(9), nearest="c4", budget=30, voices=VOICES, words=EN, count=count)
    assert said(ends).count("“") == 2 and "7 steps" in said(ends)


def test_a_chain_without_room_for_its_ends_or_of_one_link_is_not_said() -> None:
    """Half a reason is worse than none."""
    assert chain_sentence(chain(9), nearest="c4", budget=8, voices=VOICES, words=EN, count=count) == ()
    assert chain_sentence(chain(1), nearest="c0", budget=99, voices=VOICES, words=EN, count=count) == ()


@pytest.mark.parametrize(
    ("number", "forms"), [(1, "one one"), (2, "many few"), (5, "many many"), (11, "many many"), (21, "many one")]
)
def test_counts_take_the_plural_form_of_the_language(number: int, forms: str) -> None:
    """English knows one and many, Russian one, few and many."""
    assert f"{plural(number, 'en')} {plural(number, 'ru')}" == forms
