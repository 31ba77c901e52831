"""Where a daemon's files lie: under one directory of the user's choice, or in the XDG directories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_LONGEST_SOCKET_PATH = 100  # sun_path holds 104 bytes on some systems, 108 on Linux


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    config_file: Path
    data: Path
    state: Path
    runtime: Path

    @property
    def tokens(self) -> Path:
        return self.state / "tokens.json"

    @property
    def owner_token(self) -> Path:
        return self.state / "owner-token"

    @property
    def daemon_file(self) -> Path:
        """What a running daemon says about itself: pid, port, socket, version."""
        return self.runtime / "daemon.json"

    @property
    def socket(self) -> Path | None:
        """The Unix socket; None where the directory's name is too long for one."""
        path = self.runtime / "daemon.sock"
        return path if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH else None


def find_paths(home: str | None, environ: Mapping[str, str]) -> Paths:
    """Paths under `home` (or $SELFIMPRINT_HOME), else the XDG directories, else their usual places."""
    root = home or environ.get("SELFIMPRINT_HOME", "")
    if root:
        base = Path(root).expanduser().absolute()
        return Paths(
            config_file=base / "config.toml", data=base / "data", state=base / "state", runtime=base / "runtime"
        )
    own = Path(environ.get("HOME") or Path.home())

    def xdg(variable: str, usual: str) -> Path:
        value = environ.get(variable, "")
        return (Path(value) if value.startswith("/") else own / usual) / "selfimprint"

    state = xdg("XDG_STATE_HOME", ".local/state")
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return Paths(
        config_file=xdg("XDG_CONFIG_HOME", ".config") / "config.toml",
        data=xdg("XDG_DATA_HOME", ".local/share"),
        state=state,
        runtime=Path(runtime) / "selfimprint" if runtime.startswith("/") else state / "runtime",
    )


def make_private(directory: Path) -> None:
    """Make the directory (0700) or close an existing one of ours to others; PermissionError if it is another's."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = directory.stat()
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{directory} belongs to another user; choose another directory with --home")
    if found.st_mode & 0o077:
        directory.chmod(0o700)


def write_private(path: Path, content: bytes) -> None:
    """Replace the file by `content`, atomically and durably, readable by its owner only (0600)."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
