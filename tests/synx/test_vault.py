"""Twin of synx/vault.py (faults: test_faults.py, changed bytes: test_corruption.py)."""

import os
import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from memory_files import MemoryFiles
from selfimprint.synx.errors import (
    AlreadyThere,
    BadName,
    Damaged,
    InUse,
    LastSlot,
    LimitExceeded,
    Locked,
    NotCheckpointed,
    NotFound,
    VaultError,
    WrongKey,
)
from selfimprint.synx.keys import KeyFile, Passphrase
from selfimprint.synx.opening import VaultSettings
from selfimprint.synx.vault import Vault
from vault_fixtures import CHEAP, ROOT, FixedSecret, create_vault, open_vault

SETTINGS = VaultSettings(passphrase_cost=CHEAP)


def test_what_is_written_is_read_after_reopening(tmp_path: Path) -> None:
    """On real files: records and checkpointed contents are there again, with the note, under the same profile id."""
    root = tmp_path / "profile"
    with Vault.create(root, profile_id="anna", unlock=Passphrase("open sesame"), settings=SETTINGS) as vault:
        assert [vault.append(b"a"), vault.append(b"b"), vault.append(b"c")] == [1, 2, 3]
        info = vault.checkpoint({"core": b"C", "domain/äß": b"D" * 200_000}, through_seq=2, note={"by": "test", "n": 4})
        assert (info.generation, info.through_seq, dict(info.note)) == (2, 2, {"by": "test", "n": 4})
    with Vault.open(root, unlock=Passphrase("open sesame"), settings=SETTINGS) as vault:
        assert vault.names() == ("core", "domain/äß")
        assert vault.read("domain/äß") == b"D" * 200_000 and vault.read("core") == b"C"
        assert list(vault.replay()) == [(3, b"c")]
        assert (vault.profile_id, vault.through_seq, vault.last_seq, vault.damage) == ("anna", 2, 3, ())
        assert dict(vault.head_info.note) == {"by": "test", "n": 4}
        assert vault.append(b"d") == 4
    modes = {path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file()}
    assert modes == {0o600} and root.stat().st_mode & 0o777 == 0o700


def test_a_second_opener_is_told_who_has_it(tmp_path: Path) -> None:
    """Another process gets InUse with our process id at once, and can open once we are gone."""
    root, key = tmp_path / "profile", KeyFile.create(tmp_path / "key")
    script = (
        "import sys; from pathlib import Path\n"
        "from selfimprint.synx.errors import InUse\nfrom selfimprint.synx.keys import KeyFile\n"
        "from selfimprint.synx.vault import Vault\n"
        "try:\n    Vault.open(Path(sys.argv[1]), unlock=KeyFile(Path(sys.argv[2]))); print('opened')\n"
        "except InUse as error:\n    print(error.pid)\n"
    )
    command = [sys.executable, "-c", script, str(root), str(key.path)]
    with Vault.create(root, profile_id="p", unlock=key, settings=SETTINGS):
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == str(os.getpid())
        assert Vault.lock_owner(root) == os.getpid()
        with pytest.raises(InUse):
            Vault.open(root, unlock=key)
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "opened"
    assert Vault.lock_owner(root) is None


def test_a_vault_is_not_made_over_another() -> None:
    """Neither over a whole one nor over one whose HEAD is gone."""
    files = MemoryFiles()
    vault = create_vault(files)
    vault.checkpoint({"core": b"C"}, through_seq=0, note={})
    vault.close()
    with pytest.raises(AlreadyThere):
        create_vault(files)
    files.unlink(ROOT / "HEAD")
    with pytest.raises(AlreadyThere):
        create_vault(files)
    with pytest.raises(Damaged):
        open_vault(files)


def test_nothing_there_and_wrong_keys_are_told_apart(tmp_path: Path) -> None:
    """An empty place is NotFound, a wrong passphrase WrongKey, and a failed opening leaves no lock."""
    with pytest.raises(NotFound):
        Vault.open(tmp_path / "none", unlock=Passphrase("x"))
    files = MemoryFiles()
    create_vault(files).close()
    with pytest.raises(WrongKey):
        Vault.open(ROOT, unlock=FixedSecret(b"t" * 32), files=files)
    open_vault(files).close()


def test_a_checkpoint_replaces_removes_and_cleans_up() -> None:
    """Old generations, removed names and covered segments leave the disk; unchanged files stay as they are."""
    files = MemoryFiles()
    vault = create_vault(files)
    vault.append(b"a")
    vault.checkpoint({"core": b"1", "domain/x": b"x", "domain/y": b"y"}, through_seq=1, note={})
    kept = {path for path in files.entries if "domain" in str(path)}
    vault.append(b"b")
    vault.checkpoint({"core": b"2", "domain/y": None, "never/there": None}, through_seq=2, note={})
    assert vault.names() == ("core", "domain/x") and vault.read("core") == b"2"
    data = {path for path in files.entries if path.is_relative_to(ROOT / "data")}
    assert len(data) == 2 and len(data & kept) == 1
    assert len([path for path in files.entries if path.name.startswith("keystore")]) == 1
    assert len([path for path in files.entries if path.suffix == ".seg"]) == 1
    with pytest.raises(NotFound):
        vault.read("domain/y")


