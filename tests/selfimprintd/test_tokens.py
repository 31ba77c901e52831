"""Tokens: known by their hash only, in a file of their owner only."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from live import NOW_US

from selfimprintd.tokens import SCOPES, BadTokens, Confirmations, Token, TokenFile, find_token, hash_secret


def counting_randomness() -> object:
    state = [0]

    def randomness(count: int) -> bytes:
        state[0] += 1
        return state[0].to_bytes(1, "big") * count

    return randomness


def issue(tokens: TokenFile, byte: int = 7, profile: str = "default") -> tuple[str, Token]:
    return tokens.issue(
        name="owner",
        profile=profile,
        scopes=SCOPES,
        audience="local",
        now_us=NOW_US,
        randomness=lambda n: bytes([byte]) * n,
    )


def test_a_token_is_256_bits_and_is_stored_as_a_hash(tmp_path: Path) -> None:
    """The file holds who and what, and nothing that opens anything."""
    tokens = TokenFile(tmp_path / "tokens.json")
    secret, token = issue(tokens)
    assert secret.startswith("si_") and len(secret) == 46
    text = (tmp_path / "tokens.json").read_text()
    assert secret not in text and secret[3:20] not in text
    assert json.loads(text)["tokens"][0] == {
        "id": "07" * 6, "name": "owner", "profile": "default", "scopes": ["read", "write", "admin"],
        "audience": "local", "created": "2026-01-01T00:00:00Z", "hash": hash_secret(secret),
    }  # fmt: skip
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600
    assert TokenFile(tmp_path / "tokens.json").find(secret) == token


def test_only_the_exact_secret_finds_its_token(tmp_path: Path) -> None:
    """Cut, changed, hashed, empty or foreign: none."""
    tokens = TokenFile(tmp_path / "tokens.json")
    (one, first), (two, second) = issue(tokens, 1), issue(tokens, 2, "other")
    assert (tokens.find(one), tokens.find(two)) == (first, second)
    for wrong in ("", one[:-1], one + "x", one.swapcase(), hash_secret(one), "é" * 46, f" {one}"):
        assert find_token(wrong, tokens.tokens) is None


def test_a_revoked_token_opens_nothing_also_after_a_restart(tmp_path: Path) -> None:
    """Revoking is written at once."""
    tokens = TokenFile(tmp_path / "tokens.json")
    secret, token = issue(tokens)
    assert tokens.revoke(token.id) and not tokens.revoke(token.id)
    assert tokens.find(secret) is None
    assert TokenFile(tmp_path / "tokens.json").find(secret) is None


def test_an_open_or_broken_token_file_refuses_to_start(tmp_path: Path) -> None:
    """The message says which command puts it right."""
    path = tmp_path / "tokens.json"
    issue(TokenFile(path))
    path.chmod(0o644)
    with pytest.raises(BadTokens, match="chmod 600"):
        TokenFile(path)
    path.chmod(0o600)
    for broken in ("{", "{}", '{"tokens": [{"id": 1}]}', '{"tokens": 3}', path.read_text().replace("admin", "god")):
        path.write_text(broken)
        with pytest.raises(BadTokens, match="cannot be read"):
            TokenFile(path)


def test_a_confirmation_is_good_once_for_its_own_preview() -> None:
    """Another client, action or preview, a second use, or five minutes later: no."""
    now = [0.0]
    confirmations = Confirmations(monotonic=lambda: now[0], randomness=counting_randomness())  # type: ignore[arg-type]

    def issued() -> str:
        return confirmations.issue(token_id="t", action="wipe", preview=b"12 nodes")

    def redeemed(secret: str, token_id: str = "t", action: str = "wipe", preview: bytes = b"12 nodes") -> bool:
        return confirmations.redeem(secret, token_id=token_id, action=action, preview=preview)

    secret = issued()
    assert redeemed(secret) and not redeemed(secret)
    assert not redeemed(issued(), token_id="u")
    assert not redeemed(issued(), action="export")
    assert not redeemed(issued(), preview=b"13 nodes")
    late = issued()
    now[0] = 301.0
    assert not redeemed(late)
    assert not redeemed("si_" + "x" * 43)
