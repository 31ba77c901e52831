"""Slots: each wraps the one random profile key under something the user has or knows.

Bytes: docs/format.md, "Slots". A new kind of slot is one more `Unlock` and one more number in `SlotKind`.
"""

import enum
import hashlib
import hmac
import os
import stat
import struct
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from nacl import pwhash
from selfimprint.synx.container import ID_BYTES, KEY_BYTES, SALT_BYTES, derive
from selfimprint.synx.errors import Damaged, LimitExceeded, TooNew, Unwritable, WrongKey

Randomness = Callable[[int], bytes]

_MAGIC = b"SISLOT\0\1"
_VERSION = 1
_HEADER = struct.Struct("<8sHBB16s16s32sII")
_NONCE_BYTES = 12
_MAC_BYTES = 32
_SEALED_BYTES = _NONCE_BYTES + KEY_BYTES + 16
SLOT_BYTES = _HEADER.size + _SEALED_BYTES + 2 * _MAC_BYTES
_WRAP_INFO = b"selfimprint slot v1"
_MIN_KIB, _MAX_KIB = 19 * 1024, 1024 * 1024
_MIN_PASSES, _MAX_PASSES = 2, 10
_KEY_FILE_MAGIC = b"selfimprint key file v1\n"


class SlotKind(enum.IntEnum):
    """What opens a slot."""

    PASSPHRASE = 1
    KEY_FILE = 2
    KEYRING = 3
    RECOVERY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PassphraseCost:
    """Argon2id cost of a new slot; SECURITY §2 bounds it on every read (19 MiB–1 GiB, 2–10 passes)."""

    memory_kib: int = 64 * 1024
    passes: int = 3

    def check(self) -> None:
        """LimitExceeded outside the bounds."""
        if not (_MIN_KIB <= self.memory_kib <= _MAX_KIB and _MIN_PASSES <= self.passes <= _MAX_PASSES):
            raise LimitExceeded("passphrase cost outside 19 MiB-1 GiB and 2-10 passes")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotInfo:
    """What may be shown of a slot."""

    slot_id: str
    kind: SlotKind
    cost: PassphraseCost | None


class Unlock(Protocol):
    """Something that opens a slot of its kind."""

    @property
    def kind(self) -> SlotKind:
        """Slots of other kinds are not tried."""

    def secret(self, salt: bytes, cost: PassphraseCost) -> bytes:
        """32 bytes or more; the same for the same salt and cost."""


class Passphrase:
    """A passphrase, normalised to NFC; held as bytes that `wipe` overwrites."""

    kind = SlotKind.PASSPHRASE

    def __init__(self, text: str) -> None:
        if not text:
            raise Unwritable("an empty passphrase")
        try:
            self._bytes = bytearray(unicodedata.normalize("NFC", text).encode("utf-8"))
        except UnicodeEncodeError as error:
            raise Unwritable("a passphrase that is not Unicode text") from error

    def __repr__(self) -> str:
        return "Passphrase(…)"

    def secret(self, salt: bytes, cost: PassphraseCost) -> bytes:
        """Argon2id."""
        cost.check()
        if not self._bytes:
            raise WrongKey("the passphrase was wiped")
        result: bytes = pwhash.argon2id.kdf(
            KEY_BYTES,
            bytes(self._bytes),
            salt[: pwhash.argon2id.SALTBYTES],
            opslimit=cost.passes,
            memlimit=cost.memory_kib * 1024,
        )
        return result

    def wipe(self) -> None:
        """Overwrite the passphrase; it opens nothing afterwards."""
        wipe(self._bytes)
        self._bytes.clear()


