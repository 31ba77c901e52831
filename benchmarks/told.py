"""Units and questions as files bring them, made into what the API takes. Pure, apart from reading the two files.

A unit is `{conv, id, session, time, speaker, text}`, a question `{qid, conv, question}`; whatever else they carry is
left alone. Only `conv` and `text` (or `question`) must be there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dateparser

Row = Mapping[str, Any]
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "document"}
_EDGE_OF_DAY = re.compile(r"\(\w+\)")  # "2023/05/20 (Sat) 02:21"
_FORMATS = ("%Y/%m/%d %H:%M", "%B-%d-%Y", "%I:%M %p on %d %B, %Y", "%d.%m.%Y, %H:%M:%S", "%m/%d/%Y, %H:%M:%S")
_LONGEST_CONTENT = 200_000
_LONGEST_NAME = 200


class BadInput(Exception):
    """A file that is not of the expected shape; the message names file, line and field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spacing:
    """Turns that share a time are told apart by so many seconds."""

    step_s: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message for the API, and the id that its unit had."""

    unit: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    name: str
    turns: tuple[Turn, ...]
    questions: tuple[tuple[str, str], ...] = field(default=())
    """(qid, question)."""


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise BadInput(f"{path}, line {number}: write one object a line")
        rows.append(row)
    return rows


def conversations(units: Sequence[Row], questions: Sequence[Row], me: str = "") -> list[Conversation]:
    """The conversations in the order of their first units; a question must belong to one of them."""
    by_name: dict[str, list[Row]] = {}
    for number, unit in enumerate(units, 1):
        by_name.setdefault(_text(unit, "conv", f"unit {number}"), []).append(unit)
    asked: dict[str, list[tuple[str, str]]] = {name: [] for name in by_name}
    for number, question in enumerate(questions, 1):
        name = _text(question, "conv", f"question {number}")
        if name not in asked:
            raise BadInput(f"question {number}: there is no unit of conversation {name!r}")
        asked[name].append((_text(question, "qid", f"question {number}"), _text(question, "question", name)))
    return [
        Conversation(name=name, turns=tuple(_turns(name, rows, me)), questions=tuple(asked[name]))
        for name, rows in by_name.items()
    ]


def _text(row: Row, key: str, where: str) -> str:
    value = row.get(key)
    if value is None or str(value).strip() == "":
        raise BadInput(f"{where}: the field {key!r} is missing or empty")
    return str(value)


def _turns(name: str, rows: Sequence[Row], me: str) -> Iterable[Turn]:
    for number, (row, at) in enumerate(zip(rows, instants([r.get("time") for r in rows]), strict=True)):
        content = str(row.get("text") or "").encode(errors="replace").decode().strip()[:_LONGEST_CONTENT]
        if not content:
            continue
        role, speaker = role_of(str(row.get("speaker") or ""), me)
        body: dict[str, Any] = {
            "role": role,
            "content": content,
            "speaker": speaker[:_LONGEST_NAME],
            "session": str(row.get("session") or "")[:_LONGEST_NAME],
            "key": f"{name[:100]}:{number}",
        }
        if at is not None:
            body["at"] = at.isoformat()
        yield Turn(unit=str(row.get("id", number)), body=body)


def role_of(speaker: str, me: str) -> tuple[str, str]:
    """Role and speaker: `user` and `assistant` are roles, anybody else is a person, and `me` is the owner."""
    name = speaker.strip()
    if me and name.casefold() == me.strip().casefold():
        return "user", ""
    if name.casefold() in _ROLES:
        return _ROLES[name.casefold()], ""
    return ("person", name) if name else ("user", "")


def instants(times: Sequence[Any], spacing: Spacing | None = None) -> list[datetime | None]:
    """One instant a turn, in UTC where nothing else is said; None where none could be read.

    Turns that share a written time follow one another at a fixed step. A turn without a time takes the place after the
    one before it."""
    step = timedelta(seconds=(spacing or Spacing()).step_s)
    read: dict[str, datetime | None] = {}
    found: list[datetime | None] = []
    written = ""
    last: datetime | None = None
    for value in times:
        text = "" if value is None else str(value).strip()
        if text and text not in read:
            read[text] = read_time(text)
        at = read.get(text)
        last = at if at is not None and text != written else None if last is None else last + step
        written = text or written
        found.append(last)
    return found


def read_time(text: str) -> datetime | None:
    """ISO-8601, seconds since 1970, or anything that a person would write; UTC unless it names an offset."""
    if re.fullmatch(r"\d{9,11}(\.\d+)?", text):
        return datetime.fromtimestamp(float(text), UTC)
    try:
        at: datetime | None = datetime.fromisoformat(text)
    except ValueError:
        at = _by_format(" ".join(_EDGE_OF_DAY.sub(" ", text).split()))
    return None if at is None else at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _by_format(text: str) -> datetime | None:
    for pattern in _FORMATS:
        try:
            return datetime.strptime(text, pattern)
        except ValueError:
            continue
    parsed: datetime | None = dateparser.parse(text, settings={"PREFER_DAY_OF_MONTH": "first", "TIMEZONE": "UTC"})
    return parsed
