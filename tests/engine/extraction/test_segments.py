from __future__ import annotations

import pytest
from selfimprint.engine.extraction.packs import load_pack
from selfimprint.engine.extraction.segments import FILLER, mask, sentences
from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS

PACK = load_pack("en")


def masked(text: str) -> str:
    return mask(text, PACK, DEFAULT_SETTINGS)


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("I like `x = 1` here", "I like", "x = 1"),
        ("Look:\n```py\nhome = 'Oslo'\n```\nthanks", "thanks", "Oslo"),
        ("She said “I live in Rome now”.", "She said", "Rome"),
        ("> I live in Rome\nI agree", "I agree", "Rome"),
        ("see https://oslo.example/a ok", "see", "oslo"),
        ("hi\n2026-01-01 10:00:00 INFO user lives in Rome\n2026-01-01 10:00:01 INFO done", "hi", "Rome"),
        ("fyi\nFrom: Bob\nSubject: news\n\nI moved to Rome.", "fyi", "Rome"),
        ("help\nconst home = 'Rome';\nreturn home;", "help", "Rome"),
    ],
)
def test_what_is_not_the_speakers_prose_is_masked(text: str, kept: str, gone: str) -> None:
    """Code, quotes, logs, links and forwarded mail go; the words around them and all offsets stay."""
    result = masked(text)
    assert kept in result and gone not in result and len(result) == len(text)


def test_a_long_impersonal_paragraph_is_a_document() -> None:
    """A pasted text of many words without a first person is masked, a long personal one is not."""
    pasted = "The river rises in the hills and the town of Rome lies beside it. " * 15
    assert "Rome" not in masked(pasted)
    personal = "I went to the market and my sister bought me a hat in Rome. " * 15
    assert "Rome" in masked(personal)


def test_a_single_quoted_word_stays() -> None:
    """One quoted word is emphasis, not quotation."""
    assert FILLER not in masked('My "home" is here')


def test_sentences_know_abbreviations_and_offsets() -> None:
    """A stop after a title ends nothing; each sentence is the text between its offsets."""
    text = "I saw Dr. Weber. He was kind!  Was it 3.5 km? Yes"
    found = sentences(text, PACK.abbreviations)
    assert [s.text for s in found] == ["I saw Dr. Weber", "He was kind", "Was it 3.5 km", "Yes"]
    assert [s.terminator for s in found] == [".", "!", "?", ""]
    assert all(text[s.start : s.end] == s.text for s in found)


@pytest.mark.parametrize("piece", ["\t", "http://a.b/c?", "a-", "a.b.", "x@", "((", '"', "- ", "1. "])
def test_a_long_line_of_anything_keeps_its_length(piece: str) -> None:
    """Offsets stay true; what made the patterns look again and again (20 seconds of tabs) is read at once."""
    text = (piece * 20_000)[:20_000]
    assert len(masked(text)) == len(text)
