"""Files of old conversations as messages: JSONL, or plain text with a line a turn. Pure: text in, messages out.

Plain text: `Name: what was said`, lines without a name go on with the turn before; a time may stand before the name,
`[2026-03-01 09:30]` or `2026-03-01 09:30 -`; a date on a line of its own dates the turns after it; a blank line, or
such a date, begins a new session.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

ROLES = ("user", "person", "assistant", "tool", "document")
_ASSISTANTS = frozenset({"assistant", "ai", "bot", "chatbot", "model", "system"})
_SELVES = frozenset({"user", "human", "me", "i"})
_LABELS = frozenset(
    "note ps p.s todo re fwd fw subject edit update warning example question answer hint tip http https "
    "hinweis notiz beispiel frage antwort betreff märkus näide küsimus vastus примечание пример вопрос ответ "
    "nota ejemplo pregunta respuesta asunto remarque exemple réponse objet".split()
)
_FIELDS = frozenset(
    {"role", "content", "text", "speaker", "session", "at", "id", "key", "app", "session_id", "timestamp"}
)
_CLOCK = r"(?P<time>\d\d?:\d\d(?::\d\d(?:\.\d{1,6})?)?)(?P<zone>Z|[+-]\d\d:?\d\d)?"
_TIME = r"\[?(?P<date>\d{4}-\d\d-\d\d)?(?:[T ,]*" + _CLOCK + r")?\]?"
_PREFIX = re.compile(_TIME + r"\s*[-\u2013]?\s*", re.ASCII)
_DATE_LINE = re.compile(r"[#=*\s-]*\[?(\d{4}-\d\d-\d\d)\]?[#=*\s-]*", re.ASCII)
_NAME = re.compile(r"(?P<name>[^\W\d_][\w.'’ -]{0,39}?)\s*:(?:\s+|$)(?P<said>.*)", re.DOTALL)
_JSON_START = re.compile(r"\s*(?:\{|\[\s*\{)")
_MOST_NAME_WORDS = 3


class BadTranscript(Exception):
    """A line that cannot be read; the message names the line and says how it should look."""

    code = "bad-transcript"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    role: str
    content: str
    speaker: str = ""
    session: str = ""
    at: str = ""
    key: str = ""

    def message(self, app: str) -> dict[str, Any]:
        """As the API takes it; empty fields are left out."""
        fields = {
            "role": self.role, "content": self.content, "speaker": self.speaker, "session": self.session,
            "at": self.at, "key": self.key, "app": app,
        }  # fmt: skip
        return {name: value for name, value in fields.items() if value}


def read_turns(text: str, *, label: str = "session", me: str = "", timezone: str = "") -> list[Turn]:
    """The turns of a file, each with the same idempotency key whenever the file is read again.

    `label` names the sessions of a plain transcript; `me` is the owner's name in it."""
    text = text.removeprefix("\ufeff")
    is_json = _JSON_START.match(text) is not None
    turns = _from_json(text, me, timezone) if is_json else _from_plain(text, label, me, timezone)
    return list(_keyed(turns))


def _keyed(turns: Iterable[Turn]) -> Iterator[Turn]:
    """A key from the place in the session and the words: appending to a file keeps the keys of what was there."""
    places: Counter[str] = Counter()
    for turn in turns:
        if not turn.content.strip():  # a name with nothing after it
            continue
        places[turn.session] += 1
        if turn.key:
            yield turn
            continue
        parts = (turn.session, str(places[turn.session]), turn.role, turn.speaker, turn.at, turn.content)
        digest = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=16)
        yield replace(turn, key=f"import:{digest.hexdigest()}")


def _from_json(text: str, me: str, timezone: str) -> Iterator[Turn]:
    """One object a line, or one list of objects."""
    for number, row in _rows(text):
        if not isinstance(row, dict):
            raise BadTranscript(f'line {number}: write an object like {{"role": "user", "content": "..."}}')
        yield _from_row(row, number, me, timezone)


def _rows(text: str) -> Iterator[tuple[int, Any]]:
    if text.lstrip().startswith("["):
        try:
            yield from enumerate(json.loads(text), 1)
        except ValueError as error:
            raise BadTranscript("the list is not JSON; write one object a line instead") from error
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadTranscript(f"line {number} is not JSON; write one object a line") from error
        yield number, row


