"""The sealed file: 88-byte header, header MAC, STREAM chunks of AES-256-GCM.

Bytes: docs/format.md, "Container". The stream construction is STREAM (Hoang, Reyhanitabar, Rogaway, Vizár 2015).
"""

import hashlib
import hmac
import struct
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from selfimprint.synx.errors import Damaged, TooNew, WrongKey

MAGIC = b"SIMPRNT\0"
VERSION = 1
SUITE = 1
CHUNK_BYTES = 65536
TAG_BYTES = 16
MAC_BYTES = 32
KEY_BYTES = 32
ID_BYTES = 16
SALT_BYTES = 32
_HEADER = struct.Struct("<8sHBB16s16sIQ32s")
HEADER_BYTES = _HEADER.size
_ENCRYPTION_INFO = b"selfimprint container v1 encryption"
_MAC_INFO = b"selfimprint container v1 header mac"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerHeader:
    """The public part of a sealed file; not trusted before `open_sealed` returned."""

    key_id: bytes
    file_id: bytes
    generation: int
    salt: bytes

    def to_bytes(self) -> bytes:
        """The 88 bytes."""
        return _HEADER.pack(
            MAGIC, VERSION, SUITE, 0, self.key_id, self.file_id, CHUNK_BYTES, self.generation, self.salt
        )


def parse_header(sealed: bytes) -> ContainerHeader:
    """Header of a sealed file; Damaged for foreign or short bytes, TooNew for a version, suite or flag not known."""
    if len(sealed) < HEADER_BYTES:
        raise Damaged("a sealed file shorter than its header")
    magic, version, suite, flags, key_id, file_id, chunk, generation, salt = _HEADER.unpack_from(sealed)
    if magic != MAGIC:
        raise Damaged("not a sealed file")
    if (version, suite, flags, chunk) != (VERSION, SUITE, 0, CHUNK_BYTES):
        raise TooNew("a sealed file of an unknown version, suite, flag or chunk size")
    return ContainerHeader(key_id=key_id, file_id=file_id, generation=generation, salt=salt)


def derive(key: bytes | bytearray, *, salt: bytes, info: bytes, length: int = KEY_BYTES) -> bytes:
    """HKDF-SHA256."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(key)


def _associated(header: bytes, profile_id: bytes, logical_name: str) -> bytes:
    return hashlib.sha256(header + profile_id + logical_name.encode("utf-8")).digest()


def _nonce(counter: int, last: bool) -> bytes:
    return counter.to_bytes(11, "big") + (b"\x01" if last else b"\x00")


def _check_profile(profile_id: bytes) -> None:
    # A fixed length keeps `profile id ‖ logical name` unambiguous.
    if len(profile_id) != ID_BYTES:
        raise ValueError("a profile id of 16 bytes is needed")


def seal(
    plaintext: bytes,
    *,
    key: bytes | bytearray,
    key_id: bytes,
    file_id: bytes,
    generation: int,
    salt: bytes,
    profile_id: bytes,
    logical_name: str,
) -> bytes:
    """The sealed file. `key` is 32 bytes and, with `salt`, never used for two plaintexts."""
    _check_profile(profile_id)
    header = ContainerHeader(key_id=key_id, file_id=file_id, generation=generation, salt=salt).to_bytes()
    mac = hmac.digest(derive(key, salt=salt, info=_MAC_INFO), header, "sha256")
    cipher = AESGCM(derive(key, salt=salt, info=_ENCRYPTION_INFO))
    associated = _associated(header, profile_id, logical_name)
    parts = [header, mac]
    chunks = max(1, -(-len(plaintext) // CHUNK_BYTES))
    view = memoryview(plaintext)
    for counter in range(chunks):
        chunk = view[counter * CHUNK_BYTES : (counter + 1) * CHUNK_BYTES]
        parts.append(cipher.encrypt(_nonce(counter, counter == chunks - 1), chunk, associated))
    return b"".join(parts)


def open_sealed(
    sealed: bytes,
    *,
    key: bytes | bytearray,
    profile_id: bytes,
    logical_name: str,
) -> bytes:
    """The plaintext, once all of it is authenticated; WrongKey if the header MAC differs, else Damaged or TooNew."""
    _check_profile(profile_id)
    parsed = parse_header(sealed)
    header = sealed[:HEADER_BYTES]
    body_at = HEADER_BYTES + MAC_BYTES
    if len(sealed) < body_at + TAG_BYTES:
        raise Damaged("a sealed file cut short")
    mac = hmac.digest(derive(key, salt=parsed.salt, info=_MAC_INFO), header, "sha256")
    if not hmac.compare_digest(mac, sealed[HEADER_BYTES:body_at]):
        raise WrongKey("the key is not the one this file was sealed with, or its header changed")
    cipher = AESGCM(derive(key, salt=parsed.salt, info=_ENCRYPTION_INFO))
    associated = _associated(header, profile_id, logical_name)
    step = CHUNK_BYTES + TAG_BYTES
    body = memoryview(sealed)[body_at:]
    chunks = -(-len(body) // step)
    if chunks > 1 and len(body) - (chunks - 1) * step <= TAG_BYTES:
        raise Damaged("an empty last chunk that is not the only one")
    parts = []
    for counter in range(chunks):
        chunk = body[counter * step : (counter + 1) * step]
        try:
            parts.append(cipher.decrypt(_nonce(counter, counter == chunks - 1), chunk, associated))
        except InvalidTag as error:
            raise Damaged("a sealed file that does not authenticate") from error
    return b"".join(parts)
