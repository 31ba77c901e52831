"""The echo guard: text that we sent out is not learned when it comes back (design §4.2).

A span is an echo when it stands inside our own fence, or when its words run along a text we sent for twelve tokens or
more. A shorter repetition is the user's own and counts as reinforcement."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from selfimprint.engine.graph import DAY_US

FENCE_OPEN = "<selfimprint-memory"
FENCE_CLOSE = "</selfimprint-memory>"
_FENCED = re.compile(re.escape(FENCE_OPEN) + r"\b.*?(?:" + re.escape(FENCE_CLOSE) + r"|\Z)", re.DOTALL | re.IGNORECASE)
_TOKEN = re.compile(r"\w+")
_TOKEN_BYTES = 8
_MOST_WAITING = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoSettings:
    shingle_tokens: int = 12
    keep_days: int = 30
    max_shingles: int = 300_000  # as a document of the manifest they stay under its size limit


class SentText:
    """Hashes of what was sent, by the instant it was last sent. Files hold no text of it, memory the last few."""

    def __init__(self, settings: EchoSettings | None = None) -> None:
        self.settings = settings or EchoSettings()
        self._seen: dict[int, int] = {}
        self._waiting: list[tuple[str, int]] = []
        self.sendings = 0

    @property
    def seen(self) -> dict[int, int]:
        """The instant at which each shingle was last sent."""
        for text, at in self._waiting:
            for _, _, shingle in shingles(text, self.settings.shingle_tokens):
                self._seen[shingle] = max(at, self._seen.get(shingle, at))
        self._waiting = []
        if len(self._seen) > self.settings.max_shingles:
            newest = sorted(self._seen.items(), key=lambda pair: -pair[1])[: self.settings.max_shingles // 2]
            self._seen = dict(newest)
        return self._seen

    def load(self, seen: dict[int, int]) -> None:
        """What an earlier run had sent."""
        self._seen = seen

    def sent(self, text: str, at: int) -> None:
        """Remember the shingles of a text that went out at the instant."""
        self.sendings += 1
        self._waiting.append((text, at))  # hashed when somebody looks: an answer need not wait for that
        if len(self._waiting) >= _MOST_WAITING:
            _ = self.seen

    def echoes(self, text: str, at: int) -> list[tuple[int, int]]:
        """Character spans of the text that are echoes at the instant, ascending and disjoint."""
        spans = [match.span() for match in _FENCED.finditer(text)]
        horizon = at - self.settings.keep_days * DAY_US
        seen = self.seen
        if seen:
            for start, end, shingle in shingles(text, self.settings.shingle_tokens):
                if seen.get(shingle, horizon - 1) >= horizon:
                    spans.append((start, end))
        return _merged(spans)


def shingles(text: str, size: int) -> list[tuple[int, int, int]]:
    """(start, end, hash) of each run of `size` tokens, case folded; shorter texts have none."""
    tokens = [(m.start(), m.end(), _token_hash(m.group().casefold())) for m in _TOKEN.finditer(text)]
    joined = b"".join(digest for _, _, digest in tokens)
    found = []
    for first in range(len(tokens) - size + 1):
        run = joined[first * _TOKEN_BYTES : (first + size) * _TOKEN_BYTES]
        digest = hashlib.blake2b(run, digest_size=8).digest()
        found.append((tokens[first][0], tokens[first + size - 1][1], int.from_bytes(digest, "little")))
    return found


@lru_cache(maxsize=50_000)
def _token_hash(word: str) -> bytes:
    return hashlib.blake2b(word.encode(errors="replace"), digest_size=_TOKEN_BYTES).digest()


def blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with the spans replaced by spaces, so that offsets stay true."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
