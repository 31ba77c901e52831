"""The daemon's process with a fake memory: `python fake_serve.py HOME [SECONDS THAT STOPPING TAKES [fails]]`."""

from __future__ import annotations

import sys

from fake_memory import FakeDaemon

from selfimprintd.config import Config
from selfimprintd.main import run


def build(config: Config) -> FakeDaemon:
    daemon = FakeDaemon()
    daemon.stop_takes_s = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    daemon.stop_fails = len(sys.argv) > 3
    return daemon


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], None, verbose=True, build=build))
