"""What a question asks for and what a turn holds, told by the words of six languages (data/*.toml).

A text of another language falls back to digits and to the cues of English; nothing here needs a model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from selfimprint.engine.recall.dates import DAY_US, DateCue, date_cue
from selfimprint.engine.recall.items import SELF
from selfimprint.engine.recall.languages import LanguageData, language_data

__all__ = ["DAY_US", "DateCue", "QuestionCues", "TurnFeatures", "question_cues", "turn_features"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？؟])\s+|\n+")
_QUESTION_MARK = re.compile("[?？؟]")
_MAX_QUESTION_CHARS = 4_000
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCues:
    """What one question asks for. `named` are the people of the profile that it names, as the caller spelled them."""

    named: tuple[str, ...] = ()
    wants_time: bool = False
    wants_number: bool = False
    wants_reason: bool = False
    wants_place: bool = False
    wants_person: bool = False
    asks_assistant: bool = False
    about_past: bool = False
    dates: tuple[DateCue, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFeatures:
    """What one turn holds, as far as a question could ask for it.

    `about_self`: it speaks of its speaker; `about_listener`: it speaks of the listener more than of the speaker.
    """

    has_time: bool
    has_number: bool
    has_question: bool
    only_question: bool
    about_self: bool
    about_listener: bool
    words: int


def _data(language: str) -> LanguageData:
    data = language_data(language) or language_data("en")
    assert data is not None  # English ships with the package
    return data


def _bare(token: str) -> str:
    """A word without what follows its apostrophe: "i'm" is "i"."""
    return token if token.isalnum() else re.split("['’]", token)[0]


@cache
def _phrases(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(re.escape(p) for p in longest_first) + r")(?!\w)")


def _named(text: str, language: str, people: tuple[str, ...]) -> tuple[str, ...]:
    """The people whose name, or a word of it with a capital, stands in the text; the owner where "I" or "me" does."""
    data = _data(language)
    folded = text.casefold()
    tokens = set(_WORD.findall(folded))
    spoken = set(_WORD.findall(_phrases(data.addressing).sub(" ", folded)))  # "tell me" asks about nobody
    bare = {_bare(token) for token in tokens}
    found: list[str] = []
    for person in people:
        if person == SELF:
            if {_bare(token) for token in spoken} & data.first_person:
                found.append(person)
            continue
        name = person.casefold().strip()
        said = name and name in folded and re.search(r"(?<!\w)" + re.escape(name) + r"(?:['’]?s)?(?!\w)", folded)
        if said or _inflected(name, bare):
            found.append(person)
    return tuple(found)


_MIN_INFLECTED_CHARS = 4
_MAX_ENDING_CHARS = 3


def _inflected(name: str, tokens: set[str]) -> bool:
    """Whether a name of one word stands there with a case ending (Russian "Анна, Анны", Estonian "Mart, Mardile")."""
    if " " in name or len(name) < _MIN_INFLECTED_CHARS:
        return False
    root = name[:-1] if name[-1] in "аяaей" else name
    if len(root) < _MIN_INFLECTED_CHARS - 1 or (name.isascii() and root == name):
        return False
    return any(token.startswith(root) and len(token) - len(root) <= _MAX_ENDING_CHARS for token in tokens)


def question_cues(text: str, language: str, *, asked_at_us: int, people: tuple[str, ...] = ()) -> QuestionCues:
    """Read the cues of a question; `people` are the display names that the index knows, "self" for the owner."""
    data = _data(language)
    text = text[:_MAX_QUESTION_CHARS]
    folded = " ".join(text.casefold().split())

    def asks(phrases: tuple[str, ...]) -> bool:
        return bool(phrases) and _phrases(phrases).search(folded) is not None

    return QuestionCues(
        named=_named(text, language, people),
        wants_time=asks(data.when),
        wants_number=asks(data.number),
        wants_reason=asks(data.reason),
        wants_place=asks(data.place),
        wants_person=asks(data.person),
        asks_assistant=asks(data.assistant),
        about_past=asks(data.past),
        dates=date_cue(folded, data, asked_at_us=asked_at_us),
    )


def turn_features(text: str, language: str) -> TurnFeatures:
    """Read what a turn holds."""
    data = _data(language)
    folded = text.casefold()
    tokens = _WORD.findall(folded)
    distinct = set(tokens)
    bare = [_bare(token) for token in tokens]
    has_digits = _DIGITS.search(folded) is not None
    sentences = [s for s in _SENTENCE_END.split(text.strip()) if _WORD.search(s)]
    asking = [_QUESTION_MARK.search(s) is not None for s in sentences]
    first = sum(token in data.first_person for token in bare)
    second = sum(token in data.second_person for token in bare)
    return TurnFeatures(
        has_time=bool(distinct & data.time_words or distinct & data.plain_months or distinct & data.weekdays.keys()),
        has_number=has_digits or bool(distinct & data.number_words),
        has_question=any(asking),
        only_question=bool(asking) and all(asking),
        about_self=first > 0,
        about_listener=second > first,
        words=len(tokens),
    )
