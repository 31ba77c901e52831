"""Twin of `suite_scores`, `suite_matching`, `suite_totals` in `tests/support`: the judge on cases easy to follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from suite_matching import contains_all, is_dated, same, same_person
from suite_scores import (
    Kept,
    LineOutcome,
    Ranked,
    StoryOutcome,
    Wanted,
    holds_value,
    judge_chain,
    judge_line,
    judge_story,
    links_in_order,
)
from suite_totals import (
    Share,
    chain_figures,
    change_figures,
    columns,
    junk_figures,
    line_figures,
    lookalike_figures,
    slot_figures,
    table,
)

TEXT = "Anna moved from Bergen to Oslo with her cat Miso"


def fact(slot: str, value: str, **changes: Any) -> Kept:
    return replace(Kept(id="n", type="fact", content=TEXT, slot=slot, value=value), **changes)


def line(*expect: dict[str, Any], kind: str = "fact", lang: str = "en") -> dict[str, Any]:
    return {"id": "x", "lang": lang, "kind": kind, "text": TEXT, "expect": list(expect)}


def wants(slot: str, value: str, subject: str = "self", polarity: int = 1) -> dict[str, Any]:
    return {"type": "fact", "slot": slot, "value": value, "subject": subject, "polarity": polarity}


def story(**changes: Any) -> dict[str, Any]:
    turns = [{"text": "I live in Oslo"}, {"text": "nice weather"}, {"text": "I moved to Bergen"}]
    return {
        "id": "u", "lang": "en", "kind": "change", "slot": "home", "turns": turns, "question": "Where do I live?",
        "old": "Oslo", "new": "Bergen", "subject": "self",
    } | changes  # fmt: skip


def told(before: list[Kept], after: list[Kept], *ranked: tuple[int, bool]) -> StoryOutcome:
    places = tuple(Ranked(turn=turn, history=history) for turn, history in ranked)
    return StoryOutcome(before=tuple(before), after=tuple(after), ranked=places)


OSLO = fact("home", "Oslo")
BERGEN = fact("home", "Bergen")
OSLO_OVER = fact("home", "Oslo", current=False, denied=True)


@pytest.mark.parametrize(
    ("wanted", "held", "matches"),
    [
        ("Казан", "Казани", True),
        ("the North Sea", "north sea", True),
        ("30", "30", True),
        ("3", "30", False),
        ("30", "I'm 30, nearly", True),
        ("", "Oslo", False),
        ("Oslo", "", False),
        ("Oslo", "Bergen", False),
    ],
)
def test_values_match_as_parts_and_numbers_whole(wanted: str, held: str, matches: bool) -> None:
    """A value may be longer or shorter than the asked one, but 3 is not a part of 30."""
    assert same(wanted, held) is matches
    assert same(held, wanted) is matches


def test_every_part_must_occur() -> None:
    """All strings of a list must stand in the text, case apart."""
    assert contains_all(["OSLO", "cat"], TEXT)
    assert not contains_all(["Oslo", "dog"], TEXT)


@pytest.mark.parametrize(
    ("wanted", "subjects", "matches"),
    [
        ("self", ("self",), True),
        ("self", ("Anna",), False),
        ("Anna", ("self",), False),
        ("my dad", ("Peter", "dad"), True),
        ("Соня", ("Соню",), True),
        ("Marta", ("Maria",), False),
    ],
)
def test_a_subject_matches_by_name_relation_or_case_ending(
    wanted: str, subjects: tuple[str, ...], matches: bool
) -> None:
    """The owner only matches the owner; others match by any of their names."""
    assert same_person(wanted, subjects) is matches


def test_a_value_in_other_words_is_found_by_its_claim() -> None:
    """A value that the text does not hold as it is was put into other words: then the claim it came of is looked at."""
    born = fact("birthday", "05-03", content="my birthday is the 3rd of May")
    assert holds_value("3rd of May", born, born.content)
    assert not holds_value("3rd of June", born, born.content)
    assert not holds_value("cat", OSLO, TEXT)


def test_a_fact_is_hit_only_with_slot_value_subject_and_polarity() -> None:
    """Each of the four can spoil it; the value in another slot and under another subject are told apart."""
    asked = line(wants("home", "Oslo"))
    outcomes = {
        "right": (OSLO, Wanted(type="fact", slot="home", hit=True, placed=True)),
        "slot": (fact("origin", "Oslo"), Wanted(type="fact", slot="home", hit=False, placed=True)),
        "subject": (
            fact("home", "Oslo", subjects=("Anna",)),
            Wanted(type="fact", slot="home", hit=False, placed=True, stranger=True),
        ),
        "denied": (fact("home", "Oslo", denied=True), Wanted(type="fact", slot="home", hit=False, placed=True)),
        "value": (BERGEN, Wanted(type="fact", slot="home", hit=False)),
    }
    for kept, expected in outcomes.values():
        assert judge_line(asked, LineOutcome(text=TEXT, kept=(kept,))).wanted == (expected,)


def test_precision_counts_contradictions_and_lets_harmless_extras_pass() -> None:
    """An extra fact in a slot that nobody asked for is harmless; a wrong value, subject or polarity is not."""
    asked = line(wants("home", "Oslo"))
    pet = fact("pet", "Miso")
    good = judge_line(asked, LineOutcome(text=TEXT, kept=(OSLO, pet)))
    assert (good.slotted, good.expected_facts, good.wrong_facts) == (2, 1, 0)
    for wrong in (BERGEN, fact("home", "Oslo", subjects=("Anna",)), fact("home", "Oslo", denied=True)):
        bad = judge_line(asked, LineOutcome(text=TEXT, kept=(wrong, pet)))
        assert (bad.slotted, bad.expected_facts, bad.wrong_facts) == (2, 0, 1)


def test_another_value_beside_the_asked_one_is_harmless() -> None:
    """A second city of the same line does not make the first one wrong."""
    verdict = judge_line(line(wants("home", "Oslo")), LineOutcome(text=TEXT, kept=(OSLO, BERGEN)))
    assert verdict.wrong_facts == 0


def test_everything_on_an_empty_line_is_junk() -> None:
    """Facts are wrong there, any stored type is junk, and a feeling is counted apart."""
    feeling = Kept(id="e", type="emotional_note", content=TEXT, valence=0.5)
    verdict = judge_line(line(), LineOutcome(text=TEXT, kept=(OSLO, feeling)))
    assert (verdict.empty, verdict.junk, verdict.moody, verdict.wrong_facts) == (True, ("fact",), True, 1)
    quiet = judge_line(line(), LineOutcome(text=TEXT, kept=(feeling,)))
    assert (quiet.junk, quiet.moody, quiet.wrong_facts) == ((), True, 0)


@pytest.mark.parametrize(
    ("wanted", "when", "dated"),
    [
        ("2026-03-12", ("2026-03-12", "2026-03-13"), True),
        ("2026-03-12", ("2026-03-09", "2026-03-16"), True),
        ("2026-03-12", ("2026-03-13", "2026-03-14"), False),
        ("2019", ("2019-01-01", "2020-01-01"), True),
        ("2020", ("2019-01-01", "2020-01-01"), False),
        ("2019", None, False),
    ],
)
def test_a_date_lies_in_the_interval(wanted: str, when: tuple[str, str] | None, dated: bool) -> None:
    """The end of the interval is no part of it; a bare year is the one in which it begins."""
    assert is_dated(wanted, when) is dated


def test_an_event_is_hit_by_its_words_and_dated_apart() -> None:
    """Type and words make the hit; the date is judged only where one is asked for and the event was found."""
    asked = {"type": "event", "contains": ["moved", "Oslo"], "when": "2026-03-12", "subject": "self"}
    event = Kept(id="e", type="event", content=TEXT, when=("2026-03-12", "2026-03-13"))

    def found(kept: Kept, **changes: Any) -> Wanted:
        return judge_line(line(asked | changes), LineOutcome(text=TEXT, kept=(kept,))).wanted[0]

    assert found(event) == Wanted(type="event", slot="", hit=True, dated=True)
    assert found(replace(event, when=None)).dated is False
    assert found(event, when=None).dated is None
    assert found(replace(event, type="fact")) == Wanted(type="event", slot="", hit=False)
    assert found(replace(event, subjects=("Anna",))).stranger


def test_loops_feelings_and_causes_are_hit_by_their_own_marks() -> None:
    """A loop by its words, a feeling by its sign, a cause by the words at the right ends of the edge."""
    loop = {"type": "open_loop", "contains": ["Oslo"]}
    glad = {"type": "emotional_note", "sign": 1}
    cause = {"type": "cause", "cause_contains": ["rain"], "effect_contains": ["stayed"]}
    kept = (
        Kept(id="l", type="open_loop", content="find a flat in Oslo"),
        Kept(id="e", type="emotional_note", content="so happy", valence=0.6),
    )
    asked = line(loop, glad, cause)
    right = judge_line(asked, LineOutcome(text=TEXT, kept=kept, causes=(("we stayed in", "the rain"),)))
    assert [w.hit for w in right.wanted] == [True, True, True]
    sad = (replace(kept[0], content="find a flat"), replace(kept[1], valence=-0.6))
    wrong = judge_line(asked, LineOutcome(text=TEXT, kept=sad, causes=(("the rain", "we stayed in"),)))
    assert [w.hit for w in wrong.wanted] == [False, False, False]
    assert [w.placed for w in wrong.wanted] == [False, True, True]


def test_an_unknown_kind_of_item_is_an_error() -> None:
    """A suite with an item that the judge does not know must not pass in silence."""
    with pytest.raises(ValueError, match="unknown"):
        judge_line(line({"type": "dream"}), LineOutcome(text=TEXT))


def test_a_change_arrives_when_the_old_is_over_and_the_new_holds() -> None:
    """Held before, ended after, the new one current, the last turn first and the old one history."""
    verdict = judge_story(story(), told([OSLO], [OSLO_OVER, BERGEN], (2, False), (0, True)), single=True)
    assert verdict.held and verdict.changed and verdict.newer_first and verdict.history_only


def test_a_change_that_was_not_heard_is_none() -> None:
    """The old one still current, or nothing known at all, is no arrival."""
    late = judge_story(story(), told([OSLO], [OSLO], (0, False), (2, False)), single=True)
    assert late.old_current and not (late.changed or late.newer_first or late.history_only)
    deaf = judge_story(story(), told([], [], (2, False)), single=True)
    assert not (deaf.held or deaf.changed) and deaf.newer_first and deaf.history_only
    blank = judge_story(story(), told([], []), single=True)
    assert not blank.newer_first


def test_an_end_without_a_successor_arrives_when_the_old_is_over() -> None:
    """With nothing to replace it, the old value must be over, and the turn that says so counts as the newer."""
    case = story(new=None)
    assert judge_story(case, told([OSLO], [OSLO_OVER], (2, False), (0, True)), single=True).changed
    assert not judge_story(case, told([OSLO], [OSLO], (2, False), (0, False)), single=True).changed


def test_a_lookalike_is_replaced_when_the_old_ends_or_a_single_slot_takes_the_new() -> None:
    """In a slot of many both may be held; in a slot of one the new value is false whether or not the old was known."""
    case = story(kind="lookalike")
    assert not judge_story(case, told([OSLO], [OSLO]), single=True).replaced
    assert judge_story(case, told([OSLO], [OSLO_OVER]), single=True).replaced
    assert judge_story(case, told([], [BERGEN]), single=True).replaced
    assert not judge_story(case, told([OSLO], [OSLO, BERGEN]), single=False).replaced
    assert not judge_story(case, told([OSLO], [OSLO, replace(BERGEN, subjects=("Anna",))]), single=True).replaced


def test_links_count_in_order_each_in_a_node_of_its_own() -> None:
    """Order matters, gaps do not, one node serves one link, and a node's proofs are read too."""
    nodes = [Kept(id=str(i), type="event", content=text) for i, text in enumerate(["late", "overslept", "power cut"])]
    assert links_in_order([["late"], ["overslept"], ["power"]], nodes) == 3
    assert links_in_order([["late"], ["power"]], nodes) == 2
    assert links_in_order([["power"], ["late"]], nodes) == 1
    assert links_in_order([["power"], ["cut"]], nodes) == 1
    assert links_in_order([["storm"]], [replace(nodes[2], texts=("the storm cut the power",))]) == 1
    assert links_in_order([["late"]], []) == 0


