"""When a text, a name or a date of the held-out suites is the one that a memory holds (`tests/suites/README.md`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_SHORTEST_PART = 2
_NAME_STEM = 3
_SHORT_ENDING, _LONG_ENDING = 1, 2
"""Letters that may differ at the end of a declined name, in its shorter and in its longer form."""


def same(wanted: str, held: str) -> bool:
    """Either is a part of the other, case apart; numbers and single letters only as they stand."""
    left, right = wanted.casefold().strip(), held.casefold().strip()
    if not left or not right:
        return False
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < _SHORTEST_PART or shorter.isdecimal():
        return shorter in "".join(c if c.isalnum() else " " for c in longer).split()
    return shorter in longer


def contains_all(parts: str | Sequence[str], text: str) -> bool:
    """Every part stands in the text, case apart."""
    lowered = text.casefold()
    return all(p.casefold() in lowered for p in ([parts] if isinstance(parts, str) else parts))


def same_person(wanted: str, subjects: Iterable[str]) -> bool:
    """The subject by name or relation, whatever its case ending."""
    for subject in subjects:
        if wanted == "self" or subject == "self":
            if wanted == subject:
                return True
        elif same(wanted, subject) or _declined(wanted.casefold(), subject.casefold()):
            return True
    return False


def _declined(left: str, right: str) -> bool:
    shorter, longer = sorted((len(left), len(right)))
    shared = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return shared >= max(_NAME_STEM, shorter - _SHORT_ENDING, longer - _LONG_ENDING)


def is_dated(wanted: str, when: tuple[str, str] | None) -> bool:
    """A date lies in the interval; a bare year is the year in which the interval begins."""
    if when is None:
        return False
    return when[0].startswith(wanted) if len(wanted) == len("2000") else when[0] <= wanted < when[1]
