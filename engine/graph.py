"""The records of a memory: nodes, edges, messages, and what they carry. Values only, no behaviour beyond reading them.

Instants are integers: microseconds since 1970-01-01T00:00Z. Every record is frozen; a change is a new record made by
a delta (`selfimprint.engine.delta`). Types and attributes: whitepaper §3.2, extended by the design.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

DAY_US = 86_400_000_000
SELF = "self"
"""Subject of everything the profile's owner says about themselves."""


class NodeType(StrEnum):
    FACT = "fact"
    EVENT = "event"
    EMOTIONAL_NOTE = "emotional_note"
    PERSON = "person"
    OPEN_LOOP = "open_loop"
    HYPOTHESIS = "hypothesis"


class EdgeType(StrEnum):
    """`caused_by` runs from the effect to its cause; `followed_by` from the earlier to the later."""

    CAUSED_BY = "caused_by"
    FOLLOWED_BY = "followed_by"
    REINFORCES = "reinforces"
    CONTRADICTS = "contradicts"
    ASSOCIATED_WITH = "associated_with"


class Role(StrEnum):
    USER = "user"
    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"


class Trust(StrEnum):
    """Where a claim comes from, best first; a derived thing is trusted as the least of its sources."""

    USER_STATED = "user-stated"
    USER_CONFIRMED = "user-confirmed"
    PERSON_ABOUT_SELF = "person-about-self"
    USER_ABOUT_OTHER = "user-about-other"
    OTHER_SAID = "other-said"
    CORROBORATED = "corroborated"
    ASSISTANT_SAID = "assistant-said"
    DOCUMENT = "document"
    INFERRED = "inferred"


TRUST_ORDER = tuple(Trust)


def least_trust(trusts: tuple[Trust, ...]) -> Trust:
    """The weakest of the given trust classes; `inferred` for none."""
    return max(trusts, key=TRUST_ORDER.index, default=Trust.INFERRED)


class TouchKind(StrEnum):
    CREATED = "created"
    MENTIONED = "mentioned"
    REVIVED = "revived"
    BOOSTED = "boosted"


class PieceKind(StrEnum):
    """Why a coefficient piece was appended."""

    TYPE = "type"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    BASE = "base"
    BASE_END = "base-end"
    TEMPORARY = "temporary"
    RETYPED = "retyped"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Touch:
    """One instant at which a node was created or mentioned again."""

    at: int
    kind: TouchKind
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class CoefficientPiece:
    """From `since` on (until `until`, if given) the weight is multiplied by `coefficient` a decay day.

    `since = None` means from the beginning. A piece with `until` multiplies on top of the running one (temporary)."""

    since: int | None
    coefficient: float
    kind: PieceKind
    until: int | None = None


def pinned_at(pieces: tuple[CoefficientPiece, ...], at: int | None) -> bool:
    """Whether the pieces pin at the instant (None: after all of them)."""
    owner: bool | None = None
    base = False
    for piece in sorted(pieces, key=starting):
        if at is not None and piece.since is not None and piece.since > at:
            break
        match piece.kind:
            case PieceKind.PINNED | PieceKind.UNPINNED:
                owner = piece.kind is PieceKind.PINNED
            case PieceKind.BASE | PieceKind.BASE_END:
                base = piece.kind is PieceKind.BASE
            case _:
                pass
    return base if owner is None else owner


def starting(piece: CoefficientPiece) -> int:
    """Sort key: when the piece begins, the beginning of time first."""
    return -(2**62) if piece.since is None else piece.since


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The span of a message that a record rests on: characters `start` to `end` of its content; `when` dates an
    occurrence."""

    session: str
    message: str
    start: int
    end: int
    when: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    id: str
    type: NodeType
    content: str
    subject: str
    language: str
    created_at: int
    trust: Trust
    touches: tuple[Touch, ...]
    pieces: tuple[CoefficientPiece, ...]
    evidence: tuple[Evidence, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    valence: float = 0.0
    importance: float = 0.5
    valid_from: int | None = None
    valid_to: int | None = None
    retired_at: int | None = None
    archived_at: int | None = None
    sensitive: bool = False
    is_inference: bool = False
    confidence: float = 1.0

    def attribute(self, key: str) -> str:
        """The attribute's value, or the empty string."""
        for name, value in self.attributes:  # a loop: called more often than anything else
            if name == key:
                return value
        return ""

    @property
    def slot(self) -> str:
        return self.attribute("slot")

    @property
    def is_pinned(self) -> bool:
        """The owner's newest word decides; without one, a current fact of the base profile is pinned."""
        return pinned_at(self.pieces, None)

    @property
    def last_reinforced_at(self) -> int:
        return max((t.at for t in self.touches), default=self.created_at)


ATTRIBUTE_KEYS = frozenset(
    {
        "slot", "value", "polarity", "person", "relation", "place", "when", "when_end", "when_text", "recurring",
        "previous", "name", "aliases", "category", "template", "cites", "end_reason", "rule", "beside",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    id: str
    type: EdgeType
    from_id: str
    to_id: str
    confidence: float
    is_inferred: bool
    created_at: int
    last_confirmed_at: int
    trust: Trust
    evidence: tuple[Evidence, ...] = ()
    retired_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn as it was said; `offset_minutes` is the UTC offset there, `at_given` is false where we set the time."""

    id: str
    session: str
    role: Role
    speaker: str
    at: int
    offset_minutes: int
    content: str
    position: int
    app: str = ""
    language: str = "und"
    at_given: bool = True
    part: int = 0
    parts: int = 1
    key: str = ""
    recorded_at: int = 0


class Stage(StrEnum):
    """How far a message has come; later stages contain the earlier ones."""

    STORED = "stored"
    SEARCHABLE = "searchable"
    EMBEDDED = "embedded"
    ENRICHED = "enriched"
    FAILED = "failed"
