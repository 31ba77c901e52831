"""The echo guard: what we sent out is not learned when it comes back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from graphs import START
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.echo import FENCE_CLOSE, FENCE_OPEN, EchoSettings, SentText, blanked, shingles
from selfimprint.engine.graph import DAY_US

CONTEXT = "The person lives in Tartu with a dog named Rex and has been sleeping badly since the launch was moved."
WORDS = CONTEXT.split()


def heard(text: str, at: int = START, sent: str = CONTEXT) -> str:
    """What is left to learn of a text, stripped."""
    guard = SentText()
    guard.sent(sent, START)
    return blanked(text, guard.echoes(text, at)).strip()


@pytest.mark.parametrize("count", [12, 15, 19])
def test_twelve_words_of_ours_are_an_echo(count: int) -> None:
    """A run of at least twelve tokens of a text we sent is not learned, and the words around it are."""
    assert heard("I said " + " ".join(WORDS[:count]) + " indeed") == "I said" + heard_gap(count) + "indeed"


def heard_gap(count: int) -> str:
    return " " * (len(" ".join(WORDS[:count])) + 2)


def test_a_shorter_repetition_is_the_owners_own() -> None:
    """Eleven tokens in a row are no echo: the owner may say again what they said."""
    short = " ".join(WORDS[:11])
    assert heard(short) == short


@pytest.mark.parametrize("change", [str.upper, str.title, lambda text: text.replace(" ", "\n  "), lambda t: f"«{t}»!"])
def test_case_space_and_punctuation_do_not_hide_an_echo(change) -> None:  # type: ignore[no-untyped-def]
    """The same words in other case, spacing and punctuation are the same words."""
    assert set(heard(change(CONTEXT))) <= set("«»!. ")


@pytest.mark.parametrize(
    "text",
    [
        f"{FENCE_OPEN}>Anna likes tea{FENCE_CLOSE}",
        f"{FENCE_OPEN} id=7>Anna likes tea{FENCE_CLOSE}",
        f"{FENCE_OPEN.upper()}>Anna likes tea{FENCE_CLOSE.upper()}",
        f"{FENCE_OPEN}>Anna likes tea and the fence never ends",
    ],
)
def test_what_stands_in_our_fence_is_an_echo(text: str) -> None:
    """Everything from the opening mark to the closing one, or to the end, is not learned."""
    assert heard(f"before {text}").strip() == "before"


def test_the_owners_words_after_the_fence_are_learned() -> None:
    """Two fences leave the words between and after them."""
    fence = f"{FENCE_OPEN}>x{FENCE_CLOSE}"
    assert heard(f"{fence}between{fence}after").split() == ["between", "after"]


def test_a_word_that_only_begins_like_the_fence_is_no_fence() -> None:
    """`<selfimprint-memoryless` opens nothing."""
    assert heard(f"{FENCE_OPEN}less text") == f"{FENCE_OPEN}less text"


@pytest.mark.parametrize(("days", "is_echo"), [(0, True), (30, True), (31, False)])
def test_echoes_are_remembered_for_thirty_days(days: int, is_echo: bool) -> None:
    """What was sent more than thirty days ago may be learned; sending it again starts the time anew."""
    assert (heard(CONTEXT, START + days * DAY_US) != CONTEXT) is is_echo
    guard = SentText()
    guard.sent(CONTEXT, START)
    guard.sent(CONTEXT, START + 20 * DAY_US)
    guard.sent(CONTEXT, START + 5 * DAY_US)
    assert guard.echoes(CONTEXT, START + 50 * DAY_US)


def test_nothing_sent_nothing_echoes() -> None:
    """Without anything sent only fences count, and short or empty texts have no shingles."""
    guard = SentText()
    assert guard.echoes(CONTEXT, START) == []
    guard.sent("", START)
    guard.sent("too short to matter", START)
    assert guard.seen == {}


def test_the_memory_of_what_was_sent_is_bounded() -> None:
    """Past the limit the older half goes, the newest stays."""
    guard = SentText(EchoSettings(max_shingles=10))
    for number in range(6):
        guard.sent(" ".join(f"w{number}x{i}" for i in range(14)), START + number)
    assert len(guard.seen) <= 10
    assert guard.echoes(" ".join(f"w5x{i}" for i in range(14)), START + 6)
    assert not guard.echoes(" ".join(f"w0x{i}" for i in range(14)), START + 6)


@given(st.text(max_size=80), st.text(max_size=80), st.integers(0, 20))
def test_blanking_keeps_every_offset(before: str, after: str, skip: int) -> None:
    """Echo spans ascend, do not touch one another, and blanking them leaves the length and the rest as they were."""
    guard = SentText()
    guard.sent(CONTEXT, START)
    text = f"{before} {' '.join(WORDS[skip:])} {after}"
    spans = guard.echoes(text, START)
    left = blanked(text, spans)
    assert len(left) == len(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(end < following for (_, end), (following, _) in pairwise(spans))
    covered = {i for start, end in spans for i in range(start, end)}
    assert all(left[i] == (" " if i in covered else text[i]) for i in range(len(text)))


@given(st.text(max_size=200), st.integers(1, 5))
def test_shingles_of_any_text(text: str, size: int) -> None:
    """Any text, lone surrogates too, has shingles that are its own spans of `size` tokens."""
    for start, end, digest in shingles(text, size):
        assert 0 <= start < end <= len(text)
        assert 0 <= digest < 2**64
        assert [d for _, _, d in shingles(text[start:end].casefold(), size)] == [digest] or not text.isascii()
