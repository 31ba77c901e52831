"""What the index holds: one turn of a conversation or one node of the graph, as the caller describes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ItemKind = Literal["turn", "node"]

SELF = "self"
"""The display name that stands for the owner of the profile, as speaker and as subject."""

NO_POSITION = -1
"""The position of an item that has no place in a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that can be recalled.

    `position` counts turns within `session`; two turns whose positions differ by at most four are neighbours.
    `at_us` is in microseconds UTC, 0 when unknown. `turn_key` names the turn that a node was learned from: the two
    are ranked as one. `when_us` is the half-open interval of the event that the item speaks of, where it could be
    resolved.
    """

    key: str
    kind: ItemKind
    text: str
    speaker: str
    role: str
    session: str
    position: int = NO_POSITION
    at_us: int = 0
    language: str = "und"
    node_type: str = ""
    subject: str = ""
    turn_key: str = ""
    when_us: tuple[int, int] | None = None
