"""The verbatim messages of a profile: which file holds which turn, read only when somebody quotes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from selfimprint.engine.graph import Message
from selfimprint.engine.records import Records
from selfimprint.synx.text import decode_document, encode_document

from selfimprintd.documents import read_session, session_text, turn_of

INDEX = "sessions/index"
INDEX_PART_BYTES = 4 * 1024 * 1024
FILE_BYTES = 2 * 1024 * 1024
"""A month's turns go on in a further file past this size, so that a checkpoint rewrites little."""


@dataclass(slots=True)
class SessionLine:
    """What is known of a session without reading it."""

    app: str
    ids: list[str] = field(default_factory=list)
    first_at: int = 0
    last_at: int = 0


class Trace:
    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._place: dict[str, str] = {}
        self._files: dict[str, Records[Message]] = {}
        self._bytes: dict[str, int] = {}
        self._unread: set[str] = set()
        self.sessions: dict[str, SessionLine] = {}
        self.dirty: set[str] = set()

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._place

    def __len__(self) -> int:
        return len(self._place)

    def add(self, message: Message) -> None:
        """Append a turn; it is held in memory and written with the next checkpoint."""
        name = self._file_for(message)
        self._held(name)[message.id] = message
        self._place[message.id] = name
        self._bytes[name] = self._bytes.get(name, 0) + len(message.content) * 2 + 200
        self.dirty.add(name)
        line = self.sessions.setdefault(message.session, SessionLine(app=message.app, first_at=message.at))
        line.ids.append(message.id)
        line.first_at = min(line.first_at, message.at)
        line.last_at = max(line.last_at, message.at)

    def get(self, message_id: str) -> Message | None:
        name = self._place.get(message_id)
        return None if name is None else self._held(name).get(message_id)

    def session(self, session: str) -> list[Message]:
        """The session's turns in order."""
        line = self.sessions.get(session)
        found = [m for i in (line.ids if line else ()) if (m := self.get(i)) is not None]
        return sorted(found, key=lambda m: (m.position, m.at, m.id))

    def all(self) -> Iterator[Message]:
        for message_id in list(self._place):
            message = self.get(message_id)
            if message is not None:
                yield message

    def file_bytes(self, name: str) -> bytes:
        held = self._held(name)
        return session_text(held[i] for i, place in self._place.items() if place == name)

    def index_files(self) -> dict[str, bytes]:
        """Where each turn lies: derived, so that opening a profile reads no session file. In parts, for a document has
        a size limit."""
        names = {name: number for number, name in enumerate(sorted(set(self._place.values())))}
        body = {
            "files": list(names),
            "bytes": [self._bytes.get(name, 0) for name in names],
            "places": {i: names[n] for i, n in self._place.items()},
            "sessions": {s: [x.app, x.first_at, x.last_at, x.ids] for s, x in self.sessions.items()},
        }
        data = json.dumps(body).encode()
        parts = [data[start : start + INDEX_PART_BYTES] for start in range(0, len(data), INDEX_PART_BYTES)]
        return {f"{INDEX}.{n}": encode_document({"index": part}).encode() for n, part in enumerate(parts)}

    def load_index(self, parts: Iterable[bytes]) -> None:
        """From the parts in order."""
        body = json.loads(b"".join(decode_document(part.decode())["index"] for part in parts))
        files: list[str] = body["files"]
        self._place = {i: files[n] for i, n in body["places"].items()}
        self._bytes = dict(zip(files, body["bytes"], strict=True))
        self._unread = set(files)
        self.sessions = {
            s: SessionLine(app=app, ids=list(ids), first_at=first, last_at=last)
            for s, (app, first, last, ids) in body["sessions"].items()
        }

    def release(self) -> None:
        """Let go of turns that are safely in files."""
        for name in list(self._files):
            if name not in self.dirty:
                del self._files[name]
                self._unread.add(name)

    def known(self) -> Iterable[str]:
        return self._place.keys()

    def _held(self, name: str) -> Records[Message]:
        held = self._files.get(name)
        if held is None:
            held = Records(turn_of)
            if name in self._unread:
                held.offer(read_session(self._read(name)))
                self._unread.discard(name)
            self._files[name] = held  # only now: one that could not be read is never taken for an empty one
        return held

    def _file_for(self, message: Message) -> str:
        seconds = message.at // 1_000_000
        month = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m")
        part = 0
        while self._bytes.get(f"sessions/{month}.{part}", 0) > FILE_BYTES:
            part += 1
        return f"sessions/{month}.{part}"
