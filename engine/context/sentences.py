"""Sentences, and which of them say nothing: greetings, thanks and praise, in six languages."""

import re
from collections.abc import Iterable
from functools import lru_cache

from selfimprint.engine.context.wording import wording

_ABBREVIATIONS = (
    "mr mrs ms dr prof st vs etc e.g i.e z.b bzw usw ca nr str т.е т.д т.п г ул им nt jne lk sr sra ud uds m mme p.ex"
).split()
_END = re.compile(r"[.!?…。！？]+[\"'”“»’)\]]*(?=\s|$)|(?<=[。！？])|[\r\n]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LIST_MARK = re.compile(r"^[ \t]*(?:[-*•#>]+|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)")


@lru_cache(maxsize=16384)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences in order, without surrounding blanks, list or emphasis marks; abbreviations do not end one."""
    found: list[str] = []
    start = 0
    text = _LIST_MARK.sub("", text)
    for match in _END.finditer(text):
        head = text[start : match.start()]
        if match.group().startswith(".") and _ends_in_abbreviation(head):
            continue
        found.append(text[start : match.end()])
        start = match.end()
    found.append(text[start:])
    bare = (_EMPHASIS.sub("", piece).strip() for piece in found)
    return tuple(piece for piece in bare if any(map(str.isalnum, piece)))


def _ends_in_abbreviation(head: str) -> bool:
    last = head.rsplit(None, 1)[-1].casefold() if head.strip() else ""
    return last.lstrip("(„“«\"'") in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and head[-1].isupper())


@lru_cache(maxsize=16384)
def is_small_talk(sentence: str, language: str, names: frozenset[str], most_words: int) -> bool:
    """Whether a short sentence consists of nothing but greeting, thanks, praise and `names` (case-folded)."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(sentence)]
    if len(words) > most_words or re.search(r"\d", sentence):
        return False
    ordinary = wording(language).small_talk
    return all(word in ordinary or word in names or _nickname(word, names) for word in words)


def _nickname(word: str, names: Iterable[str]) -> bool:
    return len(word) >= 3 and any(name.startswith(word) for name in names)