def test_the_best_chain_counts_and_the_context_is_read_apart() -> None:
    """One whole chain among others makes the case whole; the context's text is not needed for it."""
    case = {"id": "w", "lang": "en", "chain": [["late"], ["overslept"]]}
    late, overslept = (Kept(id=t, type="event", content=t) for t in ("late", "overslept"))
    whole = judge_chain(case, [[overslept, late], [late, overslept]], "I was late")
    assert (whole.whole, whole.chained, whole.told, whole.links) == (True, 2, 1, 2)
    none = judge_chain(case, [], "late, as I had overslept")
    assert (none.whole, none.chained, none.told) == (False, 0, 2)


def test_line_figures_add_up() -> None:
    """Hits over what was asked for, wrong facts over what was made, junk over the empty lines."""
    lines = [
        judge_line(line(wants("home", "Oslo"), wants("pet", "Miso")), LineOutcome(text=TEXT, kept=(OSLO,))),
        judge_line(line(kind="smalltalk", lang="de"), LineOutcome(text=TEXT, kept=(OSLO,))),
        judge_line(line(kind="code"), LineOutcome(text=TEXT, failed=True)),
    ]
    figures = line_figures(lines)
    assert figures["facts: precision"] == Share(hit=1, total=2)
    assert figures["facts: strict precision"] == Share(hit=1, total=2)
    assert figures["facts: recall"] == Share(hit=1, total=2)
    assert figures["empty lines: junk"] == Share(hit=1, total=2)
    assert figures["small talk: junk"] == Share(hit=1, total=1)
    assert figures["lines that failed"] == Share(hit=1, total=3)
    assert slot_figures(lines) == {"home": Share(hit=1, total=1), "pet": Share(hit=0, total=1)}
    assert junk_figures(lines) == {
        "on code": Share(hit=0, total=1),
        "on smalltalk": Share(hit=1, total=1),
        "a node of type fact": Share(hit=1, total=2),
    }
    assert columns(lines, line_figures, lambda v: v.lang)["de"]["empty lines: junk"] == Share(hit=1, total=1)


