"""The real daemon as a process of its own, with a key file, as `selfimprint init` and `serve` make it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from selfimprintd.client import Client, NotRunning

START_S = 60.0


class RealDaemon:
    """One home directory, and the process that serves it, if it runs."""

    def __init__(self, home: Path, *, embedder: str = "none", temporary: Path | None = None) -> None:
        self.home = home
        self.environ = {**os.environ, "OMP_NUM_THREADS": "1"}
        if temporary is not None:
            self.environ["TMPDIR"] = str(temporary)
        self.log = home.parent / f"{home.name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        home.mkdir(exist_ok=True)
        key = home.parent / f"{home.name}.key"
        lines = f'embedder = "{embedder}"\n[listen]\nport = 0\n[unlock]\nkey_file = {json.dumps(str(key))}\n'
        (home / "config.toml").write_text(lines, encoding="utf-8")
        command = [sys.executable, "-m", "selfimprintd.cli", "init", "--home", str(home), "--key-file", str(key)]
        subprocess.run(command, check=True, capture_output=True, env=self.environ)

    def start(self) -> None:
        command = [sys.executable, "-m", "selfimprintd.main", "serve", "--home", str(self.home)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environ)
        until = time.monotonic() + START_S
        while True:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            assert time.monotonic() < until
            try:
                client = self.client()
                client.status()
                client.close()
                return
            except (NotRunning, OSError):
                time.sleep(0.02)

    def client(self) -> Client:
        return Client.local(str(self.home))

    def kill(self) -> None:
        """The end that nobody prepares for."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """A clean stop; its exit status."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=20)

    def __enter__(self) -> RealDaemon:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()
