"""Making and opening a profile directory: lock, slots, HEAD, keystore, journal, in this order."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from selfimprint.synx import segments, slot_files
from selfimprint.synx.container import ID_BYTES, KEY_BYTES, SALT_BYTES
from selfimprint.synx.errors import AlreadyThere, Damaged, InUse, NotFound, VaultError
from selfimprint.synx.files import Files, HeldLock, discard, meaning, write_atomically
from selfimprint.synx.head import HEAD_NAME, Head, parse_head
from selfimprint.synx.keys import PassphraseCost, Unlock, read_slot
from selfimprint.synx.keystore import (
    KEYSTORE_NAME,
    JournalKey,
    Keystore,
    keystore_file,
    new_key,
    open_keystore,
    seal_keystore,
)
from selfimprint.synx.names import profile_tag
from selfimprint.synx.recovery import Recovered, recover, segment_ids, segment_path
from selfimprint.synx.sealed_files import DATA_FOLDER, JOURNAL_FOLDER, SLOT_FOLDER, missing_files

LOCK_NAME = "lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultSettings:
    """Tunables of a vault."""

    file_bytes: int = 8 << 20  # SECURITY §1: a document is at most 8 MiB
    record_bytes: int = 4 << 20
    passphrase_cost: PassphraseCost = field(default_factory=PassphraseCost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An unlocked directory, ready to be taken over."""

    profile: bytes
    profile_key: bytearray = field(repr=False)
    head: Head
    keystore: Keystore
    recovered: Recovered
    damage: tuple[str, ...]


@contextmanager
def locked(root: Path, files: Files, *, make: bool) -> Iterator[HeldLock]:
    """The directory's lock (InUse at once if held), freed again only if the block fails; OSErrors get their meaning."""
    try:
        if make:
            files.make_folder(root)
        elif not files.names(root):
            raise NotFound("no vault here")
        held = files.lock(root / LOCK_NAME, f"{os.getpid()}\n".encode("ascii"))
    except OSError as error:
        raise meaning(error) from error
    if isinstance(held, bytes):
        pid = _parse_owner(held)
        raise InUse(f"another process ({pid or 'unknown'}) has this vault open", pid=pid)
    try:
        yield held
    except OSError as error:
        held.release()
        raise meaning(error) from error
    except BaseException:
        held.release()
        raise


def lock_owner(root: Path, files: Files) -> int | None:
    """Process id of whoever has the vault open, None if nobody has or it is unknown."""
    if LOCK_NAME not in files.names(root):
        return None
    held = files.lock(root / LOCK_NAME, b"")
    if isinstance(held, bytes):
        return _parse_owner(held)
    held.release()
    return None


def _parse_owner(content: bytes) -> int | None:
    """The process id in a lock file, if it holds one."""
    text = content.strip()
    return int(text) if text.isdigit() else None


def create_directory(
    root: Path,
    *,
    profile_id: str,
    unlock: Unlock,
    files: Files,
    randomness: Callable[[int], bytes],
    settings: VaultSettings,
) -> bytearray:
    """Write an empty vault, HEAD last, so that a half-made one is none; the profile key."""
    profile = profile_tag(profile_id)
    _refuse_or_clear(root, files)
    for folder in (SLOT_FOLDER, JOURNAL_FOLDER, DATA_FOLDER):
        files.make_folder(root / folder)
    profile_key = new_key(randomness(KEY_BYTES))
    keystore = Keystore(
        profile_id=profile_id,
        journal_keys=(JournalKey(first_segment=1, key=new_key(randomness(KEY_BYTES))),),
    )
    sealed = seal_keystore(
        keystore,
        profile_key=profile_key,
        profile=profile,
        generation=1,
        file_id=randomness(ID_BYTES),
        salt=randomness(SALT_BYTES),
    )
    slots = slot_files.SlotFolder(
        root / SLOT_FOLDER,
        profile_key=profile_key,
        profile=profile,
        files=files,
        cost=settings.passphrase_cost,
        randomness=randomness,
    )
    slots.add(unlock)
    write_atomically(files, root / keystore_file(1), sealed)
    header = segments.segment_header(1, randomness(SALT_BYTES))
    write_atomically(files, segment_path(root / JOURNAL_FOLDER, 1), header)
    files.sync_folder(root / JOURNAL_FOLDER)
    files.sync_folder(root)
    head = Head(
        profile=profile,
        generation=1,
        through_seq=0,
        first_segment=1,
        segment=1,
        keystore_hash=hashlib.sha256(sealed).digest(),
    )
    write_atomically(files, root / HEAD_NAME, head.to_bytes(profile_key))
    files.sync_folder(root)
    files.sync_folder(root.parent)
    return profile_key


