"""Numbers in words and digits."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")


def parse_number(text: str, words: Mapping[str, int]) -> float | None:
    """The number a text names ("7", "2,5", "thirty-one"), or nothing; words come from a pack's `[numbers]`."""
    folded = re.sub(r"\s+", " ", text.strip().casefold())
    if folded in words:
        return float(words[folded])
    if _DIGITS.fullmatch(folded):
        return float(folded.replace(",", "."))
    parts = re.split(r"[-\s]+", folded)
    known = [words[part] for part in parts if part in words]
    return float(sum(known)) if len(parts) > 1 and len(known) == len(parts) else None
