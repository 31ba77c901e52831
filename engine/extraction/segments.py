"""What in a message is the speaker's own prose: masks code, quotes, logs, URLs and pasted documents; finds sentences.

Masking replaces characters one for one, so every offset in the masked text is an offset in the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from selfimprint.engine.extraction.packs.model import Pack
from selfimprint.engine.extraction.settings import ExtractionSettings

FILLER = "\x1f"
"""Stands for each masked character: no pattern of a pack matches across it."""

_FENCE = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_QUOTE_LINE = re.compile(r"^[ \t]*(?:>|\|)\s?.*$", re.MULTILINE)
_QUOTED = re.compile(r"“[^”]*”|„[^“”\"]*[“”\"]|«[^»]*»|»[^«]*«|\"[^\"\n]*\"|(?<!\w)'[^'\n]{12,}'(?!\w)")
_URL = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,190}|(?<![\w/])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)+"
)
_HEADER = re.compile(
    r"^(?:from|to|cc|subject|sent|date|von|an|betreff|gesendet|от|кому|тема|saatja|teema|de|para|asunto|à|objet|"
    r"reply-to|begin forwarded message|-+ ?(?:original|forwarded) message.*)\s?:.*$",
    re.IGNORECASE | re.MULTILINE,
)
_LOG_LINE = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:\[)?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b"
    r"|Traceback \(|\s*File \"|\s+at [\w.$]+\(|[\w.]+(?:Error|Exception)\b:|\$ |#!|[-+]{3} |@@ )"
)
_CODE_LINE = re.compile(
    r"^\s*(?:(?:def|class|import|from|return|const|let|var|function|public|private|static|#include|package|SELECT|INSERT"
    r"|UPDATE|DELETE|CREATE)\b.*[(){};:=*]|[\w.\[\]\"'-]+\s*(?:=|:=|\+=|=>)\s*\S.*|[{}\[\]();,]+\s*$|.*[;{]\s*$"
    r"|\s*\"?[\w-]+\"?\s*:\s*(?:[\"\[{\d]|true|false|null).*|</?\w+[^>]*>.*|[\w-]+:\s*$|\s*//.*|\s*#\s*\w+.*)",
)
_PROBE_CHARS = 200
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”)\]]*(?=\s|$)|\n+|[。！？]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """`text` is the masked text from `start` to `end`; `terminator` its closing marks; `paragraph` counts from 0."""

    start: int
    end: int
    text: str
    terminator: str
    paragraph: int


def _blank(text: str, start: int, end: int) -> str:
    filled = "".join(c if c == "\n" else FILLER for c in text[start:end])
    return text[:start] + filled + text[end:]


def _mask_all(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda m: "".join(c if c == "\n" else FILLER for c in m[0]), text)


def _mask_quotes(text: str, min_words: int) -> str:
    def one(match: re.Match[str]) -> str:
        words = len(_WORD.findall(match[0]))
        return FILLER * len(match[0]) if words >= min_words else match[0]

    return _QUOTED.sub(one, text)


def _is_technical(line: str) -> bool:
    """By how a line begins and ends: what lies between in a very long one is not looked at."""
    probe = line.strip()
    if len(probe) > 2 * _PROBE_CHARS:
        probe = f"{probe[:_PROBE_CHARS]} {probe[-_PROBE_CHARS:]}"
    return bool(_LOG_LINE.match(probe) or _CODE_LINE.match(probe))


def _mask_lines(text: str, share: float) -> str:
    """Log and code lines go when they are a block (two or more together) or most of the message."""
    lines = text.split("\n")
    technical = [_is_technical(line) for line in lines]
    filled = sum(1 for line in lines if line.strip())
    mostly = filled > 1 and sum(technical) >= share * filled
    for i, line in enumerate(lines):
        beside = (i > 0 and technical[i - 1]) or (i + 1 < len(lines) and technical[i + 1])
        if technical[i] and (beside or mostly or _LOG_LINE.match(line)):
            lines[i] = FILLER * len(line)
    return "\n".join(lines)


def _mask_documents(text: str, pack: Pack | None, settings: ExtractionSettings) -> str:
    header = _HEADER.search(text)
    if header and len(_HEADER.findall(text)) >= 2:
        text = _blank(text, header.start(), len(text))
    if len(_WORD.findall(text)) < settings.document_min_words:
        return text
    for match in list(re.finditer(r"[^\n]+", text)):
        words = len(_WORD.findall(match[0]))
        if words < settings.document_paragraph_words:
            continue
        own = len(pack.first_person.finditer(match[0])) if pack else 0
        if own <= settings.document_max_first_person_share * words:
            text = _blank(text, match.start(), match.end())
    return text


def mask(text: str, pack: Pack | None, settings: ExtractionSettings) -> str:
    """The text with everything that is not the speaker's own prose replaced by `FILLER`, same length."""
    masked = text[: settings.message_max_chars].replace("’", "'").replace("ʼ", "'").replace("\u00a0", " ")
    masked = masked.replace("\r", " ").replace("\t", " ")
    if pack and pack.normalize:
        masked = masked.translate(pack.normalize)
    if "```" in masked or "~~~" in masked:
        masked = _mask_all(_FENCE, masked)
    if "`" in masked:
        masked = _mask_all(_INLINE_CODE, masked)
    masked = _mask_all(_QUOTE_LINE, masked)
    masked = _mask_quotes(masked, settings.quote_min_words)
    masked = _mask_all(_URL, masked)
    if "\n" in masked or len(masked) > settings.clause_max_chars:
        masked = _mask_documents(_mask_lines(masked, settings.log_line_share), pack, settings)
    elif _LOG_LINE.match(masked):
        masked = FILLER * len(masked)
    return masked


def sentences(masked: str, abbreviations: frozenset[str]) -> tuple[Sentence, ...]:
    """The sentences of a masked text with exact offsets; a stop after an abbreviation, initial or number ends none."""
    found: list[Sentence] = []
    start, paragraph = 0, 0

    def add(end: int, terminator: str) -> None:
        raw = masked[start:end]
        left = len(raw) - len(raw.lstrip(" \n-*•" + FILLER))
        body = raw.strip(" \n" + FILLER)
        if _WORD.search(body):
            begin = start + left
            stop = max(begin, start + len(raw.rstrip(" \n" + FILLER)))
            found.append(
                Sentence(start=begin, end=stop, text=masked[begin:stop], terminator=terminator, paragraph=paragraph)
            )

    for match in _SENTENCE_END.finditer(masked):
        mark = match[0]
        if mark.startswith(".") and len(mark) == 1:
            before = masked[start : match.start()].rsplit(None, 1)
            last = before[-1].casefold() if before else ""
            after = masked[match.end() : match.end() + 2].strip()
            is_initial = len(last) == 1 and last.isalpha() and last != "i"
            is_number = last[-1:].isdigit() and (after[:1].islower() or after[:1].isdigit() or last.count(".") > 0)
            if last.rstrip(".") in abbreviations or is_initial or is_number:
                continue
        add(match.start(), mark)
        start = match.end()
        if "\n\n" in mark:
            paragraph += 1
    add(len(masked), "")
    return tuple(found)
