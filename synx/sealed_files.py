"""Writing and reading the sealed files of a profile directory; which of them count is decided by HEAD alone."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from selfimprint.synx.container import ID_BYTES, KEY_BYTES, open_sealed, parse_header, seal
from selfimprint.synx.errors import Damaged, WrongKey
from selfimprint.synx.files import TEMPORARY_SUFFIX, Files, discard, write_atomically
from selfimprint.synx.head import HEAD_NAME
from selfimprint.synx.keystore import KEYSTORE_NAME, FileEntry, keystore_file, new_key
from selfimprint.synx.names import folder_of, sealed_path

DATA_FOLDER = "data"
SLOT_FOLDER = "slots"
JOURNAL_FOLDER = "journal"


def new_entry(
    logical_name: str, old: FileEntry | None, *, generation: int, randomness: Callable[[int], bytes]
) -> FileEntry:
    """A new generation of a file under a new data key; the opaque id stays the file's own."""
    return FileEntry(
        logical_name=logical_name,
        file_id=old.file_id if old else randomness(ID_BYTES),
        generation=generation,
        key_id=randomness(ID_BYTES),
        key=new_key(randomness(KEY_BYTES)),
        digest=b"",
        size=0,
    )


def write_sealed(
    root: Path, entry: FileEntry, plaintext: bytes, *, files: Files, profile: bytes, salt: bytes
) -> FileEntry:
    """Seal and write one file; durable once its folder is synced. The entry comes back with digest and size."""
    sealed = seal(
        plaintext,
        key=entry.key,
        key_id=entry.key_id,
        file_id=entry.file_id,
        generation=entry.generation,
        salt=salt,
        profile_id=profile,
        logical_name=entry.logical_name,
    )
    path = entry_path(root, entry)
    files.make_folder(path.parent)
    write_atomically(files, path, sealed)
    return replace(entry, digest=hashlib.sha256(sealed).digest(), size=len(sealed))


def entry_path(root: Path, entry: FileEntry) -> Path:
    """Where an entry's file lies."""
    return sealed_path(root / DATA_FOLDER, entry.logical_name, file_id=entry.file_id, generation=entry.generation)


def read_sealed(root: Path, entry: FileEntry, *, files: Files, profile: bytes) -> bytes:
    """The plaintext of exactly the file HEAD stands for; Damaged for any other bytes. An OSError passes through."""
    sealed = files.read(entry_path(root, entry))
    if hashlib.sha256(sealed).digest() != entry.digest:
        raise Damaged("a file is not the one that was written")
    header = parse_header(sealed)
    if (header.key_id, header.file_id, header.generation) != (entry.key_id, entry.file_id, entry.generation):
        raise Damaged("a file under another's name")
    try:
        return open_sealed(sealed, key=entry.key, profile_id=profile, logical_name=entry.logical_name)
    except WrongKey as error:
        raise Damaged("a file does not open with its data key") from error


def missing_files(root: Path, entries: Iterable[FileEntry], *, files: Files) -> list[str]:
    """One reason per file that is not there with its size; contents are only judged when read."""
    reasons = []
    for entry in entries:
        try:
            if files.size(entry_path(root, entry)) != entry.size:
                reasons.append("a file has another size than was written")
        except OSError:
            reasons.append("a file that HEAD stands for is missing")
    return reasons


def folders_of(entries: Iterable[FileEntry]) -> list[str]:
    """Logical folders in use, the top level among them."""
    return sorted({folder_of(entry.logical_name) for entry in entries})


def sync_data_folders(root: Path, folders: Iterable[str], *, files: Files) -> None:
    """Make the names in these logical folders durable, and the folders themselves."""
    data = root / DATA_FOLDER
    for folder in folders:
        if folder:
            files.sync_folder(data / folder)
    files.sync_folder(data)


def remove_garbage(root: Path, entries: Mapping[str, FileEntry], *, generation: int, files: Files) -> None:
    """Remove every temporary, data file and keystore that HEAD does not stand for; what resists stays."""
    data = root / DATA_FOLDER
    wanted = {entry_path(root, entry) for entry in entries.values()}
    for name in files.names(root):
        path = root / name
        stale_keystore = name.startswith(KEYSTORE_NAME + ".") and name != keystore_file(generation)
        if stale_keystore or name == HEAD_NAME + TEMPORARY_SUFFIX:
            discard(files, path)
    for name in files.names(data):
        if "." in name:
            if data / name not in wanted:
                discard(files, data / name)
            continue
        for inner in files.names(data / name):
            if data / name / inner not in wanted:
                discard(files, data / name / inner)
    for folder in (SLOT_FOLDER, JOURNAL_FOLDER):
        for name in files.names(root / folder):
            if name.endswith(TEMPORARY_SUFFIX):
                discard(files, root / folder / name)
