"""The commands around a daemon's life: init, stop, doctor."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import socket
import struct
import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from selfimprintd import output
from selfimprintd.client import ApiError, Client, NotRunning, running_daemon
from selfimprintd.config import Config, ConfigError, Unlock, load_config
from selfimprintd.exits import Exit
from selfimprintd.passphrase import ask_passphrase, read_passphrase_file
from selfimprintd.paths import Paths, find_paths, make_private, write_private
from selfimprintd.printing import show_answer
from selfimprintd.tokens import SCOPES, BadTokens, TokenFile

_STOP_SECONDS = 6.0
_FIRST_PROFILE = "default"
_HEADS = "heads"
"""Where heads trained here lie, below the state directory."""


def init(args: Namespace) -> int:
    """Directories, config, the memory under its passphrase or key file, the owner's token; never over an old one."""
    from selfimprint.synx import keys
    from selfimprint.synx.errors import AlreadyThere

    config = load_config(args.home)
    paths = config.paths
    if TokenFile(paths.tokens).tokens:
        raise ConfigError(f"there is a memory already in {paths.data}; run: selfimprintd serve")
    unlock = _choose_unlock(args, paths)
    for directory in (paths.config_file.parent, paths.data, paths.state, paths.runtime):
        make_private(directory)
    _write_config(paths, unlock)
    if unlock.key_file is not None and not unlock.key_file.exists():
        if not unlock.key_file.parent.exists():
            make_private(unlock.key_file.parent)
        keys.KeyFile.create(unlock.key_file)
    wiring = importlib.import_module("selfimprintd.wiring")
    with contextlib.suppress(AlreadyThere):  # an init that was interrupted before its last step
        wiring.create_profile(config, _FIRST_PROFILE, wiring.unlock_of(replace(config, unlock=unlock)))
    secret, token = TokenFile(paths.tokens).issue(
        name="owner",
        profile=_FIRST_PROFILE,
        scopes=SCOPES,
        audience="local",
        now_us=time.time_ns() // 1000,
        randomness=os.urandom,
    )
    write_private(paths.owner_token, secret.encode() + b"\n")
    answer = {"data": str(paths.data), "config": str(paths.config_file), "token_file": str(paths.owner_token)}
    kept = "A key file protects copies of the data, not a disk that holds both.\n" if unlock.key_file else ""
    said = (
        f"The memory is in {paths.data}, encrypted.\n{kept}The owner's token ({token.id}) is in {paths.owner_token}.\n"
        "Next: selfimprintd serve"
    )
    show_answer(args, answer, said)
    return Exit.OK


def _choose_unlock(args: Namespace, paths: Paths) -> Unlock:
    if args.key_file and args.passphrase_file:
        raise ConfigError("give --key-file or --passphrase-file, not both")
    if args.passphrase_file:
        source = Path(args.passphrase_file).expanduser().absolute()
        return Unlock(passphrase_file=source, passphrase=read_passphrase_file(source))
    if args.key_file:
        key_file = Path(args.key_file).expanduser().absolute()
        if key_file.is_relative_to(paths.data):
            raise ConfigError("keep the key file outside the data directory, or every copy of that holds its own key")
        return Unlock(key_file=key_file)
    return Unlock(passphrase=ask_passphrase("Choose a passphrase for the memory: ", twice=True))


def _write_config(paths: Paths, unlock: Unlock) -> None:
    """Names the key file in config.toml; a config that is there already and says otherwise is left to its owner."""
    setting = f"[unlock]\nkey_file = {json.dumps(str(unlock.key_file))}\n" if unlock.key_file else ""
    if paths.config_file.exists():
        if unlock.key_file and load_key_file(paths) != unlock.key_file:
            raise ConfigError(f"add to {paths.config_file}, then run this again:\n{setting}")
        return
    write_private(paths.config_file, f"# Settings: docs/api.md\n{setting}".encode())


def load_key_file(paths: Paths) -> Path | None:
    from selfimprintd.config import parse_config

    return parse_config(paths.config_file.read_text(encoding="utf-8"), paths).unlock.key_file


