"""Slots on disk: one file a slot, added and removed without touching the others."""

from collections.abc import Callable
from pathlib import Path

from selfimprint.synx.errors import Damaged, LastSlot, NotFound, Unwritable, VaultError, WrongKey
from selfimprint.synx.files import Files, meaning, write_atomically
from selfimprint.synx.keys import (
    KeyFile,
    Passphrase,
    PassphraseCost,
    SlotInfo,
    SlotKind,
    Unlock,
    read_slot,
    unwrap_key,
    wrap_key,
)

_SUFFIX = ".slot"


def _slot_names(folder: Path, files: Files) -> list[str]:
    return [name for name in files.names(folder) if name.endswith(_SUFFIX)]


def unlock_profile(folder: Path, unlock: Unlock, *, files: Files) -> tuple[bytearray, bytes]:
    """The profile key and the profile tag, by the first slot that opens; WrongKey, or the damage, if none does."""
    refused: VaultError | None = None
    for name in _slot_names(folder, files):
        slot = files.read(folder / name)
        try:
            return unwrap_key(slot, unlock), read_slot(slot)[1]
        except WrongKey as error:
            refused = refused or error
        except VaultError as error:
            refused = error
    if refused is None:
        raise NotFound("no vault here")
    raise refused


class SlotFolder:
    """The slots of an unlocked profile."""

    def __init__(
        self,
        folder: Path,
        *,
        profile_key: bytearray,
        profile: bytes,
        files: Files,
        cost: PassphraseCost,
        randomness: Callable[[int], bytes],
    ) -> None:
        """`cost` is that of new passphrase slots."""
        self._folder = folder
        self._profile_key = profile_key
        self._profile = profile
        self._files = files
        self._cost = cost
        self._randomness = randomness

    def infos(self) -> tuple[SlotInfo, ...]:
        """Every readable slot."""
        result = []
        for name in _slot_names(self._folder, self._files):
            try:
                result.append(read_slot(self._files.read(self._folder / name))[0])
            except VaultError:
                continue
        return tuple(result)

    def add(self, unlock: Unlock) -> str:
        """Id of a new, durable slot that was read back; a key file inside the vault's own folder is refused."""
        if isinstance(unlock, KeyFile) and unlock.path.resolve().is_relative_to(self._folder.parent.resolve()):
            raise Unwritable("a key file inside the data directory would travel with every copy of it")
        slot = wrap_key(self._profile_key, unlock, profile=self._profile, cost=self._cost, randomness=self._randomness)
        info, _ = read_slot(slot)
        path = self._folder / (info.slot_id + _SUFFIX)
        try:
            write_atomically(self._files, path, slot)
            self._files.sync_folder(self._folder)
            if self._files.read(path) != slot:
                raise Damaged("a slot does not read back as it was written")
        except OSError as error:
            raise meaning(error) from error
        return info.slot_id

    def remove(self, slot_id: str) -> None:
        """Remove one slot; LastSlot if no other readable one stays."""
        try:
            found = self.infos()
            if slot_id not in {info.slot_id for info in found}:
                raise NotFound("no slot of that id")
            if len(found) == 1:
                raise LastSlot("the only slot cannot be removed")
            self._files.unlink(self._folder / (slot_id + _SUFFIX))
            self._files.sync_folder(self._folder)
        except OSError as error:
            raise meaning(error) from error

    def replace_passphrase(self, passphrase: Passphrase) -> str:
        """Id of the new passphrase slot, in place of every older one; at no moment is there none."""
        older = [info.slot_id for info in self.infos() if info.kind is SlotKind.PASSPHRASE]
        slot_id = self.add(passphrase)
        for old in older:
            self.remove(old)
        return slot_id
