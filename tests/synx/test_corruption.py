"""Every kind of file, changed in every way a hand or a disk may: never a wrong answer, and no plaintext to be found."""

import random
from pathlib import Path

import pytest
from memory_files import Inode, MemoryFiles
from selfimprint.synx import text
from selfimprint.synx.errors import VaultError
from selfimprint.synx.keys import Passphrase
from selfimprint.synx.opening import VaultSettings
from selfimprint.synx.vault import Vault
from vault_fixtures import CHEAP, create_vault, open_vault

CONTENTS = {"core": b"core content", "domain/x": b"x content", "domain/y": b"y content", "manifest": b"m"}
RECORDS = [(2, b"second"), (3, b"third")]
EMPTY_SEGMENT_BYTES = 48
KINDS = ["HEAD", "keystore", "slot", "segment", "newest segment", "file"]


def small_vault(*, seed: int = 7, profile_id: str = "p", suffix: bytes = b"") -> MemoryFiles:
    files = MemoryFiles()
    vault = create_vault(files, seed=seed, profile_id=profile_id)
    vault.append(b"first" + suffix)
    vault.checkpoint({name: content + suffix for name, content in CONTENTS.items()}, through_seq=1, note={})
    for _, payload in RECORDS:
        vault.append(payload + suffix)
        vault.close()
        vault = open_vault(files)
    vault.close()
    for path, inode in list(files.entries.items()):
        if path.suffix == ".seg" and len(inode.data) == EMPTY_SEGMENT_BYTES:
            del files.entries[path]
    return files


def kind_of(path: Path) -> str:
    if path.suffix == ".slot":
        return "slot"
    if path.suffix == ".seg":
        return "segment"
    return "keystore" if path.name.startswith("keystore") else "HEAD" if path.name == "HEAD" else "file"


def paths_of(files: MemoryFiles, kind: str) -> list[Path]:
    found = sorted(path for path in files.entries if path.name != "lock" and kind_of(path) == kind.split()[-1])
    if kind_of(found[0]) == "segment":
        return found[-1:] if kind == "newest segment" else found[:-1]
    return found


SOUND = small_vault()
OTHER_PROFILE = small_vault(seed=9, profile_id="q", suffix=b" of q")


def verdict(files: MemoryFiles) -> str:
    """`same`, `cut` (newest records gone), or `noticed`; a wrong answer fails here."""
    try:
        vault = open_vault(files)
    except VaultError:
        return "noticed"
    noticed = vault.read_only is not None
    for name, content in CONTENTS.items():
        try:
            assert vault.read(name) == content
        except VaultError:
            noticed = True
    found = []
    try:
        for record in vault.replay():
            found.append(record)
    except VaultError:
        noticed = True
    assert found == RECORDS[: len(found)]
    vault.close()
    return "noticed" if noticed else "same" if found == RECORDS else "cut"


def changed(data: bytes, other: bytes, chance: random.Random) -> bytes:
    at, length = chance.randrange(len(data)), chance.randrange(1, 24)
    flipped = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    return chance.choice(
        [
            flipped,
            flipped,
            data[:at],
            data + chance.randbytes(length),
            data[:at] + chance.randbytes(length) + data[at + length :],
            data[:at] + data[at + length :],
            data[:at] + other[at:],
            other,
        ]
    )


def test_the_sound_vault_gives_everything() -> None:
    """The control: unchanged, nothing is noticed."""
    assert verdict(SOUND.after_kill()) == "same"


@pytest.mark.parametrize("kind", KINDS)
def test_five_hundred_changes_of_every_kind_of_file_are_noticed(kind: str) -> None:
    """Flips, cuts, additions, other files' bytes are noticed, but for a short frame ending the newest segment."""
    chance = random.Random(kind)
    for _ in range(500):
        files = SOUND.after_kill()
        path = chance.choice(paths_of(files, kind))
        other_path = chance.choice([p for k in KINDS for p in paths_of(files, k) if p != path])
        data = bytes(files.entries[path].data)
        new = changed(data, bytes(files.entries[other_path].data), chance)
        if new == data:
            continue
        files.entries[path] = Inode(new, new)
        allowed = {"noticed"}
        if kind == "newest segment" and len(new) != len(data):
            # What ends in a short frame looks like a crash; `verdict` made sure that no record was wrong.
            allowed = {"noticed", "cut", "same"}
        assert verdict(files) in allowed, (kind, path)


