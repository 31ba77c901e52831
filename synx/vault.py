"""One profile's directory: sealed files named by HEAD, and the journal after it.

Format and attack model: docs/format.md. What the caller may rely on: `append` returns only what is durable; a
checkpoint is all or nothing; nothing that does not authenticate is ever returned; after an I/O error nothing more is
written until the vault is opened again.
"""

import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Self

from selfimprint.synx import checkpoint, opening
from selfimprint.synx.checkpoint import Place
from selfimprint.synx.errors import (
    Damaged,
    DiskFull,
    LimitExceeded,
    Locked,
    NotCheckpointed,
    NotFound,
    ReadOnly,
    VaultError,
)
from selfimprint.synx.files import Files, HeldLock, OsFiles
from selfimprint.synx.head import Head, HeadInfo
from selfimprint.synx.journal import Journal, Ticket
from selfimprint.synx.keys import Passphrase, Randomness, SlotInfo, Unlock, wipe
from selfimprint.synx.keystore import Keystore, Note
from selfimprint.synx.names import check_name
from selfimprint.synx.opening import Opened, VaultSettings
from selfimprint.synx.sealed_files import JOURNAL_FOLDER, SLOT_FOLDER, read_sealed
from selfimprint.synx.slot_files import SlotFolder


class Vault:
    """An open profile directory; every method may be called from any thread."""

    def __init__(
        self,
        root: Path,
        opened: Opened,
        *,
        lock: HeldLock,
        files: Files,
        randomness: Randomness,
        settings: VaultSettings,
    ) -> None:
        """Use `create` or `open`."""
        self._root = root
        self._files = files
        self._randomness = randomness
        self._settings = settings
        self._lock = lock
        self._place = Place(
            root=root,
            files=files,
            profile=opened.profile,
            profile_key=opened.profile_key,
            randomness=randomness,
        )
        self._slots = SlotFolder(
            root / SLOT_FOLDER,
            profile_key=opened.profile_key,
            profile=opened.profile,
            files=files,
            cost=settings.passphrase_cost,
            randomness=randomness,
        )
        self._committed: tuple[Head, Keystore] = (opened.head, opened.keystore)
        self._damage = opened.damage
        self._checkpointing = threading.Lock()
        self._closed = False
        self._journal = Journal(
            root / JOURNAL_FOLDER,
            files=files,
            recovered=opened.recovered,
            key_for=lambda segment_id: self._committed[1].journal_key(segment_id),
            profile=opened.profile,
            randomness=randomness,
            record_bytes=settings.record_bytes,
        )
        if opened.damage:
            self._journal.fail("; ".join(opened.damage))
            return
        kept = self._journal.kept_after(opened.head.through_seq)
        with suppress(DiskFull, ReadOnly):  # reading goes on; the journal knows, and `append` says so
            self._journal.start()
        checkpoint.sweep(self._place, opened.head, opened.keystore)
        self._journal.drop([*kept, opened.head.segment], before=opened.recovered.next_segment)

    def __repr__(self) -> str:
        return f"Vault({self._root.name!r})"

    @classmethod
    def create(
        cls,
        root: Path,
        *,
        profile_id: str,
        unlock: Unlock,
        files: Files | None = None,
        randomness: Randomness = os.urandom,
        settings: VaultSettings | None = None,
    ) -> Self:
        """A new, empty, open vault in `root` (made if need be); AlreadyThere if it may hold one."""
        files, settings = files or OsFiles(), settings or VaultSettings()
        with opening.locked(root, files, make=True) as lock:
            key = opening.create_directory(
                root, profile_id=profile_id, unlock=unlock, files=files, randomness=randomness, settings=settings
            )
            opened = opening.open_directory(root, unlock=key, files=files)
            return cls(root, opened, lock=lock, files=files, randomness=randomness, settings=settings)

    @classmethod
    def open(
        cls,
        root: Path,
        *,
        unlock: Unlock,
        files: Files | None = None,
        randomness: Randomness = os.urandom,
        settings: VaultSettings | None = None,
    ) -> Self:
        """The vault in `root`; InUse at once if another process has it, WrongKey if nothing opens, else NotFound.

        Damage to the journal, or a missing file, opens read-only with `damage` saying why.
        """
        files, settings = files or OsFiles(), settings or VaultSettings()
        with opening.locked(root, files, make=False) as lock:
            opened = opening.open_directory(root, unlock=unlock, files=files)
            return cls(root, opened, lock=lock, files=files, randomness=randomness, settings=settings)

    @staticmethod
    def lock_owner(root: Path, *, files: Files | None = None) -> int | None:
        """Process id of whoever has the vault open, None if nobody has."""
        return opening.lock_owner(root, files or OsFiles())

    @property
    def profile_id(self) -> str:
        """As given to `create`."""
        return self._committed[1].profile_id

    @property
    def head_info(self) -> HeadInfo:
        """The last checkpoint."""
        head, keystore = self._committed
        return HeadInfo(
            generation=head.generation, through_seq=head.through_seq, note=MappingProxyType(dict(keystore.note))
        )

    @property
    def through_seq(self) -> int:
        """The newest journal record that the last checkpoint covers."""
        return self._committed[0].through_seq

    @property
    def last_seq(self) -> int:
        """The newest durable journal record (0: none ever)."""
        return self._journal.last_seq

    @property
    def journal_bytes(self) -> int:
        """Bytes of journal on disk: when to checkpoint is the caller's decision."""
        return self._journal.size_bytes

    @property
    def read_only(self) -> str | None:
        """Why nothing is written any more, or None."""
        return self._journal.failed

    @property
    def damage(self) -> tuple[str, ...]:
        """What was found wrong at opening; empty in a sound vault."""
        return self._damage

    def append(self, payload: bytes) -> int:
        """The record's sequence number once it is durable; ReadOnly or DiskFull: it is not acknowledged."""
        self._check_open()
        return self._journal.append(payload)

    def begin(self, payload: bytes, *, after: int | None = None) -> Ticket:
        """Give a record its number without waiting for the disk; `finish` must follow before anybody is told. DiskFull
        where it builds on the record `after` and that one was lost meanwhile."""
        self._check_open()
        return self._journal.begin(payload, after=after)

    def finish(self, ticket: Ticket) -> int:
        """The number of a begun record once it is durable; ReadOnly or DiskFull: it is lost."""
        return self._journal.finish(ticket)

    def replay(self) -> Iterator[tuple[int, bytes]]:
        """(seq, payload) of every durable record after the checkpoint, in order."""
        self._check_open()
        try:
            yield from self._journal.replay(self.through_seq)
        except OSError as error:
            raise Damaged("a journal segment cannot be read") from error

    def names(self) -> tuple[str, ...]:
        """Logical names of the live files, sorted."""
        self._check_open()
        return tuple(sorted(self._committed[1].files))

    def read(self, logical_name: str) -> bytes:
        """A live file's content; NotFound without one, Damaged if the disk does not hold what was written."""
        self._check_open()
        while True:
            entry = self._committed[1].files.get(logical_name)
            if entry is None:
                raise NotFound("no file of that name")
            try:
                return read_sealed(self._root, entry, files=self._files, profile=self._place.profile)
            except OSError as error:
                if self._committed[1].files.get(logical_name) is entry:
                    raise Damaged("a file cannot be read") from error
                # A checkpoint replaced it between the look-up and the read.

    def checkpoint(self, changed: Mapping[str, bytes | None], *, through_seq: int, note: Note) -> HeadInfo:
        """Make `changed` (None: removed) and `through_seq` real, all or nothing; appends may go on meanwhile.

        DiskFull leaves the vault as it was. ReadOnly: it is open again before or after, never between.
        """
        with self._checkpointing:
            self._check_open()
            return self._commit(changed, through_seq=through_seq, note=note)

    def _commit(self, changed: Mapping[str, bytes | None], *, through_seq: int, note: Note) -> HeadInfo:
        for name, content in changed.items():
            check_name(name)
            if content is not None and len(content) > self._settings.file_bytes:
                raise LimitExceeded("a file past its size limit")
        if not self.through_seq <= through_seq <= self.last_seq:
            raise VaultError("a checkpoint must cover what the last one did and nothing that is not durable")
        prepared, cut = checkpoint.commit(
            self._place, self._journal, self._committed, changed, through_seq=through_seq, note=note
        )
        self._committed = (prepared.head, prepared.keystore)
        checkpoint.finish(self._place, self._journal, prepared, cut, changed)
        return self.head_info

    def _check_open(self) -> None:
        if self._closed:
            raise Locked("the vault is closed")

    def rewrite(self, names: Iterable[str]) -> HeadInfo:
        """Give these files new data keys, and the journal a new key, and drop the old keys and every old segment.

        Needs every record covered by a checkpoint (NotCheckpointed else); appends wait meanwhile.
        """
        with self._checkpointing:
            self._check_open()
            with self._journal.paused():
                if self._journal.settled() != self.through_seq:
                    raise NotCheckpointed("records after the checkpoint would be lost")
                contents: dict[str, bytes | None] = {name: self.read(name) for name in names}
                note = self._committed[1].note
                self._commit(contents, through_seq=self.through_seq, note=note)
                # The first commit brings a new journal key, the second drops the old: no live segment uses it any more.
                return self._commit({}, through_seq=self.through_seq, note=note)

    def slots(self) -> tuple[SlotInfo, ...]:
        """What may be shown of each slot."""
        return self._slots.infos()

    def add_slot(self, unlock: Unlock) -> str:
        """Id of a new slot."""
        self._check_open()
        return self._slots.add(unlock)

    def remove_slot(self, slot_id: str) -> None:
        """Remove a slot; LastSlot for the only one. An old copy of the slot still opens old copies of the vault."""
        self._check_open()
        self._slots.remove(slot_id)

    def set_passphrase(self, passphrase: Passphrase) -> str:
        """Id of the new passphrase slot, in place of every older one; at no moment is there none."""
        self._check_open()
        return self._slots.replace_passphrase(passphrase)

    def close(self) -> None:
        """Wait for what is being written, overwrite the keys, let others in; a second call does nothing."""
        with self._checkpointing:
            if self._closed:
                return
            self._closed = True
            self._journal.close()
            wipe(self._place.profile_key)
            self._committed[1].wipe()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
