"""init, stop and doctor."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from daemon_process import prepare, running
from live import LiveServer
from selfimprint.synx.errors import AlreadyThere

from selfimprintd.cli import main
from selfimprintd.config import Config, load_config
from selfimprintd.exits import Exit
from selfimprintd.paths import find_paths
from selfimprintd.tokens import TokenFile

Captured = pytest.CaptureFixture[str]


class Wiring(SimpleNamespace):
    """Takes the composition root's place: remembers what it was asked to make."""

    made: list[tuple[str, Any]]

    def unlock_of(self, config: Config) -> Any:
        return config.unlock

    def create_profile(self, config: Config, profile_id: str, unlock: Any) -> None:
        if self.made:
            raise AlreadyThere("there is one")
        self.made.append((profile_id, unlock))


@pytest.fixture
def wiring(monkeypatch: pytest.MonkeyPatch) -> Wiring:
    fake = Wiring(made=[])
    monkeypatch.setitem(sys.modules, "selfimprintd.wiring", fake)  # type: ignore[arg-type]  # stands in for a module
    return fake


def test_init_with_a_key_file_makes_everything_private(tmp_path: Path, wiring: Wiring, capsys: Captured) -> None:
    """Directories 0700, files 0600, a token that is known by its hash, a config that names the key."""
    home, key = tmp_path / "home", tmp_path / "keys" / "memory.key"
    assert main(["init", "--home", str(home), "--key-file", str(key)]) == Exit.OK
    said = capsys.readouterr().out
    paths = find_paths(str(home), {})
    assert "Next: selfimprintd serve" in said and "not a disk that holds both" in said
    for directory in (home, paths.data, paths.state, paths.runtime, key.parent):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    for file in (paths.config_file, paths.tokens, paths.owner_token, key):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = paths.owner_token.read_text().strip()
    found = TokenFile(paths.tokens).find(token)
    assert found is not None and (found.profile, found.scopes) == ("default", ("read", "write", "admin"))
    assert token not in said
    assert load_config(str(home), {}).unlock.key_file == key
    assert [profile for profile, _ in wiring.made] == ["default"]


def test_init_with_a_passphrase_file_keeps_the_passphrase_nowhere(tmp_path: Path, wiring: Wiring) -> None:
    """The memory is made with it; no file below the home holds it."""
    home, secret = tmp_path / "home", tmp_path / "pass"
    secret.write_text("correct horse battery\n")
    secret.chmod(0o600)
    assert main(["init", "--home", str(home), "--passphrase-file", str(secret)]) == Exit.OK
    assert wiring.made[0][1].passphrase == "correct horse battery"
    assert all(b"horse" not in file.read_bytes() for file in home.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    ("content", "mode", "advice"),
    [("correct horse\n", 0o644, "chmod 600"), ("short\n", 0o600, "at least 8"), ("\n", 0o600, "at least 8")],
)
def test_init_refuses_a_careless_passphrase(
    tmp_path: Path, wiring: Wiring, capsys: Captured, content: str, mode: int, advice: str
) -> None:
    """Open files and short passphrases are refused before anything is made."""
    secret = tmp_path / "pass"
    secret.write_text(content)
    secret.chmod(mode)
    assert main(["init", "--home", str(tmp_path / "home"), "--passphrase-file", str(secret)]) == Exit.SETUP
    assert advice in capsys.readouterr().err
    assert not (tmp_path / "home").exists() and not wiring.made


def test_init_without_a_terminal_names_the_options(tmp_path: Path, wiring: Wiring, capsys: Captured) -> None:
    """A script is told how to give the passphrase."""
    assert main(["init", "--home", str(tmp_path / "home")]) == Exit.SETUP
    assert "--passphrase-file" in capsys.readouterr().err