def test_story_figures_tell_silence_from_correctness() -> None:
    """A look-alike of which nothing was known is not replaced, but does not count among the held either."""
    alike = story(kind="lookalike")
    stories = [
        judge_story(alike, told([], []), single=True),
        judge_story(alike, told([OSLO], [BERGEN]), single=True),
        judge_story(story(), told([OSLO], [OSLO_OVER, BERGEN], (2, False)), single=True),
        judge_story(story(new=None), told([], [], (0, False)), single=True),
    ]
    figures = lookalike_figures(stories)
    assert figures["false supersession"] == Share(hit=1, total=2)
    assert figures["false supersession, of held"] == Share(hit=1, total=1)
    changes = change_figures(stories)
    assert changes["newer above older"] == Share(hit=1, total=2)
    assert changes["newer above older, of held"] == Share(hit=1, total=1)
    assert changes["nothing of it extracted"] == Share(hit=1, total=2)


def test_chain_figures_and_tables_show_the_counts() -> None:
    """A figure is shown with what it was counted of, and one that was never tried is a dash."""
    case = {"id": "w", "lang": "en", "chain": [["late"], ["overslept"]]}
    figures = chain_figures([judge_chain(case, [], "late")])
    assert figures["links told in the context"] == Share(hit=1, total=2)
    shown = table({"all": figures, "de": {}})
    assert "| links told in the context | 0.50 (1/2) | – |" in shown.splitlines()
    assert Share(hit=0, total=0).value == 0.0
