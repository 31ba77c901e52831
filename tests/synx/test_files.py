"""Twin of synx/files.py: the real file system, and the one in memory where both must agree."""

import errno
import os
from pathlib import Path

import pytest
from memory_files import MemoryFiles
from selfimprint.synx.errors import DiskFull, ReadOnly
from selfimprint.synx.files import Files, OsFiles, discard, meaning, write_atomically


@pytest.fixture(params=["os", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Files, Path]:
    """Each implementation with a folder of its own."""
    files: Files = OsFiles() if request.param == "os" else MemoryFiles()
    files.make_folder(tmp_path / "a" / "b")
    return files, tmp_path / "a"


def test_both_implementations_keep_the_same_contract(place: tuple[Files, Path]) -> None:
    """Create, append, cut, replace, list, size and remove behave alike."""
    files, root = place
    handle = files.create(root / "f")
    handle.write(b"hello ")
    handle.write(b"world")
    handle.sync()
    handle.close()
    with pytest.raises(FileExistsError):
        files.create(root / "f")
    handle = files.reopen(root / "f")
    handle.truncate(5)
    handle.write(b"!")
    handle.close()
    assert files.read(root / "f") == b"hello!" and files.size(root / "f") == 6
    write_atomically(files, root / "g", b"new")
    write_atomically(files, root / "g", b"newer")
    files.replace(root / "f", root / "g")
    files.sync_folder(root)
    assert files.names(root) == ["b", "g"] and files.read(root / "g") == b"hello!"
    assert files.names(root / "none") == []
    files.unlink(root / "g")
    for call in (files.read, files.size, files.unlink, files.reopen):
        with pytest.raises(FileNotFoundError):
            call(root / "g")
    discard(files, root / "g")
    with pytest.raises(FileNotFoundError):
        files.create(root / "none" / "f")


def test_a_lock_has_one_holder(place: tuple[Files, Path]) -> None:
    """The second asker gets what the first wrote, the next after release gets the lock."""
    files, root = place
    held = files.lock(root / "lock", b"123")
    assert files.lock(root / "lock", b"456") == b"123"
    assert not isinstance(held, bytes)
    held.release()
    again = files.lock(root / "lock", b"7")
    assert not isinstance(again, bytes)
    assert files.lock(root / "lock", b"8") == b"7"
    again.release()


def test_links_and_pipes_are_refused(tmp_path: Path) -> None:
    """A symbolic link or a pipe in a file's place is an error, not a way out or a hang."""
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")
    files = OsFiles()
    for name in ("link", "pipe"):
        for call in (files.read, files.size, files.reopen):
            with pytest.raises(OSError):
                call(tmp_path / name)
    with pytest.raises(OSError):
        files.create(tmp_path / "link")
    with pytest.raises(OSError):
        files.lock(tmp_path / "link", b"")


def test_a_failed_atomic_write_leaves_nothing(tmp_path: Path) -> None:
    """Neither a temporary nor a half target; a temporary left by a crash is no obstacle."""
    files = MemoryFiles(fault=lambda number, call, path: OSError(errno.ENOSPC, "full") if call == "sync" else None)
    files.make_folder(tmp_path)
    with pytest.raises(OSError):
        write_atomically(files, tmp_path / "f", b"data")
    assert files.names(tmp_path) == []
    (tmp_path / "f.tmp").write_bytes(b"left by a crash")
    write_atomically(OsFiles(), tmp_path / "f", b"data")
    assert sorted(os.listdir(tmp_path)) == ["f"]


def test_a_full_disk_is_told_apart() -> None:
    """No space and no quota may be tried again, anything else may not."""
    assert isinstance(meaning(OSError(errno.ENOSPC, "")), DiskFull)
    assert isinstance(meaning(OSError(errno.EDQUOT, "")), DiskFull)
    assert isinstance(meaning(OSError(errno.EIO, "")), ReadOnly)
