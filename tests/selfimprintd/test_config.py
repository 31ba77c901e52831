"""Settings: each mistake is named with what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from selfimprintd.config import Config, ConfigError, Limits, load_config, parse_config
from selfimprintd.paths import find_paths

PATHS = find_paths("/srv/memory", {})


def test_an_empty_file_means_the_defaults() -> None:
    """Loopback, the documented port, the embedder that is there, Kùzu, the host's zone."""
    config = parse_config("", PATHS)
    assert config == Config(paths=PATHS, listen=config.listen)
    assert (config.listen.host, config.listen.port) == ("127.0.0.1", 7717)
    assert config.listen.socket == Path("/srv/memory/runtime/daemon.sock")
    assert (config.embedder, config.graph, config.clock, config.testing) == ("auto", "kuzu", "system", False)


def test_every_setting_can_be_set() -> None:
    """The whole file of the documentation is read."""
    text = """
        embedder = "none"
        graph = "memory"
        timezone = "Europe/Tallinn"
        testing = true
        clock = "file:/tmp/now"
        [listen]
        host = "::1"
        port = 0
        socket = "s.sock"
        [unlock]
        key_file = "/etc/keys/memory.key"
        [limits]
        body_bytes = 2097152
        body_seconds = 5
    """
    config = parse_config(text, PATHS)
    assert (config.embedder, config.graph, config.timezone) == ("none", "memory", "Europe/Tallinn")
    assert (config.listen.host, config.listen.port, config.listen.socket) == ("::1", 0, Path("/srv/memory/s.sock"))
    assert config.unlock.key_file == Path("/etc/keys/memory.key")
    assert config.limits.body_bytes == 2_097_152
    assert config.clock == "file:/tmp/now"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ('embeder = "none"', "unknown setting embeder: did you mean embedder?"),
        ("[listen]\nprot = 1", "unknown setting listen.prot: did you mean listen.port?"),
        ("[limits]\nbody_byte = 1", "did you mean limits.body_bytes?"),
        ("zzz = 1", "known are clock, embedder"),
        ('[listen]\nhost = "0.0.0.0"', "only this machine may connect"),
        ('[listen]\nhost = "192.168.1.5"', "only this machine may connect"),
        ('[listen]\nhost = "::"', "only this machine may connect"),
        ('[listen]\nhost = "example.org"', "only this machine may connect"),
        ("[listen]\nport = 70000", "listen.port: write a port"),
        ('[listen]\nport = "7717"', "listen.port: write a whole number"),
        ("[listen]\nport = true", "listen.port: write a whole number"),
        ("listen = 1", r"write \[listen\]"),
        ('embedder = "bert"', "embedder: write one of auto, none"),
        ('graph = "neo4j"', "graph: write one of kuzu"),
        ('timezone = "Mars/Olympus"', "timezone: write a name like"),
        ('timezone = "../../etc/passwd"', "timezone: write a name like"),
        ('clock = "file:/tmp/now"', "only with testing = true"),
        ('testing = true\nclock = "tomorrow"', "clock: write"),
        ('testing = "yes"', "testing: write true or false"),
        ("[limits]\nbody_bytes = 0", "limits.body_bytes: write a number above 0"),
        ("[limits]\nbody_bytes = 99999999", "at most 10485760"),
        ('[unlock]\nkey_file = "data/key"', "outside the data directory"),
        ('[unlock]\nkey_file = "/k"\npassphrase_file = "/p"', "not both"),
        ('[unlock]\npassphrase = "hunter2hunter2"', "unknown setting unlock.passphrase"),
        ("= broken", "is not TOML"),
    ],
)
def test_a_mistake_is_named_with_what_to_write(text: str, advice: str) -> None:
    """Nobody has to guess what was meant."""
    with pytest.raises(ConfigError, match=advice):
        parse_config(text, PATHS)


def test_a_passphrase_is_not_shown_with_the_config() -> None:
    """Tracebacks and logs print the config without its secret."""
    from dataclasses import replace

    config = parse_config("", PATHS)
    secret = replace(config, unlock=replace(config.unlock, passphrase="correct horse"))
    assert "correct horse" not in repr(secret)


def test_a_missing_file_is_no_mistake_and_an_unreadable_one_is(tmp_path: Path) -> None:
    """A file that is there but is no text is named."""
    assert load_config(str(tmp_path), {}).limits == Limits()
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(str(tmp_path), {})
