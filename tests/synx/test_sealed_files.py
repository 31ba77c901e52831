"""Twin of synx/sealed_files.py."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from memory_files import Inode, MemoryFiles
from selfimprint.synx.errors import Damaged
from selfimprint.synx.keystore import FileEntry
from selfimprint.synx.sealed_files import (
    entry_path,
    missing_files,
    new_entry,
    read_sealed,
    remove_garbage,
    write_sealed,
)

ROOT = Path("/r")
PROFILE = b"p" * 16


def written(files: MemoryFiles, name: str, content: bytes, old: FileEntry | None = None) -> FileEntry:
    files.make_folder(ROOT / "data")
    chance = random.Random(name + str(content))
    entry = new_entry(name, old, generation=old.generation + 1 if old else 1, randomness=chance.randbytes)
    return write_sealed(ROOT, entry, content, files=files, profile=PROFILE, salt=chance.randbytes(32))


def test_a_generation_has_its_own_key_and_the_file_its_own_id() -> None:
    """A new version takes a new name and a new data key; only the opaque id stays."""
    files = MemoryFiles()
    old = written(files, "domain/x", b"old")
    new = written(files, "domain/x", b"new", old)
    assert old.key != new.key and old.key_id != new.key_id and old.file_id == new.file_id
    assert entry_path(ROOT, old) != entry_path(ROOT, new)
    assert read_sealed(ROOT, old, files=files, profile=PROFILE) == b"old"
    assert read_sealed(ROOT, new, files=files, profile=PROFILE) == b"new"


def test_a_file_that_the_entry_does_not_describe_is_damage() -> None:
    """Other bytes, another key, id or generation under the right name do not pass."""
    files = MemoryFiles()
    entry = written(files, "core", b"content")
    for changed in (
        replace(entry, digest=b"x" * 32),
        replace(entry, key_id=b"x" * 16),
        replace(entry, key=bytearray(32)),
    ):
        with pytest.raises(Damaged):
            read_sealed(ROOT, changed, files=files, profile=PROFILE)
    with pytest.raises(Damaged):
        read_sealed(ROOT, entry, files=files, profile=b"q" * 16)


def test_missing_and_shortened_files_are_listed() -> None:
    """One reason each, without reading contents."""
    files = MemoryFiles()
    entries = [written(files, name, b"x") for name in ("core", "domain/x", "domain/y")]
    assert missing_files(ROOT, entries, files=files) == []
    files.unlink(entry_path(ROOT, entries[0]))
    del files.entries[entry_path(ROOT, entries[1])].data[-1:]
    assert len(missing_files(ROOT, entries, files=files)) == 2


def test_garbage_goes_and_what_head_stands_for_stays() -> None:
    """Old generations, stray files, old keystores and temporaries are removed; slots, segments and HEAD are not."""
    files = MemoryFiles()
    old = written(files, "domain/x", b"old")
    new = written(files, "domain/x", b"new", old)
    for folder in ("slots", "journal"):
        files.make_folder(ROOT / folder)
    keep = ["HEAD", "lock", "keystore.0000000000000002", "slots/a.slot", "journal/1.seg", "journal/1.seg.30.tail"]
    stray = ["HEAD.tmp", "keystore.0000000000000001", "keystore.0000000000000002.tmp", "data/x.1", "data/domain/y"]
    for name in [*keep, *stray, "slots/a.slot.tmp", "journal/1.seg.tmp"]:
        files.entries[ROOT / name] = Inode(b"x")
    remove_garbage(ROOT, {"domain/x": new}, generation=2, files=files)
    assert set(files.entries) == {ROOT / name for name in keep} | {entry_path(ROOT, new)}
