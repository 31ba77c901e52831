"""The daemon as a process: what it leaves while it runs, and how it ends."""

from __future__ import annotations

import json
import signal
import stat
import time
from pathlib import Path

import pytest
from daemon_process import prepare, running
from live import LiveServer

from selfimprintd import main as daemon_main
from selfimprintd.client import Client
from selfimprintd.exits import Exit
from selfimprintd.main import literal_hosts
from selfimprintd.paths import find_paths


def test_a_daemon_says_where_it_is_serves_and_leaves_nothing_behind(short_home: Path) -> None:
    """daemon.json and the socket are private, dumps are off, SIGTERM ends with 0 and both are gone."""
    prepare(short_home)
    paths = find_paths(str(short_home), {})
    with running(short_home) as process:
        about = json.loads(paths.daemon_file.read_text())
        assert about["pid"] == process.pid and about["port"] > 0 and about["version"]
        assert stat.S_IMODE(paths.daemon_file.stat().st_mode) == 0o600
        for directory in (paths.data, paths.state, paths.runtime):
            assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        client = Client.local(str(short_home))
        until = time.monotonic() + 10
        while client.health() != {"status": "ok"}:
            assert time.monotonic() < until
        client.add("user", "zebra-canary")
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert "Max core file size        0                    0" in limits
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == Exit.OK
        log = process.stderr.read() if process.stderr else ""
    assert "ready on" in log and "stopped" in log and "zebra" not in log
    assert not paths.daemon_file.exists() and paths.socket is not None and not paths.socket.exists()


def test_a_memory_that_does_not_stop_is_left_in_time(short_home: Path) -> None:
    """SIGTERM ends the process though the memory hangs: what was acknowledged is in the journal."""
    prepare(short_home)
    with running(short_home, "60") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == Exit.UNEXPECTED
        assert "did not stop in time" in (process.stderr.read() if process.stderr else "")


def test_a_memory_that_fails_to_stop_is_told_by_its_code(short_home: Path) -> None:
    """Status 1, the code in the log, and still nothing left behind."""
    prepare(short_home)
    with running(short_home, "0", "fails") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == Exit.UNEXPECTED
        log = process.stderr.read() if process.stderr else ""
    assert "failed to stop: BadName (bad-name)" in log and "zebra" not in log
    assert not find_paths(str(short_home), {}).daemon_file.exists()


def test_a_killed_daemon_does_not_keep_the_next_from_starting(short_home: Path) -> None:
    """The socket and daemon.json of a killed process are replaced."""
    prepare(short_home)
    with running(short_home) as process:
        process.kill()
    with running(short_home):
        assert Client.local(str(short_home)).status()["profile"] == "default"


def test_a_second_daemon_of_the_same_home_is_refused(live: LiveServer, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the command that stops the first."""
    (live.home / "config.toml").write_text('[listen]\nport = 0\n[unlock]\nkey_file = "key"\n')
    assert daemon_main.main(["serve", "--home", str(live.home)]) == Exit.SETUP
    assert "selfimprint stop" in capsys.readouterr().err
    assert live.ask("GET", "/api/v1/status")[0] == 200


def test_serving_before_init_says_to_run_init(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And makes nothing."""
    assert daemon_main.main(["serve", "--home", str(tmp_path / "new")]) == Exit.SETUP
    assert "selfimprint init" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_without_a_terminal_a_passphrase_comes_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the option."""
    prepare(tmp_path)
    (tmp_path / "config.toml").write_text("")
    assert daemon_main.main(["serve", "--home", str(tmp_path)]) == Exit.SETUP
    assert "--passphrase-file" in capsys.readouterr().err


def test_a_wrong_setting_ends_with_its_advice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, no traceback."""
    (tmp_path / "config.toml").write_text('[listen]\nhost = "0.0.0.0"\n')
    assert daemon_main.main(["serve", "--home", str(tmp_path)]) == Exit.SETUP
    said = capsys.readouterr().err
    assert "only this machine may connect" in said and "Traceback" not in said


def test_our_own_names_are_literal() -> None:
    """Address and localhost, with the port; an IPv6 address in brackets."""
    assert literal_hosts("127.0.0.1", 7717) == {"127.0.0.1:7717", "localhost:7717"}
    assert literal_hosts("::1", 80) == {"[::1]:80", "localhost:80"}