@pytest.mark.parametrize("kind", KINDS)
def test_another_profiles_file_is_noticed(kind: str) -> None:
    """A file of the same kind from another profile does not pass for ours."""
    for path in paths_of(SOUND, kind):
        for foreign in paths_of(OTHER_PROFILE, kind):
            files = SOUND.after_kill()
            data = bytes(OTHER_PROFILE.entries[foreign].data)
            files.entries[path] = Inode(data, data)
            assert verdict(files) == "noticed"


@pytest.mark.parametrize("kind", ["HEAD", "keystore", "file", "segment"])
def test_an_older_copy_of_a_single_file_is_noticed(kind: str) -> None:
    """Rolling back one file alone does not fit the others."""
    files = SOUND.after_kill()
    vault = open_vault(files)
    vault.checkpoint({name: content + b"!" for name, content in CONTENTS.items()}, through_seq=3, note={})
    vault.checkpoint(CONTENTS, through_seq=3, note={})
    vault.close()
    old, new = paths_of(SOUND, kind), paths_of(files, kind)
    for old_path in old:
        for new_path in new:
            mixed = files.after_kill()
            data = bytes(SOUND.entries[old_path].data)
            if data == bytes(mixed.entries[new_path].data):
                continue
            mixed.entries[new_path] = Inode(data, data)
            assert verdict_now(mixed) == "noticed"


def verdict_now(files: MemoryFiles) -> str:
    """As `verdict` for a vault whose records are all checkpointed."""
    try:
        vault = open_vault(files)
        ok = vault.read_only is None and all(vault.read(name) == content for name, content in CONTENTS.items())
        return "same" if ok and list(vault.replay()) == [] else "noticed"
    except VaultError:
        return "noticed"


def test_files_exchanged_within_a_vault_are_noticed() -> None:
    """Two data files under each other's names do not open."""
    paths = paths_of(SOUND, "file")
    for first in paths:
        for second in paths:
            if first < second:
                files = SOUND.after_kill()
                files.entries[first], files.entries[second] = files.entries[second], files.entries[first]
                assert verdict(files) == "noticed"


def test_a_missing_file_is_noticed() -> None:
    """Removing any one file is noticed, but a segment begun after the last checkpoint, as the format page says."""
    for kind in KINDS:
        for path in paths_of(SOUND, kind):
            files = SOUND.after_kill()
            del files.entries[path]
            assert verdict(files) == ("cut" if kind == "newest segment" else "noticed"), path


def test_no_plaintext_is_on_the_disk(tmp_path: Path) -> None:
    """100 canaries in records, files, names and notes leave no trace, running or closed; a planted one is found."""
    root = tmp_path / "profile"
    canaries = [f"canary-{random.Random(n).getrandbits(64):016x}" for n in range(100)]

    def traces() -> list[str]:
        found = []
        for path in root.rglob("*"):
            data = path.read_bytes() if path.is_file() else b""
            for canary in canaries:
                raw = canary.encode()
                forms = (raw, canary.encode("utf-16-le"), raw.hex().encode())
                if canary in str(path) or any(form in data for form in forms):
                    found.append(canary)
        return found

    settings = VaultSettings(passphrase_cost=CHEAP)
    vault = Vault.create(root, profile_id="p", unlock=Passphrase(canaries[0]), settings=settings)
    for n, canary in enumerate(canaries):
        seq = vault.append(canary.encode())
        if n % 10 == 9:
            document = text.encode_document({"canary": canaries[: n + 1]}).encode()
            vault.checkpoint({f"domain/{canary}": document}, through_seq=seq - 1, note={"canary": canary})
            assert traces() == []
    vault.close()
    assert traces() == []
    (root / "data" / "planted").write_bytes(b"xx" + canaries[5].encode() + b"yy")
    assert traces() == [canaries[5]]
