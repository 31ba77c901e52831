"""Twin of synx/slot_files.py."""

import random
from pathlib import Path

import pytest
from memory_files import Inode, MemoryFiles
from selfimprint.synx.errors import Damaged, LastSlot, NotFound, Unwritable, WrongKey
from selfimprint.synx.keys import KeyFile
from selfimprint.synx.slot_files import SlotFolder, unlock_profile
from vault_fixtures import CHEAP, FixedSecret

FOLDER = Path("/s")


def slots(files: MemoryFiles) -> SlotFolder:
    files.make_folder(FOLDER)
    return SlotFolder(
        FOLDER,
        profile_key=bytearray(b"k" * 32),
        profile=b"p" * 16,
        files=files,
        cost=CHEAP,
        randomness=random.Random(3).randbytes,
    )


def test_any_slot_opens_and_none_is_touched_by_another() -> None:
    """Adding and removing one slot leaves the bytes of the rest."""
    files = MemoryFiles()
    folder = slots(files)
    first = folder.add(FixedSecret(b"a" * 32))
    before = {path: bytes(inode.data) for path, inode in files.entries.items()}
    second = folder.add(FixedSecret(b"b" * 32))
    assert all(bytes(files.entries[path].data) == data for path, data in before.items())
    for secret in (b"a", b"b"):
        assert unlock_profile(FOLDER, FixedSecret(secret * 32), files=files) == (bytearray(b"k" * 32), b"p" * 16)
    folder.remove(second)
    assert {path: bytes(inode.data) for path, inode in files.entries.items()} == before
    with pytest.raises(WrongKey):
        unlock_profile(FOLDER, FixedSecret(b"b" * 32), files=files)
    with pytest.raises(LastSlot):
        folder.remove(first)
    with pytest.raises(NotFound):
        folder.remove(second)


def test_a_damaged_slot_does_not_hide_a_sound_one() -> None:
    """The sound slot opens; with nothing sound to open, the damage is what is told; no slot at all is no vault."""
    files = MemoryFiles()
    folder = slots(files)
    folder.add(FixedSecret())
    files.entries[FOLDER / ("0" * 32 + ".slot")] = Inode(b"broken")
    files.entries[FOLDER / ("f" * 32 + ".slot")] = Inode(b"broken")
    assert unlock_profile(FOLDER, FixedSecret(), files=files)[0] == b"k" * 32
    assert len(folder.infos()) == 1
    with pytest.raises(Damaged):
        unlock_profile(FOLDER, FixedSecret(b"x" * 32), files=files)
    with pytest.raises(NotFound):
        unlock_profile(Path("/none"), FixedSecret(), files=files)


def test_a_key_file_beside_the_data_is_refused(tmp_path: Path) -> None:
    """A key that lies in the directory it opens protects no copy of it."""
    files = MemoryFiles()
    folder = SlotFolder(
        tmp_path / "slots",
        profile_key=bytearray(32),
        profile=b"p" * 16,
        files=files,
        cost=CHEAP,
        randomness=random.Random(3).randbytes,
    )
    with pytest.raises(Unwritable):
        folder.add(KeyFile.create(tmp_path / "key"))
    assert files.entries == {}
