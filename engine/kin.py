"""What somebody is to somebody, in whatever word and language: "mum", "mother", "мама" and "ema" are one."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files


@cache
def _concepts() -> dict[str, tuple[str, ...]]:
    source = files("selfimprint.engine.recall.data").joinpath("kin.toml").read_text("utf-8")
    return {concept: tuple(words.split()) for concept, words in tomllib.loads(source).items()}


@cache
def _concept_of() -> dict[str, str]:
    found: dict[str, str] = {}
    for concept, words in _concepts().items():
        for word in words:
            found.setdefault(word, concept)
    return found


@lru_cache(maxsize=4096)
def kin_key(word: str) -> str:
    """A relation, comparable: its concept where it has one, else the word case folded."""
    folded = " ".join(word.casefold().split())
    return _concept_of().get(folded, folded)


def kin_words(word: str) -> tuple[str, ...]:
    """The other words for the same relation; none for a word that is no relation."""
    folded = word.casefold()
    return tuple(other for other in _concepts().get(_concept_of().get(folded, ""), ()) if other != folded)