def test_appends_during_a_checkpoint_are_kept() -> None:
    """Records after `through_seq` stay in the journal however checkpoints and appends interleave."""
    files = MemoryFiles()
    vault = create_vault(files)
    acknowledged: dict[int, bytes] = {}

    def work(name: int) -> None:
        for n in range(40):
            payload = b"%d-%d" % (name, n)
            acknowledged[vault.append(payload)] = payload

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for n in range(8):
        vault.checkpoint({"core": b"%d" % n}, through_seq=vault.last_seq, note={})
    for thread in threads:
        thread.join()
    vault.close()
    again = open_vault(files)
    expected = {seq: payload for seq, payload in acknowledged.items() if seq > again.through_seq}
    assert dict(again.replay()) == expected and len(acknowledged) == 160


def test_reads_during_checkpoints_see_one_whole_version() -> None:
    """A reader gets the content before or after, never an error."""
    vault = create_vault(MemoryFiles())
    vault.checkpoint({"core": b"0"}, through_seq=0, note={})
    seen: list[bytes] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(vault.read("core"))

    thread = threading.Thread(target=read)
    thread.start()
    for n in range(30):
        vault.checkpoint({"core": b"%d" % n}, through_seq=0, note={})
    done.set()
    thread.join()
    assert [int(content) for content in seen] == sorted(int(content) for content in seen)


def test_rewriting_leaves_no_key_for_old_copies() -> None:
    """Old copies of rewritten files, segments and keystores do not open with what is live; a complete old copy does."""
    files = MemoryFiles()
    vault = create_vault(files)
    vault.append(b"to be forgotten")
    vault.checkpoint({"domain/x": b"old secret", "core": b"C"}, through_seq=0, note={})
    copy = files.after_kill()
    with pytest.raises(NotCheckpointed):
        vault.rewrite(["domain/x"])
    vault.checkpoint({"domain/x": b"new"}, through_seq=1, note={"kept": "note"})
    vault.rewrite(["domain/x", "core"])
    assert vault.read("domain/x") == b"new" and dict(vault.head_info.note) == {"kept": "note"}
    live = {bytes(entry.key) for entry in vault._committed[1].files.values()}
    live |= {bytes(item.key) for item in vault._committed[1].journal_keys}
    vault.append(b"afterwards")
    vault.close()
    old = open_vault(copy)
    old_keys = {bytes(entry.key) for entry in old._committed[1].files.values()}
    old_keys |= {bytes(old._committed[1].journal_key(segment)) for segment in (1, 2)}
    assert old.read("domain/x") == b"old secret" and list(old.replay()) == [(1, b"to be forgotten")]
    assert not live & old_keys
    assert list(open_vault(files).replay()) == [(2, b"afterwards")]


def test_slots_can_be_added_changed_and_removed(tmp_path: Path) -> None:
    """Any slot opens the vault; a changed passphrase closes out the old one; the last slot stays."""
    root, key = tmp_path / "profile", KeyFile.create(tmp_path / "key")
    with Vault.create(root, profile_id="p", unlock=Passphrase("old"), settings=SETTINGS) as vault:
        vault.append(b"a")
        with pytest.raises(LastSlot):
            vault.remove_slot(vault.slots()[0].slot_id)
        key_slot = vault.add_slot(key)
        vault.set_passphrase(Passphrase("new"))
        assert sorted(info.kind.name for info in vault.slots()) == ["KEY_FILE", "PASSPHRASE"]
    with pytest.raises(WrongKey):
        Vault.open(root, unlock=Passphrase("old"), settings=SETTINGS)
    with Vault.open(root, unlock=key, settings=SETTINGS) as vault:
        assert list(vault.replay()) == [(1, b"a")]
        vault.remove_slot(key_slot)
        with pytest.raises(NotFound):
            vault.remove_slot(key_slot)
    with pytest.raises(WrongKey):
        Vault.open(root, unlock=key, settings=SETTINGS)
    Vault.open(root, unlock=Passphrase("new"), settings=SETTINGS).close()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/x",
        "x/",
        "Core",
        "../x",
        "a/b/c",
        "a/\n",
        "a/\ud800",
        "a/\0",
        "a/" + "é" * 100,
        "ä",
        "a b",
        "a.b",
        "domain//x",
    ],
)
def test_hostile_names_are_refused_before_anything_is_written(name: str) -> None:
    """A name outside the grammar is BadName and changes nothing."""
    files = MemoryFiles()
    vault = create_vault(files)
    before = set(files.entries)
    with pytest.raises(BadName):
        vault.checkpoint({name: b"x"}, through_seq=0, note={})
    assert set(files.entries) == before


