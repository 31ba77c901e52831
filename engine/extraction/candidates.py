"""What extraction proposes: candidates for nodes, links between them, and signals about the message.

A candidate is not yet a node: resolution decides whether it is new, a reinforcement or a change (design §4.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from selfimprint.engine.graph import SELF, EdgeType, NodeType

Modality = Literal["stated", "hypothetical", "reported", "question"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One atomic claim in the speaker's own words.

    `start` and `end` are character offsets in the message. `subject` is `self` (the speaker) or `person:<name or
    relation>`. `when`, `since` and `until` are microseconds UTC; `when` is a half-open interval. `polarity` −1 means
    ended or negated. `reason` names the rule that fired. `whichever`: the value is only a word for whatever fills the
    slot ("job"). `beside`: it stands beside what fills the slot ("a barista at weekends") and replaces nothing."""

    type: NodeType
    content: str
    start: int
    end: int
    subject: str = SELF
    slot: str = ""
    value: str = ""
    polarity: int = 1
    previous: str = ""
    relation: str = ""
    persons: tuple[str, ...] = ()
    place: str = ""
    when: tuple[int, int] | None = None
    when_text: str = ""
    recurring: bool = False
    modality: Modality = "stated"
    valence: float = 0.0
    importance: float = 0.5
    sensitive: bool = False
    since: int | None = None
    until: int | None = None
    reason: str = ""
    whichever: bool = False
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A discourse edge between two candidates of one extraction, by index.

    For `caused_by`: `effect` and `cause`. For `followed_by`: `cause` is the earlier one, `effect` the later."""

    effect: int
    cause: int
    type: EdgeType
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Everything one message yields. `signals`: dissatisfaction, correction, closes_loop. `said` are the words that
    state something: no question, no condition, no denial."""

    language: str
    candidates: tuple[Candidate, ...] = ()
    links: tuple[Link, ...] = ()
    signals: tuple[str, ...] = ()
    said: str = ""