def _from_row(row: Mapping[str, Any], number: int, me: str, timezone: str) -> Turn:
    unknown = sorted(set(row) - _FIELDS)
    if unknown:
        raise BadTranscript(f"line {number}: unknown field {unknown[0]!r}; known are {', '.join(sorted(_FIELDS))}")

    def text_of(*names: str) -> str:
        for name in names:
            value = row.get(name)
            if value is not None and not isinstance(value, str | int):
                raise BadTranscript(f"line {number}: {name} has to be text")
            if value not in (None, ""):
                return str(value)
        return ""

    content = text_of("content", "text")
    if not content.strip():
        raise BadTranscript(f"line {number}: content is missing")
    speaker = text_of("speaker")
    role = text_of("role") or _role_of(speaker, me)
    if role not in ROLES:
        raise BadTranscript(f"line {number}: role has to be one of {', '.join(ROLES)}")
    identity = text_of("id", "key")
    at = text_of("at", "timestamp")
    return Turn(
        role=role,
        content=content,
        speaker=speaker,
        session=text_of("session", "session_id"),
        at=_with_offset(at, timezone, number) if at else "",
        key=f"import:{identity}" if identity else "",
    )


def _from_plain(text: str, label: str, me: str, timezone: str) -> Iterator[Turn]:
    lines = text.replace("\r\n", "\n").split("\n")
    must_be_stamped = _is_stamped(lines)
    session, date, turn, after_blank = 1, "", None, False
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        marked = _DATE_LINE.fullmatch(bare)
        if not bare or marked:
            after_blank = True
            date = marked[1] if marked else date
            continue
        start = _turn_start(bare, must_be_stamped)
        if start is None:
            if turn is None:
                raise BadTranscript(f"line {number}: begin with a name, like 'Anna: hello'")
            turn = replace(turn, content=f"{turn.content}\n{bare}")
            continue
        if turn is not None:
            yield turn
            session += after_blank
        after_blank = False
        stamp, name, said = start
        date = stamp["date"] or date
        at = f"{date}T{stamp['time'].zfill(5)}{stamp['zone'] or ''}" if date and stamp["time"] else ""
        turn = Turn(
            role=_role_of(name, me),
            content=said,
            speaker=name if _role_of(name, me) == "person" else "",
            session=f"{label} {session}",
            at=_with_offset(at, timezone, number) if at else "",
        )
    if turn is not None:
        yield turn


def _turn_start(line: str, must_be_stamped: bool) -> tuple[dict[str, str], str, str] | None:
    """The stamp, name and words of a line that begins a turn. Judged by the line alone, so that a file may grow."""
    prefix = _PREFIX.match(line)
    end = prefix.end() if prefix else 0
    stamp = {key: value or "" for key, value in (prefix.groupdict() if prefix else {}).items()}
    match = _NAME.fullmatch(line[end:])
    if match is None or not _is_name(match["name"]) or (must_be_stamped and not end):
        return None
    return stamp, match["name"], match["said"]


def _is_stamped(lines: list[str]) -> bool:
    """Whether the first turn has a time before its name; then all have."""
    first = next((line.strip() for line in lines if line.strip() and not _DATE_LINE.fullmatch(line.strip())), "")
    prefix = _PREFIX.match(first)
    return prefix is not None and prefix.end() > 0


def _is_name(text: str) -> bool:
    folded = text.casefold()
    if folded in _SELVES or folded in _ASSISTANTS:
        return True
    return not text[0].islower() and folded not in _LABELS and len(text.split()) <= _MOST_NAME_WORDS


def _role_of(name: str, me: str) -> str:
    folded = name.strip().casefold()
    if me:
        if folded == me.casefold():
            return "user"
    elif folded in _SELVES:
        return "user"
    return "assistant" if folded in _ASSISTANTS else "person" if folded else "user"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise BadTranscript(f"no such time zone: {name}; write one like Europe/Tallinn") from error


def _with_offset(text: str, timezone: str, line: int) -> str:
    """The time as it stands when it has an offset; else in the given zone, or the host's."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadTranscript(f"line {line}: write the time like 2026-03-01T09:30:00+02:00") from error
    if at.tzinfo is None:
        at = at.replace(tzinfo=_zone(timezone)) if timezone else at.astimezone()
    return at.isoformat()
