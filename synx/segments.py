"""The bytes of journal segments: pure framing, sealing and the verdict on what a crash or a hand left behind.

Bytes: docs/format.md, "Journal".
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from selfimprint.synx.container import SALT_BYTES, TAG_BYTES, derive
from selfimprint.synx.errors import Damaged

_MAGIC = b"SIJRNL\0\1"
_HEADER = struct.Struct("<8sQ32s")
HEADER_BYTES = _HEADER.size
_FRAME = struct.Struct("<IIQ")
_ALL_ONES = 0xFFFFFFFF
_INFO = b"selfimprint journal v1 segment"


def segment_header(segment_id: int, salt: bytes) -> bytes:
    """The 48 bytes a segment starts with; `salt` is fresh for every segment."""
    if len(salt) != SALT_BYTES:
        raise ValueError("a salt of 32 bytes is needed")
    return _HEADER.pack(_MAGIC, segment_id, salt)


class SegmentSeal:
    """Seals and opens the records of one segment under its own subkey."""

    def __init__(self, header: bytes, *, journal_key: bytes | bytearray, profile: bytes) -> None:
        magic, segment_id, salt = _HEADER.unpack(header)
        if magic != _MAGIC:
            raise Damaged("not a journal segment")
        self.segment_id: int = segment_id
        self._header = header
        self._cipher = AESGCM(derive(journal_key, salt=salt, info=_INFO + profile))

    def __repr__(self) -> str:
        return f"SegmentSeal({self.segment_id})"

    def seal(self, seq: int, payload: bytes) -> bytes:
        """One record; a seq is sealed at most once a segment, or its nonce repeats."""
        sealed = self._cipher.encrypt(
            bytes(4) + seq.to_bytes(8, "big"), payload, self._header + seq.to_bytes(8, "little")
        )
        return _FRAME.pack(len(sealed), len(sealed) ^ _ALL_ONES, seq) + sealed

    def open(self, seq: int, sealed: bytes) -> bytes:
        """The payload; Damaged if the tag fails."""
        try:
            return self._cipher.decrypt(
                bytes(4) + seq.to_bytes(8, "big"), sealed, self._header + seq.to_bytes(8, "little")
            )
        except InvalidTag as error:
            raise Damaged("a journal record that does not authenticate") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentScan:
    """Records `first_seq`..`last_seq` in the first `good_bytes`, then perhaps a torn tail or damage."""

    segment_id: int
    first_seq: int | None
    last_seq: int | None
    good_bytes: int
    torn_bytes: int
    damage: str | None


def records(data: bytes, seal: SegmentSeal) -> Iterator[tuple[int, bytes]]:
    """(seq, payload) of every whole record; stops at a torn tail, raises Damaged at damage."""
    for seq, _, payload in _walk(data, seal):
        yield seq, payload


def _walk(data: bytes, seal: SegmentSeal) -> Iterator[tuple[int, int, bytes]]:
    offset = HEADER_BYTES
    while len(data) - offset >= _FRAME.size:
        length, inverse, seq = _FRAME.unpack_from(data, offset)
        begin = offset + _FRAME.size
        if length ^ inverse != _ALL_ONES or length < TAG_BYTES:
            # A file grown by the crash before its bytes arrived reads as zeros: nothing of it was ever acknowledged.
            if not any(data[offset:]):
                return
            raise Damaged("a journal frame whose length does not hold")
        if len(data) - begin < length:
            return
        payload = seal.open(seq, data[begin : begin + length])
        offset = begin + length
        yield seq, offset, payload


def scan(data: bytes, seal: SegmentSeal, *, expected_seq: int | None) -> SegmentScan:
    """Verify a whole segment; sequence numbers must run on from `expected_seq` (None: from any) without a gap."""
    good = HEADER_BYTES
    first = last = None
    damage = None
    try:
        for seq, end, _ in _walk(data, seal):
            if expected_seq is not None and seq != expected_seq:
                raise Damaged("journal records are missing")
            first = seq if first is None else first
            last, good, expected_seq = seq, end, seq + 1
    except Damaged as error:
        damage = error.message
    torn = 0 if damage else len(data) - good
    return SegmentScan(
        segment_id=seal.segment_id, first_seq=first, last_seq=last, good_bytes=good, torn_bytes=torn, damage=damage
    )