class KeyFile:
    """A file of 32 random bytes, mode 0600, outside the data directory: protects copies, not a stolen disk."""

    kind = SlotKind.KEY_FILE

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return "KeyFile(…)"

    @classmethod
    def create(cls, path: Path, *, randomness: Randomness = os.urandom) -> "KeyFile":
        """A new key file; FileExistsError if anything has that name."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, 0o600), "wb") as stream:
            stream.write(_KEY_FILE_MAGIC + randomness(KEY_BYTES).hex().encode("ascii") + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        return cls(path)

    def secret(self, salt: bytes, cost: PassphraseCost) -> bytes:
        """The bytes in the file; WrongKey if it is not there, not a key file, or readable by others."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise WrongKey("the key file cannot be read") from error
        with os.fdopen(descriptor, "rb") as stream:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o077:
                raise WrongKey("the key file must be a regular file with mode 0600")
            content = stream.read(len(_KEY_FILE_MAGIC) + 2 * KEY_BYTES + 2)
        text = content.removeprefix(_KEY_FILE_MAGIC).strip()
        try:
            key = bytes.fromhex(text.decode("ascii"))
        except ValueError as error:
            raise WrongKey("not a key file") from error
        if not content.startswith(_KEY_FILE_MAGIC) or len(key) != KEY_BYTES:
            raise WrongKey("not a key file")
        return key


def wipe(secret: bytearray) -> None:
    """Overwrite key bytes in place (best effort: copies that libraries made are out of reach)."""
    secret[:] = bytes(len(secret))


def wrap_key(
    profile_key: bytes | bytearray, unlock: Unlock, *, profile: bytes, cost: PassphraseCost, randomness: Randomness
) -> bytes:
    """The bytes of a new slot."""
    cost.check()
    salt = randomness(SALT_BYTES)
    header = _HEADER.pack(
        _MAGIC, _VERSION, unlock.kind, 0, randomness(ID_BYTES), profile, salt, cost.memory_kib, cost.passes
    )
    wrapping, mac_key = _slot_keys(unlock, salt, cost)
    nonce = randomness(_NONCE_BYTES)
    sealed = nonce + AESGCM(wrapping).encrypt(nonce, bytes(profile_key), header)
    body = header + sealed + hmac.digest(mac_key, header + sealed, "sha256")
    return body + hashlib.sha256(body).digest()


def _slot_keys(unlock: Unlock, salt: bytes, cost: PassphraseCost) -> tuple[bytes, bytes]:
    info = _WRAP_INFO + bytes([unlock.kind])
    keys = derive(unlock.secret(salt, cost), salt=salt, info=info, length=2 * KEY_BYTES)
    return keys[:KEY_BYTES], keys[KEY_BYTES:]


def read_slot(slot: bytes) -> tuple[SlotInfo, bytes]:
    """What a slot's header says, and the profile tag; Damaged, TooNew or LimitExceeded before any costly step."""
    if len(slot) != SLOT_BYTES or not slot.startswith(_MAGIC):
        raise Damaged("not a slot")
    if hashlib.sha256(slot[:-_MAC_BYTES]).digest() != slot[-_MAC_BYTES:]:
        raise Damaged("a slot whose checksum fails")
    _, version, kind, flags, slot_id, profile, _, memory_kib, passes = _HEADER.unpack_from(slot)
    if version != _VERSION or flags or kind not in set(SlotKind):
        raise TooNew("a slot of an unknown version, flag or kind")
    cost = PassphraseCost(memory_kib=memory_kib, passes=passes)
    cost.check()
    shown = cost if kind == SlotKind.PASSPHRASE else None
    return SlotInfo(slot_id=slot_id.hex(), kind=SlotKind(kind), cost=shown), profile


def unwrap_key(slot: bytes, unlock: Unlock) -> bytearray:
    """The profile key; WrongKey if `unlock` is not what this slot was made with."""
    info, _ = read_slot(slot)
    if info.kind != unlock.kind:
        raise WrongKey("a slot of another kind")
    header, sealed = slot[: _HEADER.size], slot[_HEADER.size : _HEADER.size + _SEALED_BYTES]
    salt, memory_kib, passes = _HEADER.unpack(header)[6:]
    wrapping, mac_key = _slot_keys(unlock, salt, PassphraseCost(memory_kib=memory_kib, passes=passes))
    if not hmac.compare_digest(
        hmac.digest(mac_key, header + sealed, "sha256"), slot[_HEADER.size + _SEALED_BYTES : -_MAC_BYTES]
    ):
        raise WrongKey("nothing opens with this passphrase or key file")
    try:
        return bytearray(AESGCM(wrapping).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], header))
    except InvalidTag as error:
        raise Damaged("a slot that does not authenticate") from error