def heads(args: Namespace) -> int:
    """Train the heads for an embedder from the shipped lines; the daemon takes them at its next start."""
    from selfimprint.models.backends import choose
    from selfimprint.models.train import run

    config = load_config(args.home)
    try:
        backend = choose(args.embedder or config.embedder)
    except LookupError as error:
        raise ConfigError(str(error)) from error
    if backend is None:
        raise ConfigError("there is no embedder to train for; write one with --embedder")
    folder = config.paths.state / _HEADS
    make_private(config.paths.state)
    make_private(folder)
    path = run(backend.name, folder, (lambda line: None) if args.json else print)
    show_answer(args, {"heads": str(path)}, f"Trained: {path}. Restart the daemon to use them.")
    return Exit.OK


def stop(args: Namespace) -> int:
    paths = find_paths(args.home, os.environ)
    about = running_daemon(paths)
    pid = _daemon_pid(about)
    if pid is None:
        paths.daemon_file.unlink(missing_ok=True)
        raise NotRunning("the daemon is not running; it left without cleaning up, which is done now")
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + _STOP_SECONDS
    while time.monotonic() < until:
        if _daemon_pid(about) is None and not paths.daemon_file.exists():
            show_answer(args, {"stopped": pid}, "Stopped.")
            return Exit.OK
        time.sleep(0.05)
    raise ConfigError(f"process {pid} did not stop in {_STOP_SECONDS:.0f} seconds; end it with: kill -9 {pid}")


def _daemon_pid(about: dict[str, Any]) -> int | None:
    """The pid, when that process is the daemon: by who answers on its socket, not by a number that may be reused."""
    if about["socket"] and hasattr(socket, "SO_PEERCRED"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.connect(about["socket"])
            peer = probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return int(struct.unpack("3i", peer)[0])
        return None
    with contextlib.suppress(OSError):
        client = Client("", port=about["port"])
        with contextlib.suppress(ApiError, NotRunning):
            client.health()
            os.kill(about["pid"], 0)
            return int(about["pid"])
    return None


def doctor(args: Namespace) -> int:
    """Look at settings, files and the daemon; the exit status says whether all of it is well."""
    found = _look(args.home)
    rows = [{"ok": good, "what": what} | ({} if good else {"do": do}) for good, what, do in found]
    show_answer(args, {"checks": rows}, output.checks(found))
    return Exit.OK if all(good for good, _, _ in found) else Exit.UNEXPECTED


def _look(home: str | None) -> list[tuple[bool, str, str]]:
    try:
        config = load_config(home)
    except ConfigError as error:
        return [(False, "settings", str(error))]
    found = [(True, f"settings ({config.paths.config_file})", "")]
    found += [_private(path) for path in (config.paths.data, config.paths.state, config.paths.runtime)]
    found.append(_tokens(config))
    found.append(_native("kuzu" if config.graph == "kuzu" else config.graph))
    found += _daemon(home, config)
    return found


def _private(path: Path) -> tuple[bool, str, str]:
    what = f"directory {path}"
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        return False, f"{what} is missing", "run: selfimprint init"
    return mode & 0o077 == 0, f"{what}, mode {mode:o}", f"run: chmod 700 {path}"


def _tokens(config: Config) -> tuple[bool, str, str]:
    try:
        count = len(TokenFile(config.paths.tokens).tokens)
    except BadTokens as error:
        return False, "tokens", str(error)
    return count > 0, f"tokens ({count})", "run: selfimprint init"


def _native(name: str) -> tuple[bool, str, str]:
    import importlib.util

    there = name == "memory" or importlib.util.find_spec(name) is not None
    return there, f"graph store {name}", f"run: pip install {name}"


def _daemon(home: str | None, config: Config) -> list[tuple[bool, str, str]]:
    try:
        about = running_daemon(config.paths)
        client = Client.local(home)
        health = client.health().get("status")
        if health != "ok":
            return [(False, f"daemon is {health}", "unlock or restart it; its log says more")]
        client.status()
    except NotRunning as error:
        return [(False, "daemon", str(error))]
    except ApiError as error:
        return [(False, "daemon refuses the owner's token", str(error))]
    except OSError as error:
        return [(False, "daemon does not answer", f"{error.strerror or error}; restart it: selfimprintd serve")]
    return [(True, f"daemon (pid {about['pid']}, port {about['port']})", "")]
