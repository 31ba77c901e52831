"""From text to index terms: words, stems of the text's own language, character bigrams where words have no spaces.

Stemming in the wrong language is about as good as none (measured on LoCoMo), so a stem is made by the language of
the text and a question is stemmed by its own language *and* by those that the index holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

import Stemmer
from selfimprint.engine.kin import kin_words
from selfimprint.engine.recall.languages import language_data

UNDETERMINED = "und"

STEMMERS: dict[str, str] = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish", "nl": "dutch",
    "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german",
    "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "es": "spanish", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Snowball algorithm per ISO 639-1 code; an algorithm that the installed PyStemmer lacks counts as none."""

_MAX_TERM_CHARS = 64
_MAX_TOKENS = 20_000
_UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # kana, Han
    "\uac00-\ud7af\U00020000-\U0003134f"  # Hangul, rare Han
)
# A combining mark is no \w, yet Thai and Indic vowels are marks: they join the word they stand in.
_MARKS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0b82\u0bbe-\u0bcd"
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_WORD = re.compile(f"[{_UNSPACED}]+|(?:[^\\W_{_UNSPACED}]|[{_MARKS}])+(?:['’ʼ][^\\W_{_UNSPACED}]+)*")
_DIGIT_GROUP = re.compile(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))")
_APOSTROPHE = re.compile("['’ʼ]")
_CLITICS = frozenset("s t d ll re ve m n l j c qu jusqu lorsqu puisqu quoiqu".split())
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_UKRAINIAN = re.compile("[іїєґ]")


@cache
def _stemmer(language: str) -> Stemmer.Stemmer | None:
    name = STEMMERS.get(language)
    if name is None or name not in Stemmer.algorithms():
        return None
    return Stemmer.Stemmer(name)


def _fold_latin_marks(term: str) -> str:
    """Drop the accents of Latin letters and the dots of ё, so that a question typed without them still matches."""
    if term.isascii():
        return term
    kept: list[str] = []
    base = ""
    for char in unicodedata.normalize("NFKD", term):
        if unicodedata.combining(char):
            if (base.isascii() and base.isalpha()) or base in "еЕ":
                continue
        else:
            base = char
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


@lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """The index term of a casefolded word in a language; without a stemmer the word itself, accents folded."""
    stemmer = _stemmer(language)
    return _fold_latin_marks(stemmer.stemWord(word) if stemmer is not None else word)[:_MAX_TERM_CHARS]


def guess_language(text: str) -> str:
    """A language where the script alone tells one that has a stemmer (Cyrillic that is not Ukrainian: "ru"), else
    "und".
    """
    if _CYRILLIC.search(text) and not _UKRAINIAN.search(text.casefold()):
        return "ru"
    return UNDETERMINED


def resolve_language(text: str, language: str) -> str:
    """The declared language, lower-cased to its first subtag, or a guess where none was declared."""
    code = language.replace("_", "-").split("-")[0].casefold()
    return guess_language(text) if code in ("", UNDETERMINED) else code


def words(text: str) -> list[str]:
    """Casefolded words in order, clitics cut off, unspaced scripts as character bigrams; at most 20,000."""
    text = _DIGIT_GROUP.sub("", unicodedata.normalize("NFC", text).casefold())
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isalnum() and word.isascii():
            found.append(word)
        elif _UNSPACED_RUN.fullmatch(word):
            found.extend([word] if len(word) == 1 else (word[i : i + 2] for i in range(len(word) - 1)))
        elif _APOSTROPHE.search(word):
            parts = _APOSTROPHE.split(word)
            found.extend(part for part in parts if part and part not in _CLITICS)
        else:
            found.append(word)
        if len(found) >= _MAX_TOKENS:
            break
    return found[:_MAX_TOKENS]


def is_stopword(word: str, language: str) -> bool:
    """Whether a casefolded word carries no content in its language; languages without a list have none."""
    data = language_data(language)
    return data is not None and word in data.stopwords


def terms(text: str, language: str) -> list[str]:
    """The index terms of a text, stop words left out, repeats kept."""
    code = resolve_language(text, language)
    data = language_data(code)
    stopwords = data.stopwords if data is not None else frozenset[str]()
    return [stem(word, code) for word in words(text) if word not in stopwords]


def query_terms(text: str, language: str, index_languages: Iterable[str] = ()) -> list[tuple[str, ...]]:
    """The content words of a question, each as the distinct terms it may be indexed under, the best guess first.

    A question of stop words alone keeps them: a poor question is better than an empty one. A word for a relation
    ("mother") is as good as the others for it ("mum", "мама").
    """
    code = resolve_language(text, language)
    found = words(text)
    content = [word for word in found if not is_stopword(word, code)] or found
    codes = list(dict.fromkeys((code, *index_languages, UNDETERMINED)))
    return [
        tuple(dict.fromkeys(stem(form, each) for form in (word, *kin_words(word)) for each in codes))
        for word in dict.fromkeys(content)
    ]
