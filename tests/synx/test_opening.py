"""Twin of synx/opening.py."""

import pytest
from memory_files import Crash, Inode, MemoryFiles
from selfimprint.synx import opening
from selfimprint.synx.errors import AlreadyThere, Damaged, InUse, NotFound
from vault_fixtures import ROOT, create_vault, open_vault


def test_an_interrupted_creation_is_no_vault_and_no_obstacle() -> None:
    """Without HEAD nothing opens, and creating again starts afresh with one slot."""
    files = MemoryFiles(fault=lambda number, call, path: Crash() if path.name == "HEAD.tmp" else None)
    with pytest.raises(Crash):
        create_vault(files)
    left = files.after_kill()
    with pytest.raises(NotFound):
        open_vault(left)
    create_vault(left, seed=11).close()
    assert len(open_vault(left).slots()) == 1


def test_what_may_be_someones_data_is_not_cleared() -> None:
    """A journal with records, data files or a later keystore without HEAD refuse a new vault."""
    for make in ("record", "data", "keystore"):
        files = MemoryFiles()
        vault = create_vault(files)
        if make == "record":
            vault.append(b"x")
        vault.close()
        del files.entries[ROOT / "HEAD"]
        if make == "data":
            files.entries[ROOT / "data" / "x.1"] = Inode(b"x")
        if make == "keystore":
            files.entries[ROOT / "keystore.0000000000000002"] = Inode(b"x")
        before = set(files.entries)
        with pytest.raises(AlreadyThere):
            create_vault(files)
        assert set(files.entries) == before


def test_the_lock_is_held_while_the_vault_is_open_and_freed_when_opening_fails() -> None:
    """The holder is named; a failed opening leaves no lock behind."""
    files = MemoryFiles()
    assert opening.lock_owner(ROOT, files) is None
    vault = create_vault(files)
    with pytest.raises(InUse):
        open_vault(files)
    assert opening.lock_owner(ROOT, files) is not None
    vault.close()
    assert opening.lock_owner(ROOT, files) is None
    files.entries[ROOT / "HEAD"] = Inode(b"broken")
    with pytest.raises(Damaged):
        open_vault(files)
    assert opening.lock_owner(ROOT, files) is None
