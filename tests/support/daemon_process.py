"""The daemon as a process of its own, with a fake memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selfimprintd.paths import find_paths, make_private
from selfimprintd.tokens import SCOPES, TokenFile

SUPPORT = Path(__file__).parent


def prepare(home: Path) -> str:
    """What `init` leaves: a config with a key file, a token."""
    paths = find_paths(str(home), {})
    make_private(paths.state)
    (home / "config.toml").write_text('[listen]\nport = 0\n[unlock]\nkey_file = "key"\n')
    secret, _ = TokenFile(paths.tokens).issue(
        name="owner", profile="default", scopes=SCOPES, audience="local", now_us=0, randomness=os.urandom
    )
    paths.owner_token.write_text(secret)
    return secret


@contextmanager
def running(home: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, str(SUPPORT / "fake_serve.py"), str(home), *more],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(SUPPORT)},
    )  # fmt: skip
    paths = find_paths(str(home), {})
    until = time.monotonic() + 30
    try:
        while not (paths.daemon_file.exists() and str(process.pid) in paths.daemon_file.read_text()):
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            assert time.monotonic() < until
            time.sleep(0.05)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
