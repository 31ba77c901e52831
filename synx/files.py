"""The file-system port: the few calls the vault makes, so that a test can fail each of them, and the real one.

Errors are `OSError`; what they mean for the vault is decided by the caller.
"""

import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import Protocol

from selfimprint.synx.errors import DiskFull, ReadOnly, VaultError

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


class OpenFile(Protocol):
    """A file being written; nothing is durable before `sync` returned."""

    def write(self, data: bytes) -> None:
        """Append all of `data`."""

    def sync(self) -> None:
        """Return once everything written is on the disk."""

    def truncate(self, size: int) -> None:
        """Cut to `size` bytes; writing goes on there."""

    def close(self) -> None:
        """Give the handle back; no promise about durability."""


class HeldLock(Protocol):
    """An exclusive lock of a file, freed by `release` or by the end of the process."""

    def release(self) -> None:
        """Let others in."""


class Files(Protocol):
    """What the vault asks of a file system."""

    def read(self, path: Path) -> bytes:
        """The whole regular file; symbolic links are refused."""

    def size(self, path: Path) -> int:
        """Bytes in the regular file."""

    def names(self, folder: Path) -> list[str]:
        """Sorted names in a folder; none if it is not there."""

    def create(self, path: Path) -> OpenFile:
        """A new file, private to the user; fails if anything has that name."""

    def reopen(self, path: Path) -> OpenFile:
        """An existing regular file, to cut or append."""

    def replace(self, source: Path, target: Path) -> None:
        """Atomic rename within a folder, over what was there."""

    def unlink(self, path: Path) -> None:
        """Remove a name."""

    def make_folder(self, path: Path) -> None:
        """A folder private to the user, parents included; none the worse if it is there."""

    def sync_folder(self, path: Path) -> None:
        """Return once the folder's names are on the disk."""

    def lock(self, path: Path, owner: bytes) -> HeldLock | bytes:
        """The lock, with `owner` written into the file; else at once what its holder wrote there."""


class _OsFile:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def sync(self) -> None:
        # macOS has no fdatasync; fsync is the stricter call.
        getattr(os, "fdatasync", os.fsync)(self._descriptor)

    def truncate(self, size: int) -> None:
        os.ftruncate(self._descriptor, size)
        os.lseek(self._descriptor, size, os.SEEK_SET)

    def close(self) -> None:
        os.close(self._descriptor)


class _OsLock:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        # The file stays: removing it would let two openers lock two different files of one name.
        os.close(self._descriptor)


class OsFiles:
    """The operating system's files (POSIX)."""

    def read(self, path: Path) -> bytes:
        descriptor = self._open_regular(path, os.O_RDONLY)
        with os.fdopen(descriptor, "rb") as stream:
            return stream.read()

    def size(self, path: Path) -> int:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return found.st_size

    def names(self, folder: Path) -> list[str]:
        try:
            return sorted(os.listdir(folder))
        except FileNotFoundError:
            return []

    def create(self, path: Path) -> OpenFile:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        return _OsFile(os.open(path, flags, _FILE_MODE))

    def reopen(self, path: Path) -> OpenFile:
        return _OsFile(self._open_regular(path, os.O_WRONLY | os.O_APPEND))

    def replace(self, source: Path, target: Path) -> None:
        os.replace(source, target)

    def unlink(self, path: Path) -> None:
        os.unlink(path)

    def make_folder(self, path: Path) -> None:
        path.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)

    def sync_folder(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self, path: Path, owner: bytes) -> HeldLock | bytes:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, _FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with os.fdopen(descriptor, "rb") as stream:
                return stream.read()
        except BaseException:
            os.close(descriptor)
            raise
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, owner, 0)
        return _OsLock(descriptor)

    @staticmethod
    def _open_regular(path: Path, flags: int) -> int:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return descriptor


TEMPORARY_SUFFIX = ".tmp"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def meaning(failure: OSError) -> VaultError:
    """What a failed call means while nothing was acknowledged: DiskFull may be tried again, ReadOnly may not."""
    if failure.errno in _FULL:
        return DiskFull("no space on the disk")
    return ReadOnly("the disk refused a file operation")


def write_atomically(files: Files, path: Path, data: bytes) -> None:
    """Temporary file → write → sync → rename; the caller syncs the folder. An error leaves no temporary behind."""
    temporary = path.with_name(path.name + TEMPORARY_SUFFIX)
    if temporary.name in files.names(path.parent):
        files.unlink(temporary)
    handle = files.create(temporary)
    try:
        try:
            handle.write(data)
            handle.sync()
        finally:
            handle.close()
        files.replace(temporary, path)
    except OSError:
        discard(files, temporary)
        raise


def discard(files: Files, path: Path) -> None:
    """Remove a file nobody needs; what cannot be removed now is garbage that the next opening removes."""
    try:
        files.unlink(path)
    except OSError:
        return
