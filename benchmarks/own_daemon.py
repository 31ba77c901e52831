"""A daemon of the benchmarks' own: a home directory of its own, a free port, one profile and token for each name.

The interpreter that runs the benchmark also runs the daemon, so `.venv/bin/python benchmarks/…` measures what is
installed there. Nothing of the user's own memory is opened or seen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from selfimprint.synx.keys import KeyFile

from selfimprintd.client import Client, NotRunning, running_daemon
from selfimprintd.config import load_config
from selfimprintd.paths import find_paths, make_private, write_private
from selfimprintd.tokens import SCOPES, TokenFile
from selfimprintd.wiring import create_profile, unlock_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    embedder: str = "auto"
    clock_iso: str = ""
    """A fixed instant for the daemon's clock; empty: the system's."""
    start_s: float = 120.0
    stop_s: float = 30.0
    poll_s: float = 0.01
    call_s: float = 660.0
    """Longer than the API's longest drain."""


class NoStart(Exception):
    """The daemon did not come up; the message ends with what it said."""


class OwnDaemon:
    """A home directory, and the daemon's process while it runs."""

    def __init__(self, home: Path, settings: DaemonSettings | None = None) -> None:
        self.home = home
        self.settings = settings or DaemonSettings()
        self.paths = find_paths(str(home), {})
        self.tokens: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self, profiles: Sequence[str]) -> None:
        """What `selfimprint init` leaves, with as many profiles as named; those that exist keep their content."""
        for directory in (self.home, self.paths.data, self.paths.state, self.paths.runtime):
            make_private(directory)
        key = self.home / "benchmark.key"
        if not key.exists():
            KeyFile.create(key)
        write_private(self.paths.config_file, self._config(key).encode())
        config = load_config(str(self.home))
        tokens = TokenFile(self.paths.tokens)
        for name in profiles:
            if not (self.paths.data / "profiles" / name).exists():
                create_profile(config, name, unlock_of(config))
            self.tokens[name], _ = tokens.issue(
                name="benchmark",
                profile=name,
                scopes=SCOPES,
                audience="local",
                now_us=time.time_ns() // 1000,
                randomness=os.urandom,
            )
        if profiles:
            write_private(self.paths.owner_token, self.tokens[profiles[0]].encode() + b"\n")

    def _config(self, key: Path) -> str:
        lines = [f"embedder = {json.dumps(self.settings.embedder)}"]
        if self.settings.clock_iso:
            clock = self.home / "clock.txt"
            clock.write_text(self.settings.clock_iso, encoding="ascii")
            lines += ["testing = true", f"clock = {json.dumps(f'file:{clock}')}"]
        lines += ["[listen]", "port = 0", "[unlock]", f"key_file = {json.dumps(str(key))}"]
        return "\n".join(lines) + "\n"

    def start(self) -> float:
        """Seconds from the start of the process to its first answered request."""
        command = [sys.executable, "-m", "selfimprintd.main", "serve", "--home", str(self.home)]
        log = self.home / "daemon.log"
        began = time.perf_counter()
        with log.open("ab") as stderr:
            self._process = subprocess.Popen(command, stderr=stderr, env={"OMP_NUM_THREADS": "1", **os.environ})
        while time.perf_counter() - began < self.settings.start_s and self._process.poll() is None:
            try:
                client = self.client(next(iter(self.tokens)))
                client.health()
                client.close()
                return time.perf_counter() - began
            except NotRunning:
                time.sleep(self.settings.poll_s)
        self.stop()
        raise NoStart(f"the daemon did not start: {log.read_text(errors='replace')[-2000:]}")

    def client(self, profile: str) -> Client:
        """A client of that profile; one a thread."""
        about = running_daemon(self.paths)
        return Client(self.tokens[profile], port=about["port"], timeout_s=self.settings.call_s)

    @property
    def pid(self) -> int:
        if self._process is None:
            raise NoStart("the daemon is not started")
        return self._process.pid

    def stop(self) -> None:
        """Ask it to stop, and end it where it does not."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=self.settings.stop_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def own_daemon(profiles: Sequence[str], settings: DaemonSettings | None = None) -> Iterator[OwnDaemon]:
    """A running daemon in a temporary directory, with empty profiles of these names."""
    with tempfile.TemporaryDirectory(prefix="selfimprint-benchmark-") as folder:
        daemon = OwnDaemon(Path(folder), settings)
        daemon.prepare(profiles)
        daemon.start()
        try:
            yield daemon
        finally:
            daemon.stop()
