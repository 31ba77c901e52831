"""Which language a message is in: small profiles of function words, a statistical identifier where they are unsure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS, ExtractionSettings

UNDETERMINED = "und"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CYRILLIC_LANGUAGES = frozenset("ru uk be bg mk sr kk ky mn tg".split())
_RUSSIAN = re.compile(r"[а-яё]", re.IGNORECASE)
_UKRAINIAN = re.compile(r"[іїєґў]", re.IGNORECASE)
_PROVING_WORDS = 2
_STRIPPED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Profiles:
    """Function words and tell-tale letters by language."""

    words: Mapping[str, frozenset[str]]
    letters: Mapping[str, str]


@lru_cache(maxsize=1)
def profiles() -> Profiles:
    """The bundled profiles."""
    data = tomllib.loads(files("selfimprint.engine.extraction").joinpath("profiles.toml").read_text(encoding="utf-8"))
    return Profiles({k: frozenset(v.split("|")) for k, v in data["words"].items()}, data["letters"])


def profile_scores(text: str) -> dict[str, float]:
    """Per language the share of the text's words that are its function words, plus a tenth for a letter of its own."""
    known = profiles()
    words = [w.casefold() for w in _WORD.findall(text.replace("’", "'"))]
    if not words:
        return {}
    folded = text.casefold()
    return {
        language: sum(w in vocabulary for w in words) / len(words)
        + (0.1 if any(letter in folded for letter in known.letters.get(language, "")) else 0.0)
        for language, vocabulary in known.words.items()
    }


def identify(text: str, *, hint: str = "", settings: ExtractionSettings = DEFAULT_SETTINGS) -> str:
    """A two-letter code, or `und` when nothing can be said and there is no hint.

    The hint (the conversation's language so far) decides short text and breaks near ties, unless it is written in
    another script."""
    hint = hint.split("-")[0].casefold()
    hint = "" if hint == UNDETERMINED else hint
    prose = _STRIPPED.sub(" ", text)
    if not _may_be(hint, prose):
        hint = ""
    scores = profile_scores(prose)
    if hint in scores:
        scores[hint] += settings.hint_bonus
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    if len(ranked) > 1 and ranked[0][1] > 0 and ranked[0][1] - ranked[1][1] >= settings.language_margin:
        return ranked[0][0]
    if len(prose.strip()) < settings.language_min_chars or not _WORD.search(prose):
        return hint or (ranked[0][0] if ranked and ranked[0][1] > 0 else _of_letters(prose))
    if hint and scores.get(hint, 0.0) >= (ranked[0][1] if ranked else 0.0):
        return hint
    return _statistical(prose[:1000], ranked)


def _may_be(language: str, text: str) -> bool:
    """Whether the text's script is the language's. A single word proves nothing against it ("ok")."""
    cyrillic, words = len(_CYRILLIC.findall(text)), _WORD.findall(text)
    if language in _CYRILLIC_LANGUAGES:
        return cyrillic > 0 or len(words) < _PROVING_WORDS
    return cyrillic * 2 <= sum(map(len, words))


def _of_letters(text: str) -> str:
    return "ru" if _RUSSIAN.search(text) and not _UKRAINIAN.search(text) else UNDETERMINED


def _statistical(text: str, ranked: list[tuple[str, float]]) -> str:
    from py3langid import langid  # loads a model of some megabytes, so only when the profiles are unsure

    guess = str(langid.classify(text)[0])
    leading = [language for language, score in ranked if score > 0]
    # Of two close profiles the identifier decides; a guess outside them counts only where no profile matched well.
    if guess in leading or not leading or ranked[0][1] < 0.25:
        return guess
    return leading[0]
