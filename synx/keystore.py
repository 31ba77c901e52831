"""The keystore: a random data key per file and generation, the journal's keys, and what a checkpoint noted.

Bytes: docs/format.md, "Keystore". Whoever drops an entry makes every old copy of that file unreadable to this vault.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from selfimprint.synx import text
from selfimprint.synx.container import ID_BYTES, KEY_BYTES, derive, open_sealed, seal
from selfimprint.synx.errors import Damaged
from selfimprint.synx.keys import wipe

Note = Mapping[str, str | int]

KEYSTORE_NAME = "keystore"
_MAGIC = b"SIKEYS\0\1"
_COUNTS = struct.Struct("<8sIII")
_ENTRY = struct.Struct("<16s16sQ32sQ32sH")
_JOURNAL_KEY = struct.Struct("<Q32s")
_WRAP_INFO = b"selfimprint keystore v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One live sealed file; `digest` is SHA-256 of the file on disk."""

    logical_name: str
    file_id: bytes
    generation: int
    key_id: bytes
    key: bytearray = field(repr=False)
    digest: bytes
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalKey:
    """The key of all segments from `first_segment` on, up to the next one's."""

    first_segment: int
    key: bytearray = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keystore:
    """Everything HEAD stands for, but the files themselves."""

    profile_id: str
    files: Mapping[str, FileEntry] = field(default_factory=dict)
    journal_keys: tuple[JournalKey, ...]
    note: Note = field(default_factory=dict)

    def journal_key(self, segment_id: int) -> bytearray:
        """The key of a segment; Damaged if the keystore has none so old."""
        for journal_key in sorted(self.journal_keys, key=lambda item: item.first_segment, reverse=True):
            if journal_key.first_segment <= segment_id:
                return journal_key.key
        raise Damaged("a journal segment older than its keys")

    def wipe(self) -> None:
        """Overwrite every key; the keystore is of no use after that."""
        for key in [*(entry.key for entry in self.files.values()), *(item.key for item in self.journal_keys)]:
            wipe(key)


def keystore_file(generation: int) -> str:
    """File name of a keystore."""
    return f"{KEYSTORE_NAME}.{generation:016x}"


def seal_keystore(
    keystore: Keystore,
    *,
    profile_key: bytes | bytearray,
    profile: bytes,
    generation: int,
    file_id: bytes,
    salt: bytes,
) -> bytes:
    """The sealed keystore file."""
    return seal(
        _to_bytes(keystore),
        key=derive(profile_key, salt=profile, info=_WRAP_INFO),
        key_id=bytes(ID_BYTES),
        file_id=file_id,
        generation=generation,
        salt=salt,
        profile_id=profile,
        logical_name=KEYSTORE_NAME,
    )


def open_keystore(sealed: bytes, *, profile_key: bytes | bytearray, profile: bytes) -> Keystore:
    """Inverse of `seal_keystore`."""
    key = derive(profile_key, salt=profile, info=_WRAP_INFO)
    return _from_bytes(open_sealed(sealed, key=key, profile_id=profile, logical_name=KEYSTORE_NAME))


def _to_bytes(keystore: Keystore) -> bytes:
    note = text.encode_document({"profile": keystore.profile_id, "note": dict(keystore.note)}).encode("utf-8")
    parts = [_COUNTS.pack(_MAGIC, len(keystore.files), len(keystore.journal_keys), len(note))]
    for name in sorted(keystore.files):
        entry = keystore.files[name]
        raw = name.encode("utf-8")
        parts.append(
            _ENTRY.pack(
                entry.key_id, entry.file_id, entry.generation, bytes(entry.key), entry.size, entry.digest, len(raw)
            )
        )
        parts.append(raw)
    parts += [_JOURNAL_KEY.pack(item.first_segment, bytes(item.key)) for item in keystore.journal_keys]
    return b"".join([*parts, note])


def _from_bytes(data: bytes) -> Keystore:
    try:
        magic, file_count, key_count, note_size = _COUNTS.unpack_from(data)
        offset = _COUNTS.size
        files = {}
        for _ in range(file_count):
            key_id, file_id, generation, key, size, digest, name_size = _ENTRY.unpack_from(data, offset)
            offset += _ENTRY.size
            name = data[offset : offset + name_size].decode("utf-8")
            offset += name_size
            files[name] = FileEntry(
                logical_name=name,
                file_id=file_id,
                generation=generation,
                key_id=key_id,
                key=bytearray(key),
                digest=digest,
                size=size,
            )
        journal_keys = []
        for _ in range(key_count):
            first_segment, key = _JOURNAL_KEY.unpack_from(data, offset)
            offset += _JOURNAL_KEY.size
            journal_keys.append(JournalKey(first_segment=first_segment, key=bytearray(key)))
        document = text.decode_document(data[offset : offset + note_size].decode("utf-8"))
    except (struct.error, UnicodeDecodeError) as error:
        raise Damaged("the keystore is not what it should be") from error
    if magic != _MAGIC or len(data) != offset + note_size:
        raise Damaged("the keystore is not what it should be")
    return Keystore(
        profile_id=document["profile"], files=files, journal_keys=tuple(journal_keys), note=document["note"]
    )


def new_key(randomness_bytes: bytes) -> bytearray:
    """A data key from `KEY_BYTES` random bytes."""
    if len(randomness_bytes) != KEY_BYTES:
        raise ValueError("a data key needs 32 random bytes")
    return bytearray(randomness_bytes)
