"""The slots a fact can fill: how many values each holds at once, and how the memory treats it.

A `one` slot is superseded by a newer value; a `many` slot loses a value only to an explicit negation (design §3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cardinality(StrEnum):
    ONE = "one"
    MANY = "many"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """`base_profile` facts are pinned while current; `sensitive` ones are kept as stated and never inferred upon."""

    name: str
    cardinality: Cardinality
    base_profile: bool = False
    sensitive: bool = False


_ONE_BASE = "name age birthday home employer role partner marital_status diet"
_ONE = "origin school field_of_study"
_MANY_BASE = "language child sibling parent grandparent allergy"
_MANY = "relative friend colleague pet likes dislikes hobby habit health plan goal possession skill vehicle"
_MANY_SENSITIVE = "religion politics sexuality finances immigration criminal"
_SENSITIVE = frozenset({"allergy", "health", *_MANY_SENSITIVE.split()})

SLOTS: dict[str, Slot] = {
    name: Slot(name=name, cardinality=cardinality, base_profile=base, sensitive=name in _SENSITIVE)
    for names, cardinality, base in (
        (_ONE_BASE, Cardinality.ONE, True),
        (_ONE, Cardinality.ONE, False),
        (_MANY_BASE, Cardinality.MANY, True),
        (_MANY, Cardinality.MANY, False),
        (_MANY_SENSITIVE, Cardinality.MANY, False),
    )
    for name in names.split()
}


def is_single(slot: str) -> bool:
    """Whether a newer value of the slot supersedes the older one; false for unknown slots."""
    return slot in SLOTS and SLOTS[slot].cardinality is Cardinality.ONE


def is_base_profile(slot: str) -> bool:
    """Whether a current fact in the slot is pinned."""
    return slot in SLOTS and SLOTS[slot].base_profile


def is_sensitive(slot: str) -> bool:
    """Whether the slot belongs to a sensitive topic."""
    return slot in _SENSITIVE
