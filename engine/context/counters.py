"""Named token counters; a loaded model's own joins by name: `{**COUNTERS, "model": count}`.

`estimate` stands in for a tokenizer that is not at hand.  It must not undercount o200k, cl100k, Llama 3, Gemma 3 or
Qwen 3 on prose in any language, on code or on emoji.  Its bounds were set against those five: a listed word is one
token behind a blank in all of them; for other words the mean of the dearest tokenizer at each length, rounded up;
digits one each, as Gemma and Qwen take them; scripts not measured cost their UTF-8 bytes, which no byte-level
vocabulary exceeds.
"""

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

TokenCounter = Callable[[str], int]

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
_LETTERS_PER_TOKEN = 2.4
_LETTERS_PER_TOKEN_ACCENTED = 2.5
_FIRST_TOKENS_ACCENTED = 2  # words with accents or in Cyrillic are cut once more
_RANDOM_LETTERS_PER_TOKEN = 1.1  # keys, hashes, shouted or vowel-less words
_LEAST_VOWELS = 0.2
_FEW_LETTERS = 2
_DOUBLED = re.compile(r"([aiuäöõü])\1|õ", re.IGNORECASE)  # Estonian and Finnish are cut into shorter pieces
_VOWELS = frozenset("aeiouyAEIOUY")
_TOKENS_PER_CHARACTER = (
    ("\u0370-\u03ff", 1.2),  # Greek
    ("\u0600-\u06ff", 1.3),  # Arabic
    ("\u0900-\u097f", 1.6),  # Devanagari
    ("\u3040-\u30ff", 1.2),  # kana
    ("\u3400-\u9fff", 1.45),  # Chinese characters
    ("\uac00-\ud7a3", 1.65),  # Hangul
    ("\u3000-\u303f\uff01-\uff60", 1.0),  # their marks
    ("“”‘’«»…–—", 1.0),
)
_WORDS = "[A-Za-zÀ-ɏ]+|[Ѐ-ӿ]+"
_RUNS = "|".join(f"[{characters}]+" for characters, _ in _TOKENS_PER_CHARACTER)
_PIECE = re.compile(rf"{_WORDS}|{_RUNS}|\d| (?=\d)|[^\S ]| {{2,}}|\S")
_LATIN_OR_CYRILLIC = re.compile(_WORDS)
_RATES = tuple((re.compile(f"[{characters}]"), rate) for characters, rate in _TOKENS_PER_CHARACTER)


@lru_cache(maxsize=65536)
def words(text: str) -> int:
    """Words and punctuation marks, as the project's context benchmark counts them."""
    return len(_WORD_OR_MARK.findall(text))


@lru_cache(maxsize=65536)
def estimate(text: str) -> int:
    """At least as many tokens as the common tokenizers take; a fifth more on English prose."""
    return sum(map(_piece, _PIECE.findall(text)))


@lru_cache(maxsize=65536)
def _piece(piece: str) -> int:
    length = len(piece)
    if piece.isspace() or (length == 1 and piece.isascii()):
        return 1
    if _LATIN_OR_CYRILLIC.match(piece):
        return _word(piece, length)
    rate = next((rate for characters, rate in _RATES if characters.match(piece)), 0.0)
    return math.ceil(rate * length) if rate else len(piece.encode("utf-8", "replace"))


def _word(word: str, length: int) -> int:
    inner = word[1:]
    uniform = inner == inner.lower()
    if uniform and word.lower() in _single_tokens():
        return 1
    if length <= _FEW_LETTERS:
        return length
    doubled = bool(_DOUBLED.search(word))
    if not word.isascii():
        return _FIRST_TOKENS_ACCENTED + int((length - 1) / _LETTERS_PER_TOKEN_ACCENTED) + doubled
    if uniform and sum(map(_VOWELS.__contains__, word)) >= _LEAST_VOWELS * length:
        return 1 + int((length - 1) / _LETTERS_PER_TOKEN) + doubled
    return math.ceil(length / _RANDOM_LETTERS_PER_TOKEN)


@lru_cache(maxsize=1)
def _single_tokens() -> frozenset[str]:
    return frozenset(files("selfimprint.engine.context.data").joinpath("single_tokens.txt").read_text("utf-8").split())


COUNTERS: Mapping[str, TokenCounter] = MappingProxyType({"estimate": estimate, "words": words})
