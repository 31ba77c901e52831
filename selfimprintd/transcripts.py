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
_FIELDS = frozenset(
    {"role", "content", "text", "speaker", "session", "at", "id", "key", "app", "session_id", "timestamp"}
)
_CLOCK = r"(?P<time>\d\d?:\d\d(?::\d\d(?:\.\d{1,6})?)?)(?P<zone>Z|[+-]\d\d:?\d\d)?"
_TIME = r"\[?(?P<date>\d{4}-\d\d-\d\d)?(?:[T ,]*" + _CLOCK + r")?\]?"
_PREFIX = re.compile(_TIME + r"\s*[-\u2013]?\s*", re.ASCII)
_DATE_LINE = re.compile(r"[#=*\s-]*\[?(\d{4}-\d\d-\d\d)\]?[#=*\s-]*", re.ASCII)
_NAME = re.compile(r"(?P<name>[^\W\d_][\w.'’ -]{0,39}?)\s*:(?:\s+|$)(?P<said>.*)", re.DOTALL)
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
    looks_like_json = text.lstrip()[:1] in ("{", "[")
    turns = _from_json_lines(text, me, timezone) if looks_like_json else _from_plain(text, label, me, timezone)
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


def _from_json_lines(text: str, me: str, timezone: str) -> Iterator[Turn]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadTranscript(f"line {number} is not JSON; write one object a line") from error
        if not isinstance(row, dict):
            raise BadTranscript(f'line {number}: write an object like {{"role": "user", "content": "..."}}')
        yield _from_row(row, number, me, timezone)


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
    names = _names(lines)
    session, date, turn, after_blank = 1, "", None, False
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        marked = _DATE_LINE.fullmatch(bare)
        if not bare or marked:
            after_blank = True
            date = marked[1] if marked else date
            continue
        start = _turn_start(bare, names)
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


def _turn_start(line: str, names: frozenset[str]) -> tuple[dict[str, str], str, str] | None:
    """The stamp, name and words of a line that begins a turn."""
    prefix = _PREFIX.match(line)
    stamp = {key: value or "" for key, value in (prefix.groupdict() if prefix else {}).items()}
    match = _NAME.fullmatch(line[prefix.end() :] if prefix else line)
    if match is None or match["name"] not in names:
        return None
    return stamp | {"time": stamp.get("time", ""), "date": stamp.get("date", "")}, match["name"], match["said"]


def _names(lines: list[str]) -> frozenset[str]:
    """Who speaks: names that begin a stamped line, a line after a blank one, or two lines; `Note:` once is no one."""
    counts: Counter[str] = Counter()
    sure, after_blank = set(), True
    for line in lines:
        bare = line.strip()
        prefix = _PREFIX.match(bare)
        match = _NAME.fullmatch(bare[prefix.end() :] if prefix else bare)
        if match is not None and len(match["name"].split()) <= _MOST_NAME_WORDS:
            counts[match["name"]] += 1
            if after_blank or (prefix and prefix.end()):
                sure.add(match["name"])
        after_blank = not bare or _DATE_LINE.fullmatch(bare) is not None
    return frozenset(sure | {name for name, count in counts.items() if count > 1})


def _role_of(name: str, me: str) -> str:
    folded = name.strip().casefold()
    if me:
        if folded == me.casefold():
            return "user"
    elif folded in _SELVES:
        return "user"
    return "assistant" if folded in _ASSISTANTS else "person" if folded else "user"


def _with_offset(text: str, timezone: str, line: int) -> str:
    """The time as it stands when it has an offset; else in the given zone, or the host's."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadTranscript(f"line {line}: write the time like 2026-03-01T09:30:00+02:00") from error
    if at.tzinfo is None:
        at = at.replace(tzinfo=ZoneInfo(timezone)) if timezone else at.astimezone()
    return at.isoformat()