def test_init_asks_twice_on_a_terminal(tmp_path: Path, wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two different answers make nothing."""
    said = iter(["correct horse", "correct house", "correct horse", "correct horse"])
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(said))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    assert main(["init", "--home", str(tmp_path / "home")]) == Exit.SETUP
    assert not wiring.made
    assert main(["init", "--home", str(tmp_path / "home")]) == Exit.OK
    assert wiring.made[0][1].passphrase == "correct horse"


def test_init_never_replaces_a_memory_and_goes_on_with_a_half_made_one(
    tmp_path: Path, wiring: Wiring, capsys: Captured
) -> None:
    """A second init is refused; one whose token was never written is finished with the same key."""
    home, key = tmp_path / "home", tmp_path / "memory.key"
    argv = ["init", "--home", str(home), "--key-file", str(key)]
    assert main(argv) == Exit.OK
    bytes_of_key = key.read_bytes()
    assert main(argv) == Exit.SETUP
    assert "there is a memory already" in capsys.readouterr().err
    find_paths(str(home), {}).tokens.unlink()
    assert main(argv) == Exit.OK
    assert key.read_bytes() == bytes_of_key


def test_a_key_inside_the_data_is_refused(tmp_path: Path, wiring: Wiring, capsys: Captured) -> None:
    """Whoever copies the data must not copy the key with it."""
    key = tmp_path / "home" / "data" / "key"
    assert main(["init", "--home", str(tmp_path / "home"), "--key-file", str(key)]) == Exit.SETUP
    assert "outside the data directory" in capsys.readouterr().err


def test_an_existing_config_is_left_to_its_owner(tmp_path: Path, wiring: Wiring, capsys: Captured) -> None:
    """Init says which lines to add instead of rewriting the file."""
    (tmp_path / "config.toml").write_text('embedder = "none"\n')
    key = tmp_path / "memory.key"
    assert main(["init", "--home", str(tmp_path), "--key-file", str(key)]) == Exit.SETUP
    assert "key_file" in capsys.readouterr().err
    (tmp_path / "config.toml").write_text(f'embedder = "none"\n[unlock]\nkey_file = {json.dumps(str(key))}\n')
    assert main(["init", "--home", str(tmp_path), "--key-file", str(key)]) == Exit.OK
    assert load_config(str(tmp_path), {}).embedder == "none"


def test_stop_ends_the_daemon_and_waits_for_it(short_home: Path, capsys: Captured) -> None:
    """The process is known by who answers on its socket."""
    prepare(short_home)
    with running(short_home) as process:
        waiter = threading.Thread(target=process.wait)
        waiter.start()
        assert main(["stop", "--home", str(short_home)]) == Exit.OK
        waiter.join(10)
        assert process.returncode == 0
    assert capsys.readouterr().out == "Stopped.\n"


def test_stop_never_ends_a_stranger_that_got_the_old_pid(short_home: Path, capsys: Captured) -> None:
    """A daemon.json left by a killed daemon may name a pid that is somebody else's by now."""
    paths = find_paths(str(short_home), {})
    paths.runtime.mkdir()
    about = {"pid": os.getpid(), "port": 1, "socket": str(paths.socket), "version": "0"}
    paths.daemon_file.write_text(json.dumps(about))
    assert main(["stop", "--home", str(short_home)]) == Exit.NOT_RUNNING
    assert not paths.daemon_file.exists()
    paths.daemon_file.write_text(json.dumps(about | {"socket": ""}))
    assert main(["stop", "--home", str(short_home)]) == Exit.NOT_RUNNING
    assert "not running" in capsys.readouterr().err


def test_doctor_is_content_with_a_running_daemon(live: LiveServer, capsys: Captured) -> None:
    """Every line ok."""
    assert main(["doctor", "--home", str(live.home)]) == Exit.OK
    said = capsys.readouterr().out
    assert "BAD" not in said and f"port {live.port}" in said


def test_doctor_finds_what_is_wrong_and_says_what_to_do(tmp_path: Path, capsys: Captured) -> None:
    """Open directories, no token, no daemon, a locked one, a broken setting."""
    (tmp_path / "state").mkdir(mode=0o755)
    assert main(["doctor", "--home", str(tmp_path)]) == Exit.UNEXPECTED
    said = capsys.readouterr().out
    for advice in ("chmod 700", "run: selfimprint init", "start it with: selfimprintd serve"):
        assert advice in said
    (tmp_path / "config.toml").write_text("embeder = 1")
    assert main(["doctor", "--home", str(tmp_path)]) == Exit.UNEXPECTED
    assert "did you mean embedder?" in capsys.readouterr().out


def test_doctor_tells_a_locked_daemon_from_one_that_refuses_the_token(live: LiveServer, capsys: Captured) -> None:
    """Each has its own advice."""
    live.daemon.is_locked = True
    assert main(["doctor", "--home", str(live.home)]) == Exit.UNEXPECTED
    assert "daemon is locked" in capsys.readouterr().out
    live.daemon.is_locked = False
    token = live.paths.owner_token.read_bytes()
    live.paths.owner_token.write_bytes(b"si_" + b"y" * 43)
    try:
        assert main(["doctor", "--home", str(live.home)]) == Exit.UNEXPECTED
        assert "refuses the owner's token" in capsys.readouterr().out
    finally:
        live.paths.owner_token.write_bytes(token)
