"""What the composer is given and what it returns (whitepaper §3.4): values only, filled by the caller.

Instants are microseconds since the Unix epoch in UTC; offsets are minutes east of UTC, as the message recorded them.
"""

from dataclasses import dataclass
from typing import Literal

ItemKind = Literal["turn", "node"]
Status = Literal["current", "ended", "retired", "hypothesis", "archived"]

Interval = tuple[int, int]
"""First instant and the instant after the last, in microseconds; equal when only an instant is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """How often something recurring was reported, and when last."""

    count: int
    last_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """One thing that may be said: a verbatim turn, or a node of the graph with what is known about it.

    `text` holds the person's own words.  `speaker` is the display name of who said them, empty for the user.
    `person` is the display name of whom a node is about, empty for the user.  `at_us` is when it was said, `when_us`
    the interval it speaks of; a missing `at_us` means that nobody knows when it was said.
    """

    key: str
    text: str
    kind: ItemKind = "turn"
    speaker: str = ""
    role: str = "user"
    at_us: int | None = None
    offset_minutes: int = 0
    session: str = ""
    language: str = "en"
    score: float = 0.0
    node_type: str = ""
    slot: str = ""
    value: str = ""
    relation: str = ""
    person: str = ""
    when_us: Interval | None = None
    when_text: str = ""
    status: Status = "current"
    polarity: int = 1
    valence: float = 0.0
    sensitive: bool = False
    trust: str = "user-stated"
    evidence_message: str = ""
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    occurrences: Occurrences | None = None


Chain = tuple[ContextItem, ...]
"""From an effect to its root cause along `caused_by`; two items or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What was asked, in which language to answer, and how much may be said.

    `confidence` (0..1) is the ranking's own belief that it holds the answer; `answered`: a fact among the items answers
    whatever the ranking holds. `counter` names a token counter.
    """

    question: str
    language: str = "en"
    budget: int = 400
    counter: str = "estimate"
    now_us: int = 0
    offset_minutes: int = 0
    confidence: float = 1.0
    answered: bool = False
    max_items: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where in the text something stands (`text[start:end]`) and which message it goes back to."""

    key: str
    message_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """One paragraph of prose, its citations in the order of the text, and what found no room."""

    text: str
    language: str
    tokens: int
    citations: tuple[Citation, ...] = ()
    omitted_count: int = 0
    empty: bool = False
