"""A vault in memory that opens without the price of Argon2id."""

import itertools
import random
from pathlib import Path

from memory_files import MemoryFiles
from selfimprint.synx.keys import PassphraseCost, SlotKind
from selfimprint.synx.vault import Vault

ROOT = Path("/state/profile")
CHEAP = PassphraseCost(memory_kib=19 * 1024, passes=2)
_SEEDS = itertools.count(1_000_000)
"""No two openings draw the same: file ids that came back would be a fault of the test, not of the vault."""


class FixedSecret:
    """An `Unlock` of one fixed secret."""

    kind = SlotKind.KEY_FILE

    def __init__(self, secret: bytes = b"s" * 32) -> None:
        self._secret = secret

    def secret(self, salt: bytes, cost: PassphraseCost) -> bytes:
        """Always the same."""
        return self._secret


def create_vault(files: MemoryFiles, *, profile_id: str = "p", seed: int = 7) -> Vault:
    """A new vault in `files`."""
    return Vault.create(
        ROOT, profile_id=profile_id, unlock=FixedSecret(), files=files, randomness=random.Random(seed).randbytes
    )


def open_vault(files: MemoryFiles, *, seed: int | None = None) -> Vault:
    """The vault in `files`."""
    draw = random.Random(next(_SEEDS) if seed is None else seed)
    return Vault.open(ROOT, unlock=FixedSecret(), files=files, randomness=draw.randbytes)
