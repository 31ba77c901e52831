"""A file system in memory for the vault's tests: counts calls, fails any of them, and forgets as a power cut would."""

import errno
import random
from collections.abc import Callable
from pathlib import Path

from selfimprint.synx.files import HeldLock, OpenFile

ALREADY = "already"


class Crash(BaseException):
    """The process dies here; with `ALREADY`, it was dead before."""


class Inode:
    """A file's bytes as the process sees them, and as the disk has them."""

    def __init__(self, data: bytes = b"", durable: bytes = b"") -> None:
        self.data = bytearray(data)
        self.durable = durable


Fault = Callable[[int, str, Path], BaseException | None]


class MemoryFiles:
    """Implements `Files`. `fault(number, call, path)` may return what to raise; a failed write leaves half of it."""

    def __init__(self, *, fault: Fault | None = None) -> None:
        self.entries: dict[Path, Inode] = {}
        self.durable_entries: dict[Path, Inode] = {}
        self.folders: set[Path] = set()
        self.durable_folders: set[Path] = set()
        self.locked: set[Path] = set()
        self.fault = fault
        self.calls = 0
        self.log: list[tuple[str, Path]] = []
        self.crashed = False

    def step(self, call: str, path: Path) -> BaseException | None:
        """Count a call; what it should raise."""
        if self.crashed:
            return Crash(ALREADY)
        self.calls += 1
        self.log.append((call, path))
        error = self.fault(self.calls, call, path) if self.fault else None
        self.crashed = isinstance(error, Crash)
        return error

    def _check(self, call: str, path: Path) -> None:
        error = self.step(call, path)
        if error is not None:
            raise error

    def _inode(self, path: Path) -> Inode:
        if path not in self.entries:
            raise FileNotFoundError(errno.ENOENT, "not there", str(path))
        return self.entries[path]

    def read(self, path: Path) -> bytes:
        self._check("read", path)
        return bytes(self._inode(path).data)

    def size(self, path: Path) -> int:
        self._check("size", path)
        return len(self._inode(path).data)

    def names(self, folder: Path) -> list[str]:
        self._check("names", folder)
        return sorted(path.name for path in [*self.entries, *self.folders] if path.parent == folder and path != folder)

    def create(self, path: Path) -> OpenFile:
        self._check("create", path)
        if path.parent not in self.folders:
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(path))
        if path in self.entries:
            raise FileExistsError(errno.EEXIST, "there already", str(path))
        self.entries[path] = Inode()
        return MemoryFile(self, path, self.entries[path])

    def reopen(self, path: Path) -> OpenFile:
        self._check("reopen", path)
        return MemoryFile(self, path, self._inode(path))

    def replace(self, source: Path, target: Path) -> None:
        self._check("replace", target)
        self.entries[target] = self._inode(source)
        del self.entries[source]

    def unlink(self, path: Path) -> None:
        self._check("unlink", path)
        self._inode(path)
        del self.entries[path]

    def make_folder(self, path: Path) -> None:
        self._check("make_folder", path)
        self.folders |= {path, *path.parents}
        self.durable_folders |= set(path.parents[1:])

    def sync_folder(self, path: Path) -> None:
        self._check("sync_folder", path)
        for found in [entry for entry in self.durable_entries if entry.parent == path]:
            del self.durable_entries[found]
        self.durable_entries |= {entry: inode for entry, inode in self.entries.items() if entry.parent == path}
        self.durable_folders |= {folder for folder in self.folders if folder.parent == path}

    def lock(self, path: Path, owner: bytes) -> HeldLock | bytes:
        self._check("lock", path)
        if path in self.locked:
            return bytes(self.entries[path].data)
        self.entries.setdefault(path, Inode()).data[:] = owner
        self.locked.add(path)
        return MemoryLock(self, path)

    def after_kill(self) -> "MemoryFiles":
        """What the next process finds after kill -9: everything written, synced or not."""
        found = MemoryFiles()
        found.folders, found.durable_folders = set(self.folders), set(self.folders)
        found.entries = {path: Inode(bytes(inode.data), bytes(inode.data)) for path, inode in self.entries.items()}
        found.durable_entries = dict(found.entries)
        return found

    def after_power_loss(self, chance: random.Random) -> "MemoryFiles":
        """What a power cut may leave: unsynced names old or new, unsynced bytes dropped, torn, or grown as zeros."""
        found = MemoryFiles()
        found.folders = {f for f in self.folders if f in self.durable_folders or chance.random() < 0.5}
        found.folders = {f for f in found.folders if all(p in found.folders for p in f.parents if p in self.folders)}
        found.durable_folders = set(found.folders)
        contents: dict[int, bytes] = {}
        for path in sorted({*self.entries, *self.durable_entries}):
            choices = [self.entries.get(path), self.durable_entries.get(path)]
            inode = chance.choice(choices)
            if inode is None or path.parent not in found.folders:
                continue
            if id(inode) not in contents:
                contents[id(inode)] = _left(inode, chance)
            found.entries[path] = Inode(contents[id(inode)], contents[id(inode)])
        found.durable_entries = dict(found.entries)
        return found


def _left(inode: Inode, chance: random.Random) -> bytes:
    data = bytes(inode.data)
    if data == inode.durable:
        return data
    if not data.startswith(inode.durable):
        return chance.choice([data, inode.durable])
    added = data[len(inode.durable) :]
    kept = added[: chance.randrange(len(added) + 1)]
    zeros = bytes(chance.randrange(len(added) - len(kept) + 1))
    return inode.durable + chance.choice([b"", added, kept, zeros])


class MemoryFile:
    """An open file of `MemoryFiles`."""

    def __init__(self, files: MemoryFiles, path: Path, inode: Inode) -> None:
        self._files, self._path, self._inode = files, path, inode

    def write(self, data: bytes) -> None:
        error = self._files.step("write", self._path)
        if error is not None:
            if ALREADY not in error.args:
                self._inode.data += data[: len(data) // 2]
            raise error
        self._inode.data += data

    def sync(self) -> None:
        error = self._files.step("sync", self._path)
        if error is not None:
            raise error
        self._inode.durable = bytes(self._inode.data)

    def truncate(self, size: int) -> None:
        error = self._files.step("truncate", self._path)
        if error is not None:
            raise error
        del self._inode.data[size:]

    def close(self) -> None:
        """Nothing to give back."""


class MemoryLock:
    """A held lock of `MemoryFiles`."""

    def __init__(self, files: MemoryFiles, path: Path) -> None:
        self._files, self._path = files, path

    def release(self) -> None:
        self._files.locked.discard(self._path)
