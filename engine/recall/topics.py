"""What somebody's present state a question asks for, so that of two turns about it the newer one can stand first.

"Where do I live?" is answered by the last turn about living somewhere, also where no rule has read a fact from it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")
_FALLBACK = "en"
_LONGEST = 2_000
"""Characters of a text that are looked at."""


TOPIC_OF_SLOT = {
    "home": "home", "employer": "work", "role": "work", "partner": "partner", "marital_status": "partner", "age": "age",
    "birthday": "age", "pet": "pet", "vehicle": "vehicle", "diet": "diet", "school": "school",
    "field_of_study": "school", "allergy": "allergy", "habit": "habit", "plan": "plan",
}  # fmt: skip
"""What topic a fact in a slot belongs to."""


class Placed(NamedTuple):
    """One entry of a ranking: key, score, topics and when it was said (microseconds UTC; None: it is nobody's
    word about themselves, and keeps its place)."""

    key: str
    score: float
    topics: frozenset[str]
    at_us: int | None


@cache
def _words_of_topics() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("selfimprint.engine.recall.data").joinpath("topics.toml").read_text("utf-8"))


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The topics of a language, each with a pattern of its words; none for an unknown one."""
    return tuple((topic, _pattern(words[language])) for topic, words in _words_of_topics().items() if language in words)


def _pattern(words: str) -> re.Pattern[str]:
    parts = [re.escape(w[:-1]) + r"\w*" if w.endswith("*") else re.escape(w) for w in words.split()]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")


@lru_cache(maxsize=4096)
def topics(text: str, language: str) -> frozenset[str]:
    """The topics that a text speaks of by its words; by the English ones for a language without any."""
    folded = text[:_LONGEST].casefold()
    patterns = _patterns(language) or _patterns(_FALLBACK)
    return frozenset(topic for topic, pattern in patterns if pattern.search(folded))


def newer_of_topic_first(entries: Sequence[Placed], asked: frozenset[str], pull: float) -> list[str]:
    """The keys ranked anew: the entries of the asked topics gain up to `pull` by how late they were said."""
    about = {e.key: e.at_us for e in entries if e.at_us is not None and asked & e.topics}
    by_age = sorted(set(about.values()))
    step = pull / max(1, len(by_age) - 1)
    gained = {key: step * by_age.index(at) for key, at in about.items()}
    order = sorted(range(len(entries)), key=lambda i: (-(entries[i].score + gained.get(entries[i].key, 0.0)), i))
    return [entries[i].key for i in order]
