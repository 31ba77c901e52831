from __future__ import annotations

import pytest
from selfimprint.engine.extraction.language import UNDETERMINED, identify, profile_scores


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I have been living here since the summer and I like it", "en"),
        ("Ich habe gestern mit meiner Schwester telefoniert und sie ist krank", "de"),
        ("Вчера я была у врача, и он сказал, что всё хорошо", "ru"),
        ("Ma elan Tartus ja töötan koolis, aga mul on igav", "et"),
        ("Vivo en Madrid con mi hermana y trabajo en un hospital", "es"),
        ("Je travaille à Lyon depuis deux ans et je suis très contente", "fr"),
        ("Ho lavorato tutta la settimana e adesso sono molto stanco", "it"),
    ],
)
def test_sentences_are_identified(text: str, language: str) -> None:
    """An ordinary sentence is told without a hint, also in a language without a profile."""
    assert identify(text) == language


def test_short_text_keeps_the_hint() -> None:
    """One word cannot overrule the conversation's language; a clear sentence can."""
    assert identify("ok", hint="de") == "de"
    assert identify("Riga", hint="et-EE") == "et"
    assert identify("I have been living here since the summer", hint="de") == "en"


def test_nothing_is_undetermined() -> None:
    """Without letters and hint there is no language."""
    assert identify("") == UNDETERMINED == identify("123 !!!")
    assert profile_scores("42") == {}


def test_code_does_not_decide() -> None:
    """A code block's English keywords do not make a German message English."""
    assert identify("Kannst du das bitte mal für mich ansehen?\n```\nfor the and if is not in this\n```") == "de"


@pytest.mark.parametrize(
    ("text", "hint", "language"),
    [
        ("Мне 34", "en", "ru"),
        ("я дома", "de", "ru"),
        ("I'm home", "ru", "en"),
        ("ok", "ru", "ru"),
        ("спасибо", "ru", "ru"),
    ],
)
def test_a_hint_in_another_script_does_not_count(text: str, hint: str, language: str) -> None:
    """Who changes to Russian writes no English in Cyrillic, however short; a single "ok" is any language."""
    assert identify(text, hint=hint) == language
