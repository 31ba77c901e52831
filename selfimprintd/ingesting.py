"""A message comes in (design §4): checked, cleaned, placed, read by the rules, resolved, durable before the answer."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from selfimprint.engine.delta import AddNode, Cause, GraphDelta, PutMessage, SetNode
from selfimprint.engine.echo import blanked
from selfimprint.engine.errors import DeltaRefused, EngineError
from selfimprint.engine.extraction.extract import extract
from selfimprint.engine.extraction.secrets import redact
from selfimprint.engine.graph import Message, Node, NodeType, Role, Stage
from selfimprint.engine.intake import Incoming, Previous, take_in
from selfimprint.engine.resolve import resolve
from selfimprint.synx.journal import Ticket

from selfimprintd.facade import IncomingMessage
from selfimprintd.profile import Profile

log = logging.getLogger("selfimprintd.ingest")

_TURNS_BEFORE, _TURNS_LOOKED_AT = 2, 6
"""How many turns of the speaker a pronoun may reach back; how many turns of anybody are looked through for them."""
_REACH_US = 6 * 3_600 * 1_000_000


class BadMessage(EngineError):
    """A message that cannot be taken as it is; says what to change."""

    code = "bad-message"


class Ingest:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def add(self, items: Sequence[IncomingMessage]) -> list[dict[str, Any]]:
        """Take messages in order; each answer names what was learned. All are durable when this returns."""
        if not items:
            raise BadMessage("no message given; send at least one")
        checked = [self._checked(item) for item in items]
        answers: list[dict[str, Any]] = []
        tickets: list[Ticket] = []
        previous: Message | None = None
        try:
            for incoming, found in checked:
                answer, previous = self._take(incoming, found, previous, tickets)
                answers.append(answer)
        finally:
            self._profile.finish(tickets)
        return answers

    def _checked(self, item: IncomingMessage) -> tuple[Incoming, tuple[str, ...]]:
        try:
            role = Role(item.role)
        except ValueError:
            roles = ", ".join(r.value for r in Role)
            raise BadMessage(f"unknown role; use one of {roles}") from None
        if not item.content.strip():
            raise BadMessage("the content is empty; leave the message out")
        if role is Role.PERSON and not item.speaker.strip():
            raise BadMessage("a message of role person needs a speaker")
        limits = self._profile.settings.engine.limits
        if item.at_us is not None and not limits.earliest_us <= item.at_us <= limits.latest_us:
            raise BadMessage("the time is out of range; use a year between 1900 and 2200")
        for value in (item.speaker, item.session, item.key, item.app):
            if len(value) > limits.attribute_chars:
                raise BadMessage(f"speaker, session, key and app take {limits.attribute_chars} characters at most")
        if item.session and (not item.session.strip() or len(item.session.splitlines()) > 1):
            raise BadMessage("a session's name is one line with something in it; leave it out to have one chosen")
        redaction = redact(item.content)
        incoming = Incoming(
            role=role,
            content=redaction.text,
            speaker=item.speaker.strip(),
            session=item.session,
            at=item.at_us,
            offset_minutes=item.offset_minutes,
            key=item.key,
            app=item.app,
        )
        return incoming, tuple(redaction.found)

    def _take(
        self,
        incoming: Incoming,
        secrets: tuple[str, ...],
        before: Message | None,
        tickets: list[Ticket],
    ) -> tuple[dict[str, Any], Message]:
        profile = self._profile
        with profile.lock:
            previous = self._previous(incoming, before)
            line = profile.trace.sessions.get(incoming.session or (previous.session if previous else ""))
            intake = take_in(
                incoming,
                profile=profile.id,
                previous=previous,
                position=len(line.ids) if line else 0,
                now=profile.clock.now_us(),
                batch=before is not None,
                settings=profile.settings.engine,
            )
            first = intake.messages[0]
            held = profile.trace.get(first.id)
            warnings = [*intake.warnings, *(f"secret-removed:{kind}" for kind in secrets)]
            if held is not None and held.content != first.content:
                raise BadMessage("this key has come with another text before; give each message a key of its own")
            if held is not None:
                tickets += profile.newest()  # its first telling may still be on its way to the disk
                return self._answer(held, (), duplicate=True, warnings=[]), held
            learned: list[dict[str, str]] = []
            delta_id = ""
            message = first
            for part in intake.messages:
                delta, message = self._delta(part, previous.language if previous else "")
                delta = self._begun(delta, tickets)
                learned += what_was_learned(delta)
                delta_id = delta_id or delta.id
                if delta.failed:
                    warnings.append(delta.failed)
            answer = self._answer(
                replace(first, language=message.language), learned, duplicate=False, warnings=warnings
            )
            answer["delta"] = delta_id
            return answer, message

    def _previous(self, incoming: Incoming, before: Message | None) -> Previous | None:
        profile = self._profile
        held = before if before is not None and before.app == incoming.app else None
        if incoming.session:
            line = profile.trace.sessions.get(incoming.session)
            if held is None or held.session != incoming.session:
                held = profile.trace.get(line.ids[-1]) if line else None
        elif held is None and incoming.app in profile.last_by_app:
            held = profile.trace.get(profile.last_by_app[incoming.app])
        if held is None:
            return None
        return Previous(session=held.session, at=held.at, at_given=held.at_given, language=held.language)

    def _delta(self, message: Message, hint: str) -> tuple[GraphDelta, Message]:
        """Message and rule delta are one record; a rule that raises leaves the message and a reason."""
        profile = self._profile
        delta_id = "d_" + message.id.removeprefix("m_")
        failed = ""
        operations: tuple[Any, ...] = ()
        try:
            own = self._own_words(message)
            extraction = extract(
                own,
                at_us=message.at,
                offset_minutes=message.offset_minutes,
                language=hint,
                earlier=self._turns_before(message),
            )
            message = replace(message, language=extraction.language)
            heard = replace(message, content=own)  # what echoes is no mention either
            operations = resolve(extraction, heard, profile.state, profile.lookup, profile.settings.engine)
        except Exception as error:  # the message is kept whatever the rules do
            failed = f"extraction-failed:{type(error).__name__}"
            log.warning("extraction failed: %s", type(error).__name__)
        delta = GraphDelta(
            id=delta_id,
            cause=Cause.INGEST,
            recorded_at=profile.clock.now_us(),
            operations=(PutMessage(message=message), *operations),
            failed=failed,
        )
        return delta, message

    def _turns_before(self, message: Message) -> list[str]:
        """What the speaker said last in the session, the latest first."""
        line = self._profile.trace.sessions.get(message.session)
        found: list[str] = []
        for message_id in reversed(line.ids[-_TURNS_LOOKED_AT:] if line is not None else []):
            turn = self._profile.trace.get(message_id)
            if turn is None or (turn.role, turn.speaker) != (message.role, message.speaker):
                continue
            if not 0 <= message.at - turn.at <= _REACH_US:
                break
            found.append(turn.content)
        return found[:_TURNS_BEFORE]

    def _begun(self, delta: GraphDelta, tickets: list[Ticket]) -> GraphDelta:
        """Let it in; where the door refuses what the rules made, the message alone is kept, with the reason."""
        try:
            tickets.append(self._profile.begin(delta))
        except DeltaRefused as refusal:
            alone = tuple(op for op in delta.operations if isinstance(op, PutMessage))
            if len(alone) == len(delta.operations):
                raise
            delta = replace(delta, operations=alone, failed=f"extraction-refused:{refusal.reasons[0]}")
            tickets.append(self._profile.begin(delta))
        return delta

    def _own_words(self, message: Message) -> str:
        """The content with what we sent out ourselves blanked."""
        return blanked(message.content, self._profile.sent.echoes(message.content, message.at))

    def _answer(
        self, message: Message, learned: Sequence[Mapping[str, str]], *, duplicate: bool, warnings: list[str]
    ) -> dict[str, Any]:
        return {
            "id": message.id,
            "state": state_of(self._profile, message).value,
            "session": message.session,
            "at": message.at,
            "offset_minutes": message.offset_minutes,
            "language": message.language,
            "learned": [dict(x) for x in learned],
            "duplicate": duplicate,
            "warnings": warnings,
            "delta": "",
        }


def state_of(profile: Profile, message: Message) -> Stage:
    """How far the message has come."""
    if message.id in profile.failed:
        return Stage.FAILED
    if message.id in profile.index and not profile.index.without_vector([message.id]):
        return Stage.EMBEDDED
    return Stage.SEARCHABLE


def what_was_learned(delta: GraphDelta) -> list[dict[str, str]]:
    """One line for each node that the delta made or changed."""
    lines: list[dict[str, str]] = []
    for operation in delta.operations:
        match operation:
            case AddNode(node=node):
                lines.append(_line(node, "new"))
            case SetNode(before=before, after=after):
                lines.append(_line(after, _change(before, after)))
            case _:
                pass
    return lines


def _change(before: Node, after: Node) -> str:
    if after.retired_at is not None and before.retired_at is None:
        return "retired"
    if after.valid_to is not None and before.valid_to is None:
        return "superseded" if after.attribute("end_reason") == "superseded" else "ended"
    return "reinforced" if len(after.touches) > len(before.touches) else "changed"


def _line(node: Node, change: str) -> dict[str, str]:
    return {
        "id": node.id,
        "type": NodeType(node.type).value,
        "content": node.content,
        "slot": node.slot,
        "value": node.attribute("value"),
        "change": change,
    }
