"""Twin of synx/keys.py."""

import os
import random
from pathlib import Path

import pytest
from selfimprint.synx.errors import Damaged, LimitExceeded, Unwritable, VaultError, WrongKey
from selfimprint.synx.keys import (
    SLOT_BYTES,
    KeyFile,
    Passphrase,
    PassphraseCost,
    SlotKind,
    read_slot,
    unwrap_key,
    wipe,
    wrap_key,
)

CHEAP = PassphraseCost(memory_kib=19 * 1024, passes=2)
PROFILE_KEY = bytearray(b"K" * 32)


def slot_for(unlock, cost: PassphraseCost = CHEAP) -> bytes:
    return wrap_key(PROFILE_KEY, unlock, profile=b"p" * 16, cost=cost, randomness=random.Random(2).randbytes)


def test_a_passphrase_opens_its_slot_in_any_normal_form() -> None:
    """Composed and decomposed spellings are one passphrase; another one is WrongKey."""
    slot = slot_for(Passphrase("caf\u00e9 \U0001f600"))
    assert unwrap_key(slot, Passphrase("cafe\u0301 \U0001f600")) == PROFILE_KEY
    with pytest.raises(WrongKey):
        unwrap_key(slot, Passphrase("cafe"))
    info, profile = read_slot(slot)
    assert (info.kind, info.cost, profile, len(slot)) == (SlotKind.PASSPHRASE, CHEAP, b"p" * 16, SLOT_BYTES)


def test_a_key_file_opens_its_slot(tmp_path: Path) -> None:
    """A key file is made once, private, and opens only its own slot."""
    key_file = KeyFile.create(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    slot = slot_for(key_file)
    assert unwrap_key(slot, KeyFile(tmp_path / "key")) == PROFILE_KEY
    with pytest.raises(WrongKey):
        unwrap_key(slot, KeyFile.create(tmp_path / "other"))
    with pytest.raises(WrongKey):
        unwrap_key(slot, Passphrase("x"))
    with pytest.raises(FileExistsError):
        KeyFile.create(tmp_path / "key")


def test_key_files_that_others_could_read_or_place_are_refused(tmp_path: Path) -> None:
    """Wrong mode, a link, a pipe, foreign content or no file is WrongKey, never a hang."""
    good = KeyFile.create(tmp_path / "key").path
    slot = slot_for(KeyFile(good))
    (tmp_path / "link").symlink_to(good)
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "text").write_text("hello")
    (tmp_path / "text").chmod(0o600)
    for name in ("link", "pipe", "text", "missing"):
        with pytest.raises(WrongKey):
            unwrap_key(slot, KeyFile(tmp_path / name))
    good.chmod(0o640)
    with pytest.raises(WrongKey):
        unwrap_key(slot, KeyFile(good))


@pytest.mark.parametrize(
    "memory_kib, passes", [(19 * 1024 - 1, 3), (1024 * 1024 + 1, 3), (65536, 1), (65536, 11), (0, 0)]
)
def test_costs_outside_the_bounds_are_refused_before_any_work(memory_kib: int, passes: int) -> None:
    """Neither a weak slot is made nor a monstrous one tried."""
    with pytest.raises(LimitExceeded):
        slot_for(Passphrase("x"), PassphraseCost(memory_kib=memory_kib, passes=passes))


def test_every_changed_bit_of_a_slot_is_damage_and_not_a_wrong_passphrase(tmp_path: Path) -> None:
    """Damage is told apart from a wrong passphrase at every bit, at no cost of Argon2id."""
    slot = slot_for(KeyFile.create(tmp_path / "key"))
    for at in range(len(slot) * 8):
        changed = bytearray(slot)
        changed[at // 8] ^= 1 << at % 8
        with pytest.raises(Damaged):
            unwrap_key(bytes(changed), KeyFile(tmp_path / "key"))
    for changed in (slot[:-1], slot + b"\0", b""):
        with pytest.raises(VaultError):
            read_slot(bytes(changed))


def test_secrets_never_show_and_can_be_wiped() -> None:
    """No repr holds a passphrase; a wiped one opens nothing; an empty or non-Unicode one is none."""
    passphrase = Passphrase("hunter2")
    assert "hunter2" not in repr(passphrase) and "hunter2" not in repr(KeyFile(Path("/hunter2")))
    slot = slot_for(passphrase)
    passphrase.wipe()
    with pytest.raises(WrongKey):
        unwrap_key(slot, passphrase)
    key = bytearray(b"secret")
    wipe(key)
    assert key == bytes(6)
    for text in ("", "\ud800"):
        with pytest.raises(Unwritable):
            Passphrase(text)
