from dataclasses import replace

from selfimprint.engine.context.counters import words as count
from selfimprint.engine.context.fragments import joined
from selfimprint.engine.context.parts import ContextItem, ContextRequest
from selfimprint.engine.context.quotations import Quotation, clauses_in_order, select_quotations
from selfimprint.engine.context.settings import ComposeSettings
from selfimprint.engine.context.voices import voices_for
from selfimprint.engine.context.wording import wording

DAY_US = 86_400_000_000
MAY_2023_US = 19_484 * DAY_US  # 7 May 2023
EN = wording("en")


def turn(key: str, text: str, speaker: str = "Caroline", day: int = 0, second: int = 0) -> ContextItem:
    at_us = MAY_2023_US + day * DAY_US + second * 1_000_000
    return ContextItem(key=key, text=text, speaker=speaker, at_us=at_us, session=f"s{day}", evidence_message=f"m{key}")


def select(
    turns: list[ContextItem], budget: int = 400, question: str = "x", **settings: float
) -> tuple[Quotation, ...]:
    return select_quotations(
        turns,
        budget=budget,
        voices=voices_for([], turns, EN),
        request=ContextRequest(question=question),
        settings=replace(ComposeSettings(), **settings),  # type: ignore[arg-type]  # test shorthand
        count=count,
    )


def written(quotations: tuple[Quotation, ...]) -> str:
    items = [quotation.item for quotation in quotations]
    return joined(clauses_in_order(quotations, voices_for([], items, EN), EN))[0]


def test_a_session_is_one_dated_clause_in_the_order_of_speaking() -> None:
    """The date stands once, speakers are named when they change, and what one said on end is one quotation."""
    turns = [
        turn("3", "I felt accepted there.", second=3),
        turn("2", "What happened there then?", speaker="Melanie", second=2),
        turn("1", "I went to a support group yesterday.", second=1),
        turn("4", "It gave me courage!", second=4),
    ]
    assert written(select(turns)) == (
        "On 7 May 2023 Caroline said: “I went to a support group yesterday [6 May]”; "
        "Melanie: “What happened there then?”; Caroline: “I felt accepted there … It gave me courage!”"
    )


def test_sessions_are_told_oldest_first_and_undated_ones_last() -> None:
    """Order in the text is time, whatever the ranking."""
    undated = ContextItem(key="u", text="My cat is grey.", speaker="Caroline", session="u")
    text = written(select([undated, turn("b", "Rain fell.", day=5), turn("a", "Sun shone.", day=1)]))
    assert text == (
        "On 8 May 2023 Caroline said: “Sun shone”. On 12 May 2023 Caroline said: “Rain fell”. "
        "Caroline said: “My cat is grey”."
    )


def test_greetings_are_left_out_and_a_turn_of_nothing_else_is_not_quoted() -> None:
    """Small talk takes no room."""
    chosen = select([turn("a", "Hey Mel! I lost my job."), turn("b", "Wow, so cool, Caroline!", speaker="Melanie")])
    assert [quotation.text for quotation in chosen] == ["I lost my job."]


def test_beyond_the_whole_turns_only_the_most_telling_sentence_is_quoted() -> None:
    """A lower turn gives the sentence that shares most with the question, as long as the room is short."""
    turns = [turn("a", "First turn stays whole. It really does."), turn("b", "The weather was fine. My dog Rex limps.")]
    chosen = select(turns, budget=27, question="What about the dog?", whole_turns=1, whole_turn_share=1.0)
    assert [quotation.text for quotation in chosen] == ["First turn stays whole. It really does.", "My dog Rex limps."]


def test_room_left_over_goes_to_what_was_passed_over() -> None:
    """With room to spare the rest of a lower turn is quoted too."""
    turns = [turn("a", "First turn stays whole."), turn("b", "The weather was fine. My dog Rex limps.")]
    assert select(turns, question="dog", whole_turns=1)[1].text == "The weather was fine. My dog Rex limps."


def test_a_long_answer_is_quoted_by_what_bears_on_the_question() -> None:
    """Of three hundred words only the fitting sentences and their neighbours are quoted."""
    filler = " ".join(f"Step {n} keeps an even pace throughout the day." for n in range(40))
    answer = ContextItem(key="a", text=f"{filler} The entry fee is 180 euros.", role="assistant", session="s")
    text = written(select([answer], question="How much was the entry fee?"))
    assert text == "The assistant said: “Step 39 keeps an even pace throughout the day. The entry fee is 180 euros”."


def test_sentences_with_a_gap_between_them_are_joined_by_an_ellipsis() -> None:
    """What was left out inside a turn shows."""
    item = turn("a", "")
    gap = Quotation(item=item, parts=("One.", "Two.", "Three."), chosen=(0, 2), rank=0)
    assert gap.text == "One. … Three."


def test_a_known_date_is_noted_where_the_words_are_vague() -> None:
    """An interval that the graph knows is set behind the words that meant it."""
    item = replace(turn("a", "We met that spring."), when_text="that spring", when_us=(MAY_2023_US, MAY_2023_US + 1))
    later = replace(item, at_us=MAY_2023_US + 400 * DAY_US)
    assert "“We met that spring [7 May 2023]”" in written(select([later]))


def test_selection_keeps_within_its_budget_and_prefers_the_best() -> None:
    """However small the budget, clauses fit it, and the first turns are served first."""
    turns = [turn(str(n), f"Sentence number {n} has some words in it.", day=n % 3, second=n) for n in range(30)]
    for budget in range(0, 200, 7):
        chosen = select(turns, budget=budget)
        assert count(written(chosen)) <= budget
        assert not chosen or chosen[0].rank == 0
