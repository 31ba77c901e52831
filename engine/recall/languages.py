"""The language data of this package, read once per language and kept."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

CUE_LANGUAGES: tuple[str, ...] = ("en", "de", "fr", "es", "ru", "et")
"""The languages with stop words and question cues of their own (ISO 639-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelativeTime:
    """A phrase such as "last week": `offset` units from the instant of asking."""

    phrase: str
    unit: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgoPattern:
    """A regular expression with `{n}` where the count stands, as in "{n} days? ago"."""

    pattern: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageData:
    """Everything that this package knows of one language, casefolded."""

    code: str
    stopwords: frozenset[str]
    months: dict[str, int]
    plain_months: frozenset[str]
    ambiguous_months: frozenset[str]
    month_leads: frozenset[str]
    weekdays: dict[str, int]
    seasons: dict[str, int]
    ambiguous_seasons: frozenset[str]
    last: frozenset[str]
    this: frozenset[str]
    when: tuple[str, ...]
    number: tuple[str, ...]
    reason: tuple[str, ...]
    place: tuple[str, ...]
    person: tuple[str, ...]
    assistant: tuple[str, ...]
    addressing: tuple[str, ...]
    past: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    time_words: frozenset[str]
    number_words: frozenset[str]
    first_person: frozenset[str]
    second_person: frozenset[str]
    relative: tuple[RelativeTime, ...]
    ago: tuple[AgoPattern, ...]
    small_numbers: dict[str, int]


def _folded(words: list[str]) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words)


@cache
def language_data(code: str) -> LanguageData | None:
    """The data of a language, or None where the package has none."""
    if code not in CUE_LANGUAGES:
        return None
    text = resources.files("selfimprint.engine.recall.data").joinpath(f"{code}.toml").read_text(encoding="utf-8")
    raw: dict[str, Any] = tomllib.loads(text)
    return LanguageData(
        code=code,
        stopwords=frozenset(raw["stopwords"].casefold().split()),
        months={name.casefold(): number for number, names in enumerate(raw["months"], start=1) for name in names},
        plain_months=frozenset(_folded([name for names in raw["months"] for name in names]))
        - set(_folded(raw["ambiguous_months"])),
        ambiguous_months=frozenset(_folded(raw["ambiguous_months"])),
        month_leads=frozenset(_folded(raw["month_leads"])),
        weekdays={name.casefold(): number for number, names in enumerate(raw["weekdays"]) for name in names},
        seasons={name.casefold(): first for name, first in raw["seasons"].items()},
        ambiguous_seasons=frozenset(_folded(raw.get("ambiguous_seasons", []))),
        last=frozenset(_folded(raw["last"])),
        this=frozenset(_folded(raw["this"])),
        when=_folded(raw["when"]),
        number=_folded(raw["number"]),
        reason=_folded(raw["reason"]),
        place=_folded(raw["place"]),
        person=_folded(raw["person"]),
        assistant=_folded(raw["assistant"]),
        addressing=_folded(raw["addressing"]),
        past=_folded(raw["past"]),
        before=_folded(raw["before"]),
        after=_folded(raw["after"]),
        time_words=frozenset(_folded(raw["time_words"])),
        number_words=frozenset(_folded(raw["number_words"])),
        first_person=frozenset(_folded(raw["first_person"])),
        second_person=frozenset(_folded(raw["second_person"])),
        relative=tuple(
            RelativeTime(phrase=r["phrase"].casefold(), unit=r["unit"], offset=r["offset"]) for r in raw["relative"]
        ),
        ago=tuple(AgoPattern(pattern=a["pattern"], unit=a["unit"]) for a in raw["ago"]),
        small_numbers={name.casefold(): number for name, number in raw["small_numbers"].items()},
    )


@cache
def known_languages() -> tuple[LanguageData, ...]:
    """The data of every language of `CUE_LANGUAGES`, in that order."""
    return tuple(data for code in CUE_LANGUAGES if (data := language_data(code)) is not None)
