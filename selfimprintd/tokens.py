"""Client tokens: 256 random bits, of which a hash is kept; and one-time confirmations for what destroys (R2, R6)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from selfimprintd.instants import format_instant, parse_instant
from selfimprintd.paths import write_private

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "write", "admin")
AUDIENCES = ("local", "cloud")
PREFIX = "si_"
_TOKEN_BYTES = 32
_SECRET_CHARS = len(PREFIX) + 43  # 32 bytes in unpadded base64
_CONFIRMATION_SECONDS = 300.0

Randomness = Callable[[int], bytes]


class BadTokens(Exception):
    """The token file cannot be read as one; the message says what to do."""

    code = "bad-tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What a token may do, for whom. `audience`: where the text goes that its bearer is given."""

    id: str
    name: str
    profile: str
    scopes: tuple[Scope, ...]
    audience: Literal["local", "cloud"]
    created: str
    hash: str


def hash_secret(secret: str) -> str:
    """BLAKE2b-256 of the secret. A plain hash is enough for 256 random bits: there is nothing to guess."""
    return hashlib.blake2b(secret.encode(), digest_size=_TOKEN_BYTES, person=b"selfimprint-tok").hexdigest()


def new_secret(randomness: Randomness) -> str:
    return PREFIX + base64.urlsafe_b64encode(randomness(_TOKEN_BYTES)).decode().rstrip("=")


def find_token(secret: str, tokens: Iterable[Token]) -> Token | None:
    """The token of the secret; every stored hash is compared, each in constant time."""
    if len(secret) != _SECRET_CHARS or not secret.isascii():
        return None
    presented = hash_secret(secret)
    found = None
    for token in tokens:
        if hmac.compare_digest(presented, token.hash):
            found = token
    return found


class TokenFile:
    """state/tokens.json: read once, rewritten atomically (0600) by each change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tokens = self._read()

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self._tokens

    def find(self, secret: str) -> Token | None:
        return find_token(secret, self._tokens)

    def issue(
        self,
        *,
        name: str,
        profile: str,
        scopes: tuple[Scope, ...],
        audience: Literal["local", "cloud"],
        now_us: int,
        randomness: Randomness,
    ) -> tuple[str, Token]:
        """A new token and its secret, which is shown this once and stored nowhere."""
        secret = new_secret(randomness)
        token = Token(
            id=randomness(6).hex(),
            name=name,
            profile=profile,
            scopes=scopes,
            audience=audience,
            created=format_instant(now_us),
            hash=hash_secret(secret),
        )
        self._write((*self._tokens, token))
        return secret, token

    def revoke(self, token_id: str) -> bool:
        kept = tuple(token for token in self._tokens if token.id != token_id)
        if len(kept) == len(self._tokens):
            return False
        self._write(kept)
        return True

    def _write(self, tokens: tuple[Token, ...]) -> None:
        rows = [asdict(token) for token in tokens]
        write_private(self._path, json.dumps({"version": 1, "tokens": rows}, indent=1).encode() + b"\n")
        self._tokens = tokens

    def _read(self) -> tuple[Token, ...]:
        try:
            if self._path.stat().st_mode & 0o077:
                raise BadTokens(f"{self._path} is open to others; run: chmod 600 {self._path}")
            table = json.loads(self._path.read_bytes())
            return tuple(_token(row) for row in table["tokens"])
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadTokens(
                f"{self._path} cannot be read; restore it, or remove it and run: selfimprint init"
            ) from error


def _token(row: Mapping[str, Any]) -> Token:
    token = Token(**(dict(row) | {"scopes": tuple(row["scopes"])}))
    parse_instant(token.created)
    if not set(token.scopes) <= set(SCOPES) or token.audience not in AUDIENCES or len(token.hash) != 2 * _TOKEN_BYTES:
        raise ValueError("not a token's row")
    return token


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    token_id: str
    action: str
    digest: str
    until: float


class Confirmations:
    """One-time tokens that a preview hands out: good for one action on that preview by the same client, for a while."""

    def __init__(
        self, *, monotonic: Callable[[], float], randomness: Randomness, seconds: float = _CONFIRMATION_SECONDS
    ) -> None:
        self._monotonic = monotonic
        self._randomness = randomness
        self._seconds = seconds
        self._pending: dict[str, _Pending] = {}

    def issue(self, *, token_id: str, action: str, preview: bytes) -> str:
        """A secret that confirms `action` on exactly this preview, once."""
        self._drop_expired()
        secret = new_secret(self._randomness)
        self._pending[hash_secret(secret)] = _Pending(
            token_id=token_id,
            action=action,
            digest=hashlib.blake2b(preview).hexdigest(),
            until=self._monotonic() + self._seconds,
        )
        return secret

    def redeem(self, secret: str, *, token_id: str, action: str, preview: bytes) -> bool:
        """Whether the secret confirms this; a secret that was presented is spent, right or wrong."""
        self._drop_expired()
        pending = self._pending.pop(hash_secret(secret), None)
        wanted = _Pending(token_id=token_id, action=action, digest=hashlib.blake2b(preview).hexdigest(), until=0.0)
        return pending is not None and replace(pending, until=0.0) == wanted

    def _drop_expired(self) -> None:
        now = self._monotonic()
        self._pending = {key: pending for key, pending in self._pending.items() if pending.until > now}
