"""A really listening daemon with a fake memory, for tests that speak to it over its sockets."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fake_memory import FakeDaemon

from selfimprintd.config import Config, Limits, Listen
from selfimprintd.main import make_server, write_daemon_file
from selfimprintd.paths import find_paths, make_private, write_private
from selfimprintd.serve import Server, open_sockets
from selfimprintd.tokens import SCOPES, Scope, TokenFile

NOW_US = 1_767_225_600_000_000


class LiveServer:
    """Listens on a free port and on a Unix socket from construction to `stop`."""

    def __init__(self, home: Path, *, limits: Limits | None = None) -> None:
        self.home = home
        self.paths = find_paths(str(home), {})
        for directory in (self.paths.data, self.paths.state, self.paths.runtime):
            make_private(directory)
        self.daemon = FakeDaemon()
        self.config = Config(
            paths=self.paths,
            listen=Listen(port=0, socket=self.paths.socket),
            timezone="Europe/Tallinn",
            limits=limits or Limits(),
        )
        self.tokens = TokenFile(self.paths.tokens)
        self.token = self.issue("default")
        write_private(self.paths.owner_token, self.token.encode())
        self.sockets = open_sockets(self.config.listen)
        write_daemon_file(self.paths, self.sockets)
        self.port = self.sockets.port
        self._loop: asyncio.AbstractEventLoop | None = None
        self.server: Server | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    def issue(self, profile: str, scopes: tuple[Scope, ...] = SCOPES, audience: Any = "local") -> str:
        secret, _ = self.tokens.issue(
            name="test", profile=profile, scopes=scopes, audience=audience, now_us=NOW_US, randomness=os.urandom
        )
        return secret

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.server = make_server(self.config, self.daemon, self.tokens, self.sockets)
        self._ready.set()
        await self.server.serve(sockets=self.sockets.all)

    def stop(self) -> None:
        if self._loop is not None and self.server is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self.server.request_stop)
            self._thread.join(10)
        for sock in self.sockets.all:
            sock.close()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def connect(self, *, unix: bool = False) -> socket.socket:
        family = socket.AF_UNIX if unix else socket.AF_INET
        connection = socket.socket(family, socket.SOCK_STREAM)
        connection.settimeout(10)
        connection.connect(str(self.sockets.unix_path) if unix else ("127.0.0.1", self.port))
        return connection

    def exchange(self, request: bytes, *, unix: bool = False) -> bytes:
        """Send raw bytes, then read until the server closes or stays silent."""
        with self.connect(unix=unix) as connection:
            connection.sendall(request)
            return read_all(connection)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str | None] | None = None,
        raw: bytes | None = None,
        unix: bool = False,
    ) -> tuple[int, dict[str, str], bytes]:
        """One request with good headers, unless `headers` says otherwise (None leaves one out)."""
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent: dict[str, str | None] = {
            "Host": "localhost" if unix else f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {token or self.token}",
            "Connection": "close",
        }
        if data or method in ("POST", "PUT", "PATCH"):
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        sent |= headers or {}
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value is not None)
        return parse(self.exchange(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + data, unix=unix))


def with_limits(**changes: Any) -> Limits:
    return replace(Limits(), **changes)


def read_all(connection: socket.socket) -> bytes:
    received = b""
    while True:
        try:
            part = connection.recv(65536)
        except (TimeoutError, ConnectionResetError):
            return received
        if not part:
            return received
        received += part


def parse(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = [line.split(": ", 1) for line in lines if ": " in line]
    headers = {name.lower(): value for name, value in pairs}
    if headers.get("transfer-encoding") == "chunked":
        body = _unchunked(body)
    return int(first.split()[1]) if first else 0, headers, body


def _unchunked(body: bytes) -> bytes:
    plain = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        count = int(size, 16)
        plain, body = plain + body[:count], body[count + 2 :]
    return plain
