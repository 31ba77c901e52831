import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selfimprint.engine.context.compose import compose
from selfimprint.engine.context.counters import COUNTERS
from selfimprint.engine.context.parts import Composed, ContextItem, ContextRequest
from selfimprint.engine.context.settings import ComposeSettings
from selfimprint.engine.context.wording import LANGUAGES, wording

DAY_US = 86_400_000_000
MARCH_2026_US = 20_514 * DAY_US  # 2 March 2026
NAME = ContextItem(key="n", kind="node", text="", slot="name", value="Anna", evidence_message="m-n")
HOME = ContextItem(key="h", kind="node", text="", slot="home", value="Tallinn", evidence_message="m-h")
TURN = ContextItem(
    key="t", text="I sleep badly since last week.", at_us=MARCH_2026_US, session="s", evidence_message="m-t"
)
CHAIN = (
    ContextItem(key="c0", kind="node", text="I am exhausted", evidence_message="m-c0"),
    ContextItem(key="c1", kind="node", text="the deadline moved", evidence_message="m-c1"),
)
LOOP = ContextItem(key="l", kind="node", node_type="open_loop", text="call the dentist", evidence_message="m-l")
ASKED = ContextRequest(question="How is Anna?", counter="words")


def composed(
    *items: ContextItem,
    chains: tuple[tuple[ContextItem, ...], ...] = (),
    loops: tuple[ContextItem, ...] = (),
    profile: tuple[ContextItem, ...] = (),
    request: ContextRequest = ASKED,
) -> Composed:
    return compose(items, chains, loops, profile, request, ComposeSettings())


def test_everything_known_becomes_one_paragraph() -> None:
    """Profile, history, reasons, own words, guesses and loops follow one another in prose."""
    former = ContextItem(key="f", kind="node", text="", slot="home", value="Riga", status="ended")
    guessed = ContextItem(key="g", kind="node", text="work piles up", status="hypothesis")
    result = composed(TURN, former, guessed, chains=(CHAIN,), loops=(LOOP,), profile=(NAME, HOME))
    assert result.text == (
        "The user is called Anna. Anna lives in Tallinn. Formerly Anna's home was Riga. "
        "As Anna tells it, “I am exhausted”, because “the deadline moved”. "
        "On 2 March 2026 Anna said: “I sleep badly since last week [week of 23 February]”. "
        "It may be, though this is only a guess: work piles up. Still open: “call the dentist”."
    )
    assert (result.empty, result.omitted_count, result.language) == (False, 0, "en")


def test_nothing_known_is_an_empty_text_that_says_so() -> None:
    """No items give no text and no tokens."""
    assert composed() == Composed(text="", language="en", tokens=0, empty=True)


def test_no_room_is_an_empty_text_that_counts_what_it_left_out() -> None:
    """A budget of nothing omits everything."""
    result = composed(TURN, request=replace(ASKED, budget=0))
    assert (result.text, result.empty, result.omitted_count) == ("", True, 1)


def test_citations_point_at_the_words_and_their_message() -> None:
    """Each citation covers what its item says, in the order of the text."""
    result = composed(TURN, chains=(CHAIN,), profile=(NAME, HOME))
    assert [(c.key, c.message_id, result.text[c.start : c.end]) for c in result.citations] == [
        ("n", "m-n", "Anna"),
        ("h", "m-h", "lives in Tallinn"),
        ("c0", "m-c0", "“I am exhausted”"),
        ("c1", "m-c1", "“the deadline moved”"),
        ("t", "m-t", "I sleep badly since last week [week of 23 February]"),
    ]


def test_uncertain_findings_are_announced_and_kept_short() -> None:
    """A low confidence says that nothing certain is known and uses at most its share of the budget."""
    turns = [replace(TURN, key=str(n), text=f"Day number {n} was long and grey.") for n in range(40)]
    result = composed(*turns, request=replace(ASKED, confidence=0.1))
    assert result.text.startswith("Nothing certain is known about this")
    assert result.tokens <= 200


def test_what_a_chain_or_loop_says_is_not_quoted_again() -> None:
    """The same words stand once."""
    result = composed(*CHAIN, LOOP, chains=(CHAIN,), loops=(LOOP,))
    assert result.text.count("exhausted") == result.text.count("dentist") == 1


def test_the_same_thing_given_twice_is_said_once() -> None:
    """Repeated keys and repeated words of a session are one item."""
    assert composed(TURN, TURN, replace(TURN, key="u")).text.count("sleep") == 1


def test_retired_words_never_stand_as_current() -> None:
    """A superseded turn or fact appears only behind a word of the past."""
    fact = ContextItem(key="f", kind="node", text="I work at Alfa", slot="employer", value="Alfa", status="retired")
    old = replace(TURN, status="ended")
    text = composed(fact, old).text
    assert text.startswith("Formerly the user's employer was Alfa. No longer so, though the user said on 2 March 2026")


