"""A checkpoint in four steps: write what is new under new names, publish HEAD, read back, remove the old."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from selfimprint.synx.container import ID_BYTES, KEY_BYTES, SALT_BYTES
from selfimprint.synx.errors import Damaged, ReadOnly
from selfimprint.synx.files import Files, discard, meaning, write_atomically
from selfimprint.synx.head import HEAD_NAME, Head
from selfimprint.synx.journal import Journal
from selfimprint.synx.keystore import FileEntry, JournalKey, Keystore, Note, keystore_file, new_key, seal_keystore
from selfimprint.synx.sealed_files import (
    entry_path,
    folders_of,
    new_entry,
    read_sealed,
    remove_garbage,
    sync_data_folders,
    write_sealed,
)

SEGMENT_RUN = 1 << 16  # ids between two journal keys: more segments than one checkpoint period can use up


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where and under which keys a checkpoint is written."""

    root: Path
    files: Files
    profile: bytes
    profile_key: bytearray = field(repr=False)
    randomness: Callable[[int], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Up to where the checkpoint covers the journal, and which segments stay."""

    through_seq: int
    segment: int
    kept_segments: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Everything is durable but HEAD; until that is published the vault is as before."""

    head: Head
    keystore: Keystore
    written: tuple[Path, ...]


def prepare(
    place: Place, before: tuple[Head, Keystore], changed: Mapping[str, bytes | None], cut: Cut, note: Note
) -> Prepared:
    """Write changed files and the keystore; on an OSError what was written is removed again and nothing happened."""
    head, keystore = before
    generation = head.generation + 1
    written: list[Path] = []
    try:
        entries = _write_files(place, keystore.files, changed, generation, written)
        later = Keystore(
            profile_id=keystore.profile_id,
            files=entries,
            journal_keys=_journal_keys(keystore, cut, new_key(place.randomness(KEY_BYTES))),
            note=dict(note),
        )
        sealed = seal_keystore(
            later,
            profile_key=place.profile_key,
            profile=place.profile,
            generation=generation,
            file_id=place.randomness(ID_BYTES),
            salt=place.randomness(SALT_BYTES),
        )
        path = place.root / keystore_file(generation)
        written.append(path)
        write_atomically(place.files, path, sealed)
        sync_data_folders(
            place.root, folders_of(entries[name] for name in changed if name in entries), files=place.files
        )
        place.files.sync_folder(place.root)
    except OSError:
        for path in written:
            discard(place.files, path)
        raise
    return Prepared(
        head=replace(
            head,
            generation=generation,
            through_seq=cut.through_seq,
            first_segment=min(cut.kept_segments),
            segment=cut.segment,
            keystore_hash=hashlib.sha256(sealed).digest(),
        ),
        keystore=later,
        written=tuple(written),
    )


def _write_files(
    place: Place,
    old: Mapping[str, FileEntry],
    changed: Mapping[str, bytes | None],
    generation: int,
    written: list[Path],
) -> dict[str, FileEntry]:
    entries = dict(old)
    for name, content in changed.items():
        if content is None:
            entries.pop(name, None)
            continue
        entry = new_entry(name, old.get(name), generation=generation, randomness=place.randomness)
        written.append(entry_path(place.root, entry))
        entries[name] = write_sealed(
            place.root,
            entry,
            content,
            files=place.files,
            profile=place.profile,
            salt=place.randomness(SALT_BYTES),
        )
    return entries


def _journal_keys(keystore: Keystore, cut: Cut, key: bytearray) -> tuple[JournalKey, ...]:
    """A new key for later segments, and of the old ones those that a kept segment needs."""
    needed = {id(keystore.journal_key(segment)) for segment in cut.kept_segments}
    kept = [item for item in keystore.journal_keys if id(item.key) in needed]
    return (*kept, JournalKey(first_segment=cut.segment + SEGMENT_RUN, key=key))


def publish(place: Place, prepared: Prepared) -> None:
    """Replace HEAD. After an OSError it is unknown which HEAD the disk has: the caller writes nothing more."""
    write_atomically(place.files, place.root / HEAD_NAME, prepared.head.to_bytes(place.profile_key))
    place.files.sync_folder(place.root)


def read_back(place: Place, prepared: Prepared, changed: Mapping[str, bytes | None]) -> None:
    """Damaged unless the disk gives back what the checkpoint wrote."""
    if place.files.read(place.root / HEAD_NAME) != prepared.head.to_bytes(place.profile_key):
        raise Damaged("HEAD does not read back as it was written")
    sealed = place.files.read(place.root / keystore_file(prepared.head.generation))
    if hashlib.sha256(sealed).digest() != prepared.head.keystore_hash:
        raise Damaged("the keystore does not read back as it was written")
    for name, content in changed.items():
        if content is None:
            continue
        if read_sealed(place.root, prepared.keystore.files[name], files=place.files, profile=place.profile) != content:
            raise Damaged("a file does not read back as it was written")


def commit(
    place: Place,
    journal: Journal,
    before: tuple[Head, Keystore],
    changed: Mapping[str, bytes | None],
    *,
    through_seq: int,
    note: Note,
) -> tuple[Prepared, Cut]:
    """Steps one and two. DiskFull: nothing happened; ReadOnly: reopening shows whether before or after."""
    segment = journal.rotate()
    cut = Cut(through_seq=through_seq, segment=segment, kept_segments=tuple(journal.kept_after(through_seq)))
    try:
        prepared = prepare(place, before, changed, cut, note)
    except OSError as error:
        refusal = meaning(error)
        if isinstance(refusal, ReadOnly):
            journal.fail(refusal.message)
        raise refusal from error
    try:
        publish(place, prepared)
    except OSError as error:
        journal.fail("a checkpoint could not be finished")
        raise ReadOnly("a checkpoint could not be finished") from error
    return prepared, cut


def finish(place: Place, journal: Journal, prepared: Prepared, cut: Cut, changed: Mapping[str, bytes | None]) -> None:
    """Steps three and four, the caller being on the new HEAD; ReadOnly, nothing removed, if the disk lies."""
    journal.advance_to(cut.segment + SEGMENT_RUN)
    try:
        read_back(place, prepared, changed)
    except (OSError, Damaged) as error:
        journal.fail("a checkpoint does not read back")
        raise ReadOnly("a checkpoint does not read back") from error
    journal.drop(list(cut.kept_segments), before=cut.segment)
    sweep(place, prepared.head, prepared.keystore)


def sweep(place: Place, head: Head, keystore: Keystore) -> None:
    """Remove garbage; what fails is harmless and tried again the next time."""
    with suppress(OSError):
        remove_garbage(place.root, keystore.files, generation=head.generation, files=place.files)
