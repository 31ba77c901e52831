"""Putting somebody's words between quotation marks so that they can neither end the quotation nor open a fence."""

import re
from functools import lru_cache

from selfimprint.engine.context.wording import wording

_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]+"
)
_BLANKS = re.compile(r"\s+")
_FENCE = re.compile(r"[`~]{2,}|[=\-_*#]{4,}")
_TAG = re.compile(r"<(?=[/!|?<\w])")
_TAG_END = re.compile(r"(?<=[/!|?>\w\"'])>")
_OPEN_BRACKET_MARK = re.compile(r"\[(?=/?[A-Z_]{3,}\])")  # [INST], [/SYSTEM]
_DOUBLE = re.compile('["“”„‟«»″〝〞〟「」『』＂]')
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u180b-\u180f]")
"""Of the unprintable ones those that Python's `isprintable` lets pass."""
_MARKS = ("  ", "<", ">", "[")


@lru_cache(maxsize=16384)
def harmless(text: str) -> str:
    """One line, no control or direction characters, no code fences, tags or prompt marks; words stay as they were."""
    if _is_plain(text):
        return text
    text = _BLANKS.sub(" ", _UNPRINTABLE.sub(" ", text)).strip()
    text = _FENCE.sub(lambda fence: "'" if fence.group()[0] in "`~" else fence.group()[:2], text)
    text = _TAG_END.sub("›", _TAG.sub("‹", text))
    return _OPEN_BRACKET_MARK.sub("(", text)


@lru_cache(maxsize=16384)
def inside_quotation(text: str, language: str) -> str:
    """`harmless` words whose own double quotation marks became the language's inner ones."""
    marks = wording(language).quotes
    opened = False

    def inner(match: re.Match[str]) -> str:
        nonlocal opened
        before = text_ready[match.start() - 1 : match.start()]
        opens = not opened and (not before or not before.isalnum())
        opened = opens
        return str(marks["inner_open"] if opens else marks["inner_close"])

    text_ready = harmless(text)
    return _DOUBLE.sub(inner, text_ready)


def quoted(text: str, language: str) -> str:
    """The words in the quotation marks of `language`."""
    marks = wording(language).quotes
    return f"{marks['open']}{inside_quotation(text, language)}{marks['close']}"


def _is_plain(text: str) -> bool:
    """Whether `harmless` would leave the text as it is, as most words are; a cheap look that may say no too often."""
    return (
        text.isprintable()
        and text == text.strip()
        and not any(mark in text for mark in _MARKS)
        and _FENCE.search(text) is None
        and _INVISIBLE.search(text) is None
    )
