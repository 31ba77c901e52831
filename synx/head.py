"""HEAD: the one small file whose atomic replacement makes a checkpoint real.

Bytes: docs/format.md, "HEAD". It names the keystore by generation and hash; the keystore names every file the same way.
"""

import hmac
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from selfimprint.synx.container import derive
from selfimprint.synx.errors import Damaged, TooNew

HEAD_NAME = "HEAD"
_MAGIC = b"SIHEAD\0\1"
_VERSION = 1
_BODY = struct.Struct("<8sHH16sQQQQ32s")
_MAC_BYTES = 32
_MAC_INFO = b"selfimprint head v1 mac"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a checkpoint committed."""

    profile: bytes
    generation: int
    through_seq: int
    first_segment: int
    segment: int
    keystore_hash: bytes

    def to_bytes(self, profile_key: bytes | bytearray) -> bytes:
        """The file, MACed under a subkey of the profile key."""
        body = _BODY.pack(
            _MAGIC,
            _VERSION,
            0,
            self.profile,
            self.generation,
            self.through_seq,
            self.first_segment,
            self.segment,
            self.keystore_hash,
        )
        return body + _mac(profile_key, self.profile, body)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadInfo:
    """What the last checkpoint recorded; `note` is the caller's."""

    generation: int
    through_seq: int
    note: Mapping[str, str | int]


def _mac(profile_key: bytes | bytearray, profile: bytes, body: bytes) -> bytes:
    return hmac.digest(derive(profile_key, salt=profile, info=_MAC_INFO), body, "sha256")


def parse_head(data: bytes, profile_key: bytes | bytearray, *, profile: bytes) -> Head:
    """The head, once its MAC holds; Damaged or TooNew otherwise."""
    if len(data) < _BODY.size or not data.startswith(_MAGIC):
        raise Damaged("HEAD is not readable")
    body = data[: _BODY.size]
    _, version, flags, found, generation, through_seq, first_segment, segment, keystore_hash = _BODY.unpack(body)
    if version != _VERSION or flags:
        raise TooNew("HEAD has an unknown version or flag")
    if found != profile:
        raise Damaged("HEAD belongs to another profile")
    if len(data) != _BODY.size + _MAC_BYTES or not hmac.compare_digest(
        _mac(profile_key, profile, body), data[_BODY.size :]
    ):
        raise Damaged("HEAD does not authenticate")
    return Head(
        profile=found,
        generation=generation,
        through_seq=through_seq,
        first_segment=first_segment,
        segment=segment,
        keystore_hash=keystore_hash,
    )
