"""The wording of one language, read once from this package's data."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "ru", "et", "es", "fr")
FALLBACK = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A relative expression: a fixed `shift`, or a counted one whose direction is `sign`."""

    unit: str
    shift: int = 0
    sign: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """All relative expressions of a language in one pattern; group `r<i>` belongs to `rules[i]`."""

    pattern: re.Pattern[str]
    anchors: tuple[str, ...]  # case-folded; where none of them stands, the pattern finds nothing
    rules: tuple[Rule, ...]
    weekdays: Mapping[str, int]
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """How a slot is said: `now` after the subject's name, `not_now` when denied, `label` before a former value, `bare`
    where the value says only what somebody is to the subject ("wife")."""

    now: str
    not_now: str
    label: str
    bare: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Everything a language needs; templates use `str.format` fields named in the data files."""

    language: str
    quotes: Mapping[str, str]
    dates: Mapping[str, Any]
    said: Mapping[str, str]
    frames: Mapping[str, Any]
    slots: Mapping[str, Slot]
    small_talk: frozenset[str]
    asking: frozenset[str]  # words of a question that say nothing about its topic
    everything: frozenset[str]  # words of a question for all that is known of its asker ("What do you know about me?")
    relative: Relative
    nouns_capitalised: bool


def known(language: str) -> str:
    """The language itself when there is wording for it (region tags are ignored), else English."""
    base = language.replace("_", "-").split("-")[0].casefold()
    return base if base in LANGUAGES else FALLBACK


def wording(language: str) -> Wording:
    """The wording for a language tag; unknown languages are worded in English."""
    return _load(known(language))


@lru_cache(maxsize=len(LANGUAGES))
def _load(language: str) -> Wording:
    source = files("selfimprint.engine.context.data").joinpath(f"{language}.toml").read_text("utf-8")
    data = tomllib.loads(source)
    return Wording(
        language=language,
        quotes=data["quotes"],
        dates=data["dates"],
        said=data["said"],
        frames=data["frames"],
        slots={
            name: Slot(
                now=slot["now"], not_now=slot.get("not", ""), label=slot["label"], bare=slot.get("bare", slot["now"])
            )
            for name, slot in data["slots"].items()
        },
        small_talk=frozenset(data["small_talk"]["words"].split()),
        asking=frozenset(data["small_talk"]["asking"].split()),
        everything=frozenset(data["small_talk"]["everything"].split()),
        relative=_relative(data["relative"]),
        nouns_capitalised=bool(data["said"].get("nouns_capitalised", False)),
    )


def _relative(data: Mapping[str, Any]) -> Relative:
    def longest_first(names: Mapping[str, int]) -> str:
        return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))

    weekdays, numbers = data["weekdays"], data["numbers"]
    branches, rules = [], []
    for index, rule in enumerate(data["rules"]):
        body = rule["pattern"].replace("{n}", rf"(?P<n{index}>\d{{1,3}}|{longest_first(numbers)})")
        body = body.replace("{weekday}", rf"(?P<w{index}>{longest_first(weekdays)})")
        branches.append(rf"(?P<r{index}>{body})")
        rules.append(Rule(unit=rule["unit"], shift=rule.get("shift", 0), sign=rule.get("sign", 0)))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(branches)})(?!\w)", re.IGNORECASE)
    anchors = tuple(name.casefold() for name in (*data["anchors"].split(), *weekdays))
    return Relative(pattern=pattern, anchors=anchors, rules=tuple(rules), weekdays=weekdays, numbers=numbers)
