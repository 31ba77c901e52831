"""What clients send, checked before anything sees it. Unknown fields are refused; every instant carries its offset."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema, model_validator

from selfimprintd.facade import ContextQuery, IncomingMessage, RecallQuery
from selfimprintd.instants import parse_instant

LONGEST_CONTENT = 900_000
LONGEST_NAME = 200
LONGEST_QUESTION = 131_072
MOST_MESSAGES = 1_000
MOST_IDS = 2_000
_PLUS_LOST = re.compile(r"(?<=\d) (?=\d\d:?\d\d$)", re.ASCII)  # a query turns + into a blank

NodeTypeName = Literal["fact", "event", "emotional_note", "person", "open_loop", "hypothesis"]
_TIME_EXAMPLE = "2026-03-01T09:30:00+02:00"


@dataclass(frozen=True, slots=True)
class Instant:
    """Not a tuple: FastAPI would take that for a list of values."""

    us: int
    offset_minutes: int


def _instant(value: object) -> Instant:
    if isinstance(value, Instant):
        return value
    if not isinstance(value, str):
        raise ValueError(f"write the time as text, like {_TIME_EXAMPLE}")
    return Instant(*parse_instant(value))


def _instant_in_query(value: object) -> Instant:
    return _instant(_PLUS_LOST.sub("+", value) if isinstance(value, str) and "T" in value else value)


_TIME_SCHEMA = WithJsonSchema({"type": "string", "format": "date-time", "examples": [_TIME_EXAMPLE]})
When = Annotated[Instant, BeforeValidator(_instant), _TIME_SCHEMA]
QueryWhen = Annotated[Instant, BeforeValidator(_instant_in_query), _TIME_SCHEMA]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Ids = Annotated[list[Name], Field(max_length=MOST_IDS)]


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class MessageIn(_Input):
    """One message of a conversation."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "role": "user",
                    "content": "We moved from Tartu to Tallinn last week.",
                    "at": _TIME_EXAMPLE,
                    "key": "m-17",
                }
            ]
        }
    )

    role: Literal["user", "person", "assistant", "tool", "document"]
    content: Annotated[str, Field(min_length=1, max_length=LONGEST_CONTENT)]
    speaker: Name = ""
    session: Name = ""
    at: When | None = None
    key: Annotated[Name, Field(description="Idempotency key: the same key again stores nothing new.")] = ""
    app: Name = ""

    @model_validator(mode="after")
    def _has_words(self) -> MessageIn:
        if not self.content.strip():
            raise ValueError("content: write at least one character that is not a blank")
        return self

    def incoming(self, default_offset_minutes: int) -> IncomingMessage:
        at = self.at
        return IncomingMessage(
            role=self.role,
            content=self.content,
            speaker=self.speaker,
            session=self.session,
            at_us=None if at is None else at.us,
            offset_minutes=default_offset_minutes if at is None else at.offset_minutes,
            key=self.key,
            app=self.app,
        )


class MessageBatch(_Input):
    """Messages in the order they were said."""

    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=MOST_MESSAGES)]


def _one_or_many(value: Any) -> str:
    is_batch = isinstance(value, MessageBatch) or (isinstance(value, dict) and "messages" in value)
    return "many" if is_batch else "one"


MessagesIn = Annotated[
    Annotated[MessageIn, Tag("one")] | Annotated[MessageBatch, Tag("many")], Discriminator(_one_or_many)
]


