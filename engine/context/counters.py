"""Named token counters; a loaded model's own joins by name: `{**COUNTERS, "model": count}`."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

TokenCounter = Callable[[str], int]

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=65536)
def words(text: str) -> int:
    """Words and punctuation marks, as the project's context benchmark counts them."""
    return len(_WORD_OR_MARK.findall(text))


@lru_cache(maxsize=65536)
def estimate(text: str) -> int:
    return sum(1 + (len(m) - 1) // 3 for m in _WORD_OR_MARK.findall(text))


COUNTERS: Mapping[str, TokenCounter] = MappingProxyType({"estimate": estimate, "words": words})
