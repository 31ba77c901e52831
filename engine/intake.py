"""What a message becomes before anything is written: parts, an instant, a session, an id. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from selfimprint.engine.graph import Message, Role
from selfimprint.engine.settings import EngineSettings

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as a client hands it over; `at` and `session` may be missing, `key` makes a retry harmless."""

    role: Role
    content: str
    speaker: str = ""
    session: str = ""
    at: int | None = None
    offset_minutes: int = 0
    key: str = ""
    app: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """The message before, in the same session or else the same app."""

    session: str
    at: int
    at_given: bool
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    messages: tuple[Message, ...]
    warnings: tuple[str, ...]


def digest(*parts: str) -> str:
    """A short id that follows from its parts alone."""
    joined = "\x1f".join(f"{len(p)}:{p}" for p in parts).encode(errors="surrogatepass")
    return hashlib.blake2b(joined, digest_size=12).hexdigest()


def take_in(
    incoming: Incoming,
    *,
    profile: str,
    previous: Previous | None,
    position: int,
    now: int,
    batch: bool,
    settings: EngineSettings,
) -> Intake:
    """Give the message its instant, session, id and parts.

    Without a time: one second after an untimed or batched predecessor, else now. Without a session: the predecessor's,
    unless more than thirty minutes lie between. The id is the idempotency key's hash, or that of everything that makes
    the message what it is."""
    warnings: list[str] = []
    at = incoming.at
    if at is None:
        follows = batch and previous is not None
        at = previous.at + SECOND_US if follows and previous is not None else now
        warnings.append("time-assumed")
    session = incoming.session
    if not session:
        gap = settings.resolve.session_gap_minutes * MINUTE_US
        if previous is not None and abs(at - previous.at) <= gap:
            session = previous.session
        else:
            session = "s_" + digest(profile, incoming.app, str(at), incoming.content)
            position = 0
    if incoming.key:
        base = digest(profile, incoming.app, "key", incoming.key)
    else:
        stamp = str(at) if incoming.at is not None else f"?{now}:{position}"
        base = digest(
            profile, incoming.app, incoming.session, incoming.role.value, incoming.speaker, stamp, incoming.content
        )
    pieces = split(incoming.content, settings.limits.content_bytes)
    if len(pieces) > 1:
        warnings.append("split")
    messages = tuple(
        Message(
            id=f"m_{base}" if index == 0 else f"m_{base}-{index + 1}",
            session=session,
            role=incoming.role,
            speaker=incoming.speaker,
            at=at + index,
            offset_minutes=incoming.offset_minutes,
            content=piece,
            position=position + index,
            app=incoming.app,
            at_given=incoming.at is not None,
            part=index,
            parts=len(pieces),
            key=incoming.key,
            recorded_at=now,
        )
        for index, piece in enumerate(pieces)
    )
    return Intake(messages=messages, warnings=tuple(warnings))


def split(content: str, limit_bytes: int) -> list[str]:
    """The content in parts of at most `limit_bytes` UTF-8 bytes, cut at white space where there is some; joined, the
    parts are the content again."""
    if len(content) * 4 <= limit_bytes or len(content.encode(errors="replace")) <= limit_bytes:
        return [content]
    parts: list[str] = []
    start = 0
    while start < len(content):
        end = min(len(content), start + limit_bytes)
        while len(content[start:end].encode(errors="replace")) > limit_bytes:
            end = start + max(1, (end - start) * 3 // 4)
        if end < len(content):
            space = max(content.rfind(mark, start + (end - start) // 2, end) for mark in ("\n", " "))
            end = space + 1 if space > start else end
        parts.append(content[start:end])
        start = end
    return parts
