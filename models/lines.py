"""The lines the heads learn from: one chat message each, labelled by hand, written for this project."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

TRAINING = Path(__file__).parent / "training"

TYPES = ("fact", "event", "emotional_note", "open_loop")
"""Values of the graph's NodeType that a single message can become; persons and hypotheses are never read off a line."""
NO_TYPE = "none"
ABOUTS = ("self", "other", "none")
MODALITIES = ("stated", "hypothetical", "reported", "question", "other")

_KEYS = frozenset({"t", "g", "w", "ty", "ab", "m", "v", "i"})
_FULL_STOPS = {"ja": "。", "zh": "。", "hi": "।"}
_QUESTION_MARKS = {"ja": "?", "zh": "?", "ar": "؟"}
_CLOSED = re.compile(r"[.!?…。।？！؟]$")
_CODE = re.compile(r"[{}\[\]<>=;|\\_`$\n]")
_BARE_ENGLISH_I = re.compile(r"\bi(?=$|[\s,.'’])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`group` is one author writing on one topic: lines of a group never stand on both sides of a split.

    `valence` runs from −1 to 1, `importance` from 0 to 1; `type` is "none" exactly when `worth` is false."""

    text: str
    group: str
    language: str
    worth: bool
    type: str
    about: str
    modality: str
    valence: float
    importance: float
    joined: bool = False
    """Put together from several lines of the group, as longer messages are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """How longer messages are put together from single lines."""

    seed: int = 11
    worth_share: float = 0.5
    """The part of the lines worth keeping that also appear within a longer message."""
    talk_share: float = 0.6
    """The same for short lines not worth keeping."""
    longest_talk: int = 70
    closed_share: float = 0.75
    """The part joined as whole sentences; the rest keep their typing, with `loose_mark` between."""
    loose_mark: str = ","


class BadLine(ValueError):
    """A training line that breaks the format; the message names the file and the line."""


def read_lines(folder: Path = TRAINING) -> list[Line]:
    """Every line of `<language>.jsonl` in the folder, in a fixed order; a line's own `l` outdoes the file's name.

    Raises BadLine for the first line that is malformed, mislabelled, or the same text as an earlier one."""
    lines: list[Line] = []
    seen: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not raw.strip():
                continue
            where = f"{path.name}:{number}"
            line = _line(raw, path.stem, where)
            if line.text in seen:
                raise BadLine(f"{where}: the same text as {seen[line.text]}")
            seen[line.text] = where
            lines.append(line)
    return lines


def _line(raw: str, language: str, where: str) -> Line:
    try:
        given: Any = json.loads(raw)
    except ValueError as error:
        raise BadLine(f"{where}: not JSON: {error}") from error
    if not isinstance(given, dict) or not set(given) >= _KEYS or not set(given) <= _KEYS | {"l"}:
        raise BadLine(f"{where}: needs exactly the keys {', '.join(sorted(_KEYS))} and perhaps l")
    text, group = given["t"], given["g"]
    if not (isinstance(text, str) and text.strip() and isinstance(group, str) and group):
        raise BadLine(f"{where}: t and g are non-empty strings")
    if given["w"] not in (0, 1):
        raise BadLine(f"{where}: w is 0 or 1")
    if given["ty"] not in (TYPES if given["w"] else (NO_TYPE,)):
        raise BadLine(f"{where}: ty {given['ty']!r} does not go with w {given['w']}")
    if given["ab"] not in ABOUTS or given["m"] not in MODALITIES:
        raise BadLine(f"{where}: unknown ab {given['ab']!r} or m {given['m']!r}")
    return Line(
        text=text,
        group=group,
        language=given.get("l", language),
        worth=bool(given["w"]),
        type=given["ty"],
        about=given["ab"],
        modality=given["m"],
        valence=_number(given["v"], -1.0, f"{where}: v"),
        importance=_number(given["i"], 0.0, f"{where}: i"),
    )


def _number(given: Any, low: float, where: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not low <= given <= 1.0:
        raise BadLine(f"{where} is a number from {low:g} to 1")
    return float(given)


def restyled(line: Line) -> Line:
    """The same line in the other way of typing: a capital and a closing mark added, or, if it has both, taken away.

    Style must not tell the heads anything: among the lines as written, only 2 % of those worth keeping but 15 % of
    the others begin with a capital and end with a mark."""
    text = line.text.strip()
    if text[0].isupper() and _CLOSED.search(text):
        return replace(line, text=(text[0].lower() + text[1:]).rstrip(".。।") or text)
    if line.language == "en":
        text = _BARE_ENGLISH_I.sub("I", text)
    text = text[0].upper() + text[1:]
    if text[-1].isalnum() or text[-1] in ")\"'»“”":
        marks, usual = (_QUESTION_MARKS, "?") if line.modality == "question" else (_FULL_STOPS, ".")
        text += marks.get(line.language, usual)
    return replace(line, text=text)


def joined(lines: Sequence[Line], joining: Joining | None = None) -> list[Line]:
    """Longer messages: a line worth keeping with small talk of its author before or after it, or small talk alone.

    Without them a greeting before a fact hides the fact: in 300 turns of one LoCoMo conversation,
    heads trained on single sentences told turns with an observation from the rest by their best sentence with AUC 0.80,
    by the whole turn with 0.64 (0.76 with these)."""
    joining = joining or Joining()
    random = Random(joining.seed)
    authors: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        authors.setdefault((line.group, line.language), []).append(line)
    out = []
    for own in authors.values():
        talk = [line for line in own if not line.worth and _is_talk(line, joining.longest_talk)]
        for line in own:
            if len(talk) < 3 or random.random() >= (joining.worth_share if line.worth else joining.talk_share):
                continue
            first, second = random.sample([other for other in talk if other is not line], 2)
            if not line.worth and line not in talk:
                continue
            parts = random.choice(([first, line], [line, first], [first, line, second]))
            closed = random.random() < joining.closed_share
            text = " ".join(_closed(part) if closed else part.text.strip() + joining.loose_mark for part in parts)
            label = line if line.worth else next((part for part in parts if part.modality == "question"), line)
            out.append(replace(label, text=text if closed else text.removesuffix(joining.loose_mark), joined=True))
    return out


def _is_talk(line: Line, longest: int) -> bool:
    return len(line.text) <= longest and not _CODE.search(line.text)


def _closed(line: Line) -> str:
    text = line.text.strip()
    return text if text[0].isupper() and _CLOSED.search(text) else restyled(line).text


def training_messages(lines: Sequence[Line]) -> list[Line]:
    """All that the heads learn from: the lines, the lines restyled, and longer messages joined from them."""
    return [*lines, *(restyled(line) for line in lines), *joined(lines)]