class ContextIn(_Input):
    """What the assistant is about to answer, and how much context it has room for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": "Where should we eat tonight?", "budget": 400}]}
    )

    message: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    budget: Annotated[int, Field(ge=1, le=32_000, description="At most so many tokens by `counter`.")] = 400
    counter: Annotated[str, Field(max_length=40, pattern=r"^[a-z0-9_.-]+$")] = "estimate"
    as_of: Annotated[When | None, Field(description="Valid time: what was true then, as known now.")] = None
    known_at: Annotated[When | None, Field(description="Record time: what was known then.")] = None
    style: Literal["composed", "model"] = "composed"
    exclude: Annotated[Ids, Field(description="Nodes and messages to answer without.")] = []
    explain: bool = False
    language: Annotated[str, Field(max_length=16, pattern=r"^[A-Za-z-]*$")] = ""
    preset: Annotated[str, Field(max_length=40, pattern=r"^[a-z0-9_-]+$")] = "default"

    def query(self) -> ContextQuery:
        return ContextQuery(
            message=self.message,
            budget=self.budget,
            counter=self.counter,
            as_of_us=self.as_of.us if self.as_of else None,
            known_at_us=self.known_at.us if self.known_at else None,
            style=self.style,
            exclude=tuple(self.exclude),
            explain=self.explain,
            language=self.language,
            preset=self.preset,
        )


class RecallIn(_Input):
    """A search in the memory."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "why did Maarja change jobs", "k": 10}]})

    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    k: Annotated[int, Field(ge=1, le=1_000)] = 20
    mode: Literal["default", "paper", "lexical"] = "default"
    as_of: When | None = None
    known_at: When | None = None
    types: Annotated[list[NodeTypeName], Field(max_length=6)] = []
    exclude: Ids = []
    explain: bool = False

    def asked(self) -> RecallQuery:
        return RecallQuery(
            query=self.query,
            k=self.k,
            mode=self.mode,
            as_of_us=self.as_of.us if self.as_of else None,
            known_at_us=self.known_at.us if self.known_at else None,
            types=tuple(self.types),
            exclude=tuple(self.exclude),
            explain=self.explain,
        )


class NodeChanges(_Input):
    """A correction by the owner: only the fields given change; null clears `value`, `valid_from` or `valid_to`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"value": "Tallinn", "pinned": True}]})

    content: Annotated[str, Field(min_length=1, max_length=4_000)] | None = None
    value: Annotated[str, Field(max_length=1_000)] | None = None
    valid_from: When | None = None
    valid_to: When | None = None
    pinned: bool | None = None
    importance: Annotated[float, Field(ge=0, le=1, strict=False)] | None = None
    sensitive: bool | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> NodeChanges:
        if not self.model_fields_set:
            raise ValueError("give at least one field to change")
        for name in ("content", "pinned", "importance", "sensitive"):
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name}: leave it out instead of sending null")
        return self

    def changes(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in sorted(self.model_fields_set)}
        return {name: value.us if isinstance(value, Instant) else value for name, value in given.items()}


class DrainIn(_Input):
    timeout_s: Annotated[float, Field(gt=0, le=600, strict=False)] = 60.0


class UndoIn(_Input):
    """Nothing to say; the body marks the request as a program's own."""


class _Query(BaseModel):
    model_config = ConfigDict(extra="forbid")


Limit = Annotated[int, Field(ge=1, le=1_000)]
Cursor = Annotated[str, Field(max_length=512, pattern=r"^[A-Za-z0-9_.:=~-]*$")]


class PageQuery(_Query):
    limit: Limit = 50
    cursor: Cursor = ""


class NodesQuery(PageQuery):
    type: NodeTypeName | Literal[""] = ""
    slot: Name = ""
    subject: Name = ""
    status: Literal["current", "ended", "retired", "hypothesis", "archived", "all"] = "current"


class GraphQuery(_Query):
    center: Name = ""
    hops: Annotated[int, Field(ge=0, le=6)] = 1
    limit: Limit = 100


class TimelineQuery(PageQuery):
    from_: Annotated[QueryWhen | None, Field(alias="from")] = None
    to: QueryWhen | None = None


class DeltasQuery(_Query):
    limit: Limit = 50


class WhyNotQuery(_Query):
    q: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME * 10)]


class AddQuery(_Query):
    wait: Annotated[
        Literal["stored", "embedded"], Field(description="stored: durable and searchable; embedded: vectors too.")
    ] = "stored"


class NoQuery(_Query):
    """Takes nothing."""
