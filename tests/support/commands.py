"""Commands run within the test process, with what they said."""

from __future__ import annotations

import pytest
from live import LiveServer

from selfimprintd.cli import main

AT = "2026-03-01T09:30:00+02:00"
Captured = pytest.CaptureFixture[str]


def run(capsys: Captured, live: LiveServer, *argv: str) -> tuple[int, str, str]:
    """Status, standard output and standard error of a command against the daemon."""
    status = main([*argv, "--home", str(live.home)])
    said = capsys.readouterr()
    return status, said.out, said.err
