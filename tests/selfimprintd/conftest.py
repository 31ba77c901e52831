"""The listening daemon that most of these tests speak to; its memory is made anew for each of them."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_memory import FakeMemory
from live import LiveServer


@pytest.fixture(scope="session")
def shared_server() -> Iterator[LiveServer]:
    with tempfile.TemporaryDirectory(prefix="si") as directory:  # a short name: a socket's path may not be long
        server = LiveServer(Path(directory))
        yield server
        server.stop()


@pytest.fixture
def live(shared_server: LiveServer) -> LiveServer:
    shared_server.daemon.memories = {name: FakeMemory(name) for name in ("default", "other")}
    shared_server.daemon.is_locked = False
    return shared_server


@pytest.fixture
def short_home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="si") as directory:
        yield Path(directory)


@pytest.fixture(autouse=True)
def _signals_as_they_were() -> Iterator[None]:
    """A daemon that is started within the test process changes what SIGTERM does."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)
