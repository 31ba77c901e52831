"""Twin of synx/checkpoint.py (every failing call of it: test_faults.py)."""

import errno
from pathlib import Path

import pytest
from memory_files import MemoryFiles
from selfimprint.synx.errors import Damaged, DiskFull, ReadOnly
from vault_fixtures import ROOT, create_vault, open_vault


class Lying(MemoryFiles):
    """Gives wrong bytes back for files of one folder, once told to."""

    lying: Path | None = None

    def read(self, path: Path) -> bytes:
        data = super().read(path)
        return data[:-1] + bytes([data[-1] ^ 1]) if self.lying in (path, path.parent) else data


@pytest.mark.parametrize("place", [ROOT / "data", ROOT / "HEAD"])
def test_a_disk_that_gives_other_bytes_back_stops_the_vault(place: Path) -> None:
    """Read-back fails: read-only, the older generation is still on the disk."""
    files = Lying()
    vault = create_vault(files)
    vault.checkpoint({"core": b"old"}, through_seq=0, note={})
    before = set(files.entries)
    files.lying = place
    with pytest.raises(ReadOnly):
        vault.checkpoint({"core": b"new"}, through_seq=0, note={})
    assert vault.read_only is not None and before - {ROOT / "HEAD"} <= set(files.entries)
    with pytest.raises(ReadOnly):
        vault.append(b"x")
    files.lying = None
    assert vault.read("core") == b"new"
    files.lying = ROOT / "data"
    with pytest.raises(Damaged):
        vault.read("core")


def test_a_full_disk_leaves_the_old_state_and_no_rest() -> None:
    """Files written before the disk was full are removed again; the same checkpoint works once there is room."""
    files = MemoryFiles()
    vault = create_vault(files)
    seq = vault.append(b"a")
    names = {path for path in files.entries if path.suffix != ".seg"}

    def full(number: int, call: str, path: Path) -> OSError | None:
        return OSError(errno.ENOSPC, "full") if call == "write" and path.name.startswith("keystore") else None

    files.fault = full
    with pytest.raises(DiskFull):
        vault.checkpoint({"core": b"C", "domain/x": b"X"}, through_seq=seq, note={})
    assert {path for path in files.entries if path.suffix != ".seg"} == names
    assert vault.names() == () and list(vault.replay()) == [(1, b"a")] and vault.append(b"b") == 2
    files.fault = None
    vault.checkpoint({"core": b"C", "domain/x": b"X"}, through_seq=seq, note={})
    vault.close()
    again = open_vault(files)
    assert again.read("domain/x") == b"X" and list(again.replay()) == [(2, b"b")]