def _refuse_or_clear(root: Path, files: Files) -> None:
    """Clear what an interrupted creation left; AlreadyThere if it may be anything else."""
    names = files.names(root)
    journal = root / JOURNAL_FOLDER
    used = (
        HEAD_NAME in names
        or any(name.startswith(KEYSTORE_NAME + ".") and not name.startswith(keystore_file(1)) for name in names)
        or bool(files.names(root / DATA_FOLDER))
        or any(files.size(segment_path(journal, i)) > segments.HEADER_BYTES for i in segment_ids(journal, files))
    )
    if used:
        raise AlreadyThere("a vault, or what is left of one, already stands here")
    for folder in (root / SLOT_FOLDER, journal):
        for name in files.names(folder):
            discard(files, folder / name)
    for name in names:
        if name.startswith(KEYSTORE_NAME + "."):
            discard(files, root / name)


def open_directory(root: Path, *, unlock: Unlock | bytearray, files: Files) -> Opened:
    """Unlock and verify; `unlock` may be the profile key itself, right after creation."""
    if HEAD_NAME not in files.names(root):
        if DATA_FOLDER in files.names(root) and files.names(root / DATA_FOLDER):
            raise Damaged("HEAD is missing")
        raise NotFound("no vault here")
    try:
        return _open(root, unlock, files)
    except FileNotFoundError as error:
        raise Damaged("a file of the vault is missing") from error
    except OSError as error:
        raise meaning(error) from error


def _open(root: Path, unlock: Unlock | bytearray, files: Files) -> Opened:
    if isinstance(unlock, bytearray):
        profile_key, profile = unlock, _slot_profile(root, files)
    else:
        profile_key, profile = slot_files.unlock_profile(root / SLOT_FOLDER, unlock, files=files)
    head = parse_head(files.read(root / HEAD_NAME), profile_key, profile=profile)
    sealed = files.read(root / keystore_file(head.generation))
    if hashlib.sha256(sealed).digest() != head.keystore_hash:
        raise Damaged("the keystore is not the one HEAD names")
    keystore = open_keystore(sealed, profile_key=profile_key, profile=profile)
    if profile_tag(keystore.profile_id) != profile:
        raise Damaged("the keystore belongs to another profile")
    recovered = recover(
        root / JOURNAL_FOLDER,
        files=files,
        key_for=keystore.journal_key,
        profile=profile,
        through_seq=head.through_seq,
        first_segment=head.first_segment,
        named_segment=head.segment,
        next_segment=max(item.first_segment for item in keystore.journal_keys),
    )
    damage = (*recovered.damage, *missing_files(root, keystore.files.values(), files=files))
    return Opened(
        profile=profile,
        profile_key=profile_key,
        head=head,
        keystore=keystore,
        recovered=recovered,
        damage=damage,
    )


def _slot_profile(root: Path, files: Files) -> bytes:
    """The profile's 16 bytes as the first readable slot tells them."""
    for name in files.names(root / SLOT_FOLDER):
        try:
            return read_slot(files.read(root / SLOT_FOLDER / name))[1]
        except VaultError:
            continue
    raise NotFound("no vault here")
