"""What somebody is to somebody, in whatever word and language: "mum", "mother", "мама" and "ema" are one."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_OF_SOMEBODY = "of_somebody"


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(files("selfimprint.engine.recall.data").joinpath("kin.toml").read_text("utf-8"))


@cache
def _rows() -> dict[str, list[list[str]]]:
    """Each concept's words, each with its cases behind it."""
    lists = ((concept, words) for concept, words in _tables().items() if concept != _OF_SOMEBODY)
    return {concept: [word.split("/") for word in words.split()] for concept, words in lists}


@cache
def _concepts() -> dict[str, tuple[str, ...]]:
    return {concept: tuple(form for forms in rows for form in forms) for concept, rows in _rows().items()}


@cache
def _base_of() -> dict[str, str]:
    return {form: forms[0] for rows in _rows().values() for forms in rows for form in forms[1:]}


@cache
def _concept_of() -> dict[str, str]:
    found: dict[str, str] = {}
    possessed = {concept: tuple(words.split()) for concept, words in _tables()[_OF_SOMEBODY].items()}
    for concept, words in (*_concepts().items(), *possessed.items()):
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
    words = _concepts().get(_concept_of().get(folded, ""), ())
    return tuple(other for other in words if other != folded) if folded in words else ()


def kin_base(word: str) -> str:
    """A relation in its dictionary form where it stands in a case ("маме", "emale"); other words as they are."""
    return _base_of().get(word.casefold(), word)
