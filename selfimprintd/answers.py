"""The shapes of the answers, for the OpenAPI document and for the tests that hold the memory to them.

Answers are not re-validated on the way out: an answer may carry more than its model names, and costs nothing here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class ProblemAnswer(_Answer):
    """problem+json: `code` is stable, `detail` says what to do."""

    type: str
    title: str
    status: int
    code: str
    detail: str


class Learned(_Answer):
    id: str
    type: str
    content: str
    change: Literal["new", "reinforced", "superseded", "ended"]


class Added(_Answer):
    id: str
    state: str
    session: str
    at: Time
    learned: list[Learned]
    duplicate: bool
    warnings: list[str]
    delta: str


class AddedMessages(_Answer):
    messages: list[Added]


class Citation(_Answer):
    node: str | None
    message: str | None
    start: int | None = None
    end: int | None = None


class ContextAnswer(_Answer):
    text: str
    language: str
    tokens: int
    confidence: float
    degraded: bool | str | list[str] | None
    citations: list[Citation]
    empty: bool


class EvidenceAnswer(_Answer):
    session: str
    message: str
    start: int
    end: int


class NodeAnswer(_Answer):
    id: str
    type: str
    content: str
    subject: str
    trust: str
    created_at: Time
    evidence: list[EvidenceAnswer]


class RecallItem(_Answer):
    """A turn or a node; a node and the turn it rests on are one item."""

    id: str
    kind: str
    text: str
    score: float
    trust: str
    nodes: list[NodeAnswer]


class RecallAnswer(_Answer):
    items: list[RecallItem]
    confidence: float
    degraded: bool | str | list[str] | None


class NodePage(_Answer):
    nodes: list[NodeAnswer]
    next: str
    total: int


class ChangedAnswer(_Answer):
    """`delta` is what `POST undo/{delta}` takes back."""

    delta: str
    node: NodeAnswer


class UndoAnswer(_Answer):
    """How much was restored, and what was left because it changed since."""

    undone: int
    kept: list[Any]


class Chain(_Answer):
    nodes: list[NodeAnswer]
    links: list[dict[str, Any]]


class WhyAnswer(_Answer):
    """The node, and every chain of causes from it, longest first."""

    node: NodeAnswer
    chains: list[Chain]


class WhyNotAnswer(_Answer):
    searched: dict[str, int]


class TimelineEntry(_Answer):
    at: Time
    node: NodeAnswer


class TimelinePage(_Answer):
    entries: list[TimelineEntry]
    next: str
    total: int


class SessionEntry(_Answer):
    id: str


class SessionPage(_Answer):
    sessions: list[SessionEntry]
    next: str
    total: int


class Turn(_Answer):
    id: str
    session: str
    role: str
    speaker: str
    at: Time
    content: str


class SessionAnswer(_Answer):
    id: str
    messages: list[Turn]
    next: str
    total: int


class DeltaEntry(_Answer):
    id: str
    cause: str
    recorded_at: Time


class DeltaList(_Answer):
    deltas: list[DeltaEntry]


class DrainAnswer(_Answer):
    drained: bool


class GraphAnswer(_Answer):
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class HealthAnswer(_Answer):
    status: str


class FreeAnswer(_Answer):
    """An object whose fields depend on what was asked."""