def test_the_language_is_that_of_the_request() -> None:
    """Frames, dates and marks are German for a German request, whatever the quotation's language."""
    result = composed(TURN, profile=(NAME,), request=replace(ASKED, language="de-DE"))
    assert result.text == (
        "Die Person heißt Anna. Am 2. März 2026 sagte Anna: „I sleep badly since last week [Woche um den 23. Februar].“"
    )


def test_a_counter_of_the_callers_own_is_obeyed() -> None:
    """A registered counter decides, even one that costs more for the whole than for its parts."""

    def own(text: str) -> int:
        return 2 * len(text.split()) + (3 if len(text) > 60 else 0)

    counters = {**COUNTERS, "own": own}
    turns = [replace(TURN, key=str(n), text=f"Day number {n} was long.", session=str(n)) for n in range(9)]
    request = replace(ASKED, counter="own", budget=50)
    result = compose(turns, (), (), (), request, ComposeSettings(), counters=counters)
    assert 0 < result.tokens == own(result.text) <= 50


def test_an_unknown_counter_is_an_error() -> None:
    """A budget in units that nobody knows cannot be kept."""
    with pytest.raises(KeyError):
        composed(TURN, request=replace(ASKED, counter="guesswork"))


WORDS = st.lists(
    st.sampled_from(
        [
            "yesterday", "вчера", "gestern", "sea", "“", "”", '"', "«", "»", "„", "```", "</memory>", "\n", "Bob: hi",
            "?", ".", "!", "…", "\u202e", "\x00", "\ud800", "昨日", "👨‍👩‍👧", "supercalifragilistic", "12.5",
            "[x]", "{who}", "%s",
        ]
    ),
    max_size=40,
).map(" ".join)  # fmt: skip
SLOTS = st.sampled_from(["", "name", "home", "likes", "child", "religion", "unheard-of"])
ITEMS = st.builds(
    ContextItem,
    key=st.text(max_size=3),
    text=WORDS,
    kind=st.sampled_from(["turn", "node"]),
    speaker=st.sampled_from(["", "Bob", "assistant", "Eve:\n“x”"]),
    role=st.sampled_from(["user", "person", "assistant", "tool", "document"]),
    at_us=st.none() | st.integers(-(10**18), 10**18),
    offset_minutes=st.integers(-720, 840),
    session=st.sampled_from(["", "a", "b"]),
    language=st.sampled_from([*LANGUAGES, "ja"]),
    score=st.floats(0, 1),
    slot=SLOTS,
    value=WORDS,
    relation=st.sampled_from(["", "sister"]),
    person=st.sampled_from(["", "Eva"]),
    status=st.sampled_from(["current", "ended", "retired", "hypothesis", "archived"]),
    polarity=st.sampled_from([-1, 1]),
    trust=st.sampled_from(["user-stated", "corroborated", "inferred"]),
    valid_to_us=st.none() | st.integers(0, 10**16),
)
SOME = st.lists(ITEMS, max_size=6)


@settings(max_examples=100, deadline=None)
@given(
    items=SOME,
    chains=st.lists(st.lists(ITEMS, max_size=5).map(tuple), max_size=2),
    loops=st.lists(ITEMS, max_size=2),
    profile=st.lists(ITEMS, max_size=3),
    language=st.sampled_from([*LANGUAGES, "pt"]),
    budget=st.integers(0, 50) | st.sampled_from([120, 400]),
    counter=st.sampled_from(sorted(COUNTERS)),
    confidence=st.floats(0, 1),
)
def test_whatever_comes_in_one_safe_paragraph_within_the_budget_goes_out(
    items: list[ContextItem],
    chains: list[tuple[ContextItem, ...]],
    loops: list[ContextItem],
    profile: list[ContextItem],
    language: str,
    budget: int,
    counter: str,
    confidence: float,
) -> None:
    """Hostile items never break the budget, the paragraph, the quotation or the citations."""
    request = ContextRequest(question="sea?", language=language, budget=budget, counter=counter, confidence=confidence)
    result = compose(items, chains, loops, profile, request, ComposeSettings())
    assert result.tokens == (COUNTERS[counter](result.text) if result.text else 0) <= budget
    assert result.empty is (result.text == "")
    assert result.text == " ".join(result.text.split(" ")).strip()
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]|```|</", result.text)
    marks = wording(language).quotes
    if marks["close"] != marks["inner_close"] and marks["open"] not in (marks["inner_open"], marks["inner_close"]):
        assert result.text.count(marks["open"].strip()) == result.text.count(marks["close"].strip())
    for before, after in zip(result.citations, result.citations[1:], strict=False):
        assert before.end <= after.start
    assert all(0 <= c.start < c.end <= len(result.text) for c in result.citations)
    assert compose(items, chains, loops, profile, request, ComposeSettings()) == result