@pytest.mark.parametrize(
    "name", ["domain/..", "domain/.", "domain/日本語 \U0001f600", "domain/~`'\"\\;#", "sessions/2026-11", "domain/ x "]
)
def test_odd_names_never_reach_the_disk(name: str) -> None:
    """Anything printable is a name; the disk shows its folder and a random id."""
    files = MemoryFiles()
    vault = create_vault(files)
    vault.checkpoint({name: b"x"}, through_seq=0, note={})
    vault.close()
    assert open_vault(files).read(name) == b"x"
    written = [path for path in files.entries if path.is_relative_to(ROOT / "data")]
    assert [path.parent.name for path in written] == [name.partition("/")[0]]
    assert re.fullmatch(r"[0-9a-f]{32}\.[0-9a-f]{16}", written[0].name)


def test_limits_are_refused_and_change_nothing() -> None:
    """Too large a file and a checkpoint beyond what is durable are refused; the vault goes on."""
    vault = create_vault(MemoryFiles())
    with pytest.raises(LimitExceeded):
        vault.checkpoint({"core": bytes((8 << 20) + 1)}, through_seq=0, note={})
    for through_seq in (1, -1):
        with pytest.raises(VaultError):
            vault.checkpoint({}, through_seq=through_seq, note={})
    with pytest.raises(LimitExceeded):
        vault.append(bytes((4 << 20) + 1))
    with pytest.raises(BadName):
        Vault.create(ROOT, profile_id="a/b", unlock=FixedSecret(), files=MemoryFiles())
    assert vault.append(b"x") == 1


def test_a_closed_vault_is_locked_and_its_keys_are_overwritten() -> None:
    """After close nothing is read or written, and the key bytes are zeros."""
    vault = create_vault(MemoryFiles())
    vault.checkpoint({"core": b"x"}, through_seq=0, note={})
    key, data_key = vault._place.profile_key, vault._committed[1].files["core"].key
    vault.close()
    vault.close()
    assert key == bytes(32) and data_key == bytes(32)
    for call in (lambda: vault.read("core"), lambda: vault.append(b"x"), vault.names, lambda: list(vault.replay())):
        with pytest.raises(Locked):
            call()
    with pytest.raises(Locked):
        vault.checkpoint({}, through_seq=0, note={})


def test_no_repr_shows_key_bytes() -> None:
    """Keys stay out of tracebacks and logs that print our values."""
    vault = create_vault(MemoryFiles())
    vault.checkpoint({"core": b"x"}, through_seq=0, note={})
    shown = repr(vault) + repr(vault._committed) + repr(vault._place)
    for key in (
        vault._place.profile_key,
        vault._committed[1].files["core"].key,
        vault._committed[1].journal_keys[0].key,
    ):
        assert repr(bytes(key))[2:-1] not in shown and bytes(key).hex() not in shown


def test_many_starts_leave_no_pile_of_segments() -> None:
    """Empty segments of earlier starts are removed."""
    files = MemoryFiles()
    vault = create_vault(files)
    vault.append(b"a")
    for _ in range(10):
        vault.close()
        vault = open_vault(files)
    assert len([path for path in files.entries if path.suffix == ".seg"]) <= 3
    assert list(vault.replay()) == [(1, b"a")]


def test_a_random_life_matches_a_plain_model() -> None:
    """Appends, checkpoints, rewrites and reopenings in random order agree with dicts and lists at each step."""
    for seed in range(15):
        chance = random.Random(seed)
        files = MemoryFiles()
        vault = create_vault(files)
        contents: dict[str, bytes] = {}
        records: list[tuple[int, bytes]] = []
        for n in range(25):
            action = chance.choice(["append", "append", "checkpoint", "reopen", "rewrite"])
            if action == "append":
                records.append((vault.append(b"%d" % n), b"%d" % n))
            elif action == "checkpoint":
                through = chance.randrange(vault.through_seq, vault.last_seq + 1)
                changed = {f"domain/{chance.randrange(5)}": chance.choice([b"x%d" % n, None]) for _ in range(3)}
                vault.checkpoint(changed, through_seq=through, note={"n": n})
                contents = {k: v for k, v in {**contents, **changed}.items() if v is not None}
                records = [record for record in records if record[0] > through]
            elif action == "rewrite" and vault.last_seq == vault.through_seq:
                vault.rewrite(list(contents))
            elif action == "reopen":
                vault.close()
                vault = open_vault(files, seed=1000 * seed + n)
            assert {name: vault.read(name) for name in vault.names()} == contents
            assert list(vault.replay()) == records
