"""The listening side: one app on a loopback port and on a Unix socket, and a stop that does not wait for anybody.

uvicorn's defaults are open (measured: 200 of 200 slow-loris connections alive after 25 s, a stop that did not end with
6,000 idle connections), and its loop wakes ten times a second. This keeps its HTTP/1.1 protocol and replaces the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import resource
import signal
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from selfimprintd.config import ConfigError, Limits, Listen
from selfimprintd.guard import Asgi
from selfimprintd.problems import PROBLEM_TYPE, Problem

log = logging.getLogger("selfimprintd")

_BACKLOG = 512
_SPARE_FILES = 128  # descriptors kept for stores and children
_LAST_MOMENT_SECONDS = 0.5
_PEER = struct.Struct("3i")  # pid, uid, gid


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    tcp: socket.socket
    unix: socket.socket | None
    unix_path: Path | None

    @property
    def port(self) -> int:
        return int(self.tcp.getsockname()[1])

    @property
    def all(self) -> list[socket.socket]:
        return [self.tcp] if self.unix is None else [self.tcp, self.unix]


def open_sockets(listen: Listen) -> Sockets:
    """Bind both; ConfigError says who is in the way."""
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's waiting off only for sockets that say TCP: 44 ms a request.
    tcp = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        tcp.bind((listen.host, listen.port))
        tcp.listen(_BACKLOG)
    except OSError as error:
        tcp.close()
        if error.errno == errno.EADDRINUSE:
            hint = (
                "this daemon already, or another program, listens there (see: selfimprint status); "
                "stop it, or choose another listen.port (0: a free one)"
            )
        else:
            hint = os.strerror(error.errno or 0)
        raise ConfigError(f"cannot listen on port {listen.port}: {hint}") from error
    try:
        unix = None if listen.socket is None else _open_unix(listen.socket)
    except BaseException:
        tcp.close()
        raise
    return Sockets(tcp=tcp, unix=unix, unix_path=listen.socket)


def _open_unix(path: Path) -> socket.socket:
    if path.is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(str(path))
            except OSError:
                path.unlink(missing_ok=True)  # left over from a daemon that was killed
            else:
                raise ConfigError("a daemon of this directory is running; stop it with: selfimprint stop")
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)  # the socket is 0600 from its first moment
    try:
        unix.bind(str(path))
        unix.listen(_BACKLOG)
    except OSError as error:
        unix.close()
        raise ConfigError(f"cannot listen on {path}: {os.strerror(error.errno or 0)}; set listen.socket") from error
    finally:
        os.umask(mask)
    return unix


def harden_process() -> None:
    """No core dumps and no peeking by debuggers of the same user, so that plaintext stays in this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, AttributeError):  # Linux only
        import ctypes

        pr_set_dumpable = 4
        ctypes.CDLL(None, use_errno=True).prctl(pr_set_dumpable, 0, 0, 0, 0)


def connection_cap(limits: Limits) -> int:
    """The configured cap, lowered where the system allows fewer descriptors (after raising its soft limit)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return (
        limits.connections if soft == resource.RLIM_INFINITY else min(limits.connections, max(1, soft - _SPARE_FILES))
    )


class Connection(H11Protocol):
    """uvicorn's HTTP/1.1 with deadlines for headers, a cap that gives way, and a check of who is on the Unix socket."""

    limits: Limits
    cap: int
    peer_uids: frozenset[int]
    waiting: dict[Connection, None]  # no request in flight, the longest waiting first

    _deadline: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.access_log = False  # uvicorn's would hold paths and queries; the guard writes its own (R10)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        if transport.get_extra_info("socket").family == socket.AF_UNIX:
            self.app_state = {**self.app_state, "unix": True}
            if not self._is_trusted_peer(transport):
                transport.abort()
                return
        if len(self.connections) > self.cap and not self._make_room():
            self._answer_and_close(Problem("overloaded"))
            return
        self.waiting[self] = None
        self._arm()

    def _is_trusted_peer(self, transport: asyncio.Transport) -> bool:
        if not hasattr(socket, "SO_PEERCRED"):
            return True  # the directory's mode stands alone where the system does not tell
        peer = transport.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
        return _PEER.unpack(peer)[1] in self.peer_uids

    def _make_room(self) -> bool:
        oldest = next((c for c in self.waiting if not c.transport.is_closing()), None)
        if oldest is None:
            return False
        self.waiting.pop(oldest)
        oldest.transport.abort()
        return True

    def _arm(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.limits.header_seconds, self.transport.abort)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._arm()  # from the first byte of a head to its end
        else:
            self._disarm()
            self.waiting.pop(self, None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self.waiting[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        self._unset_keepalive_if_required()
        self.waiting.pop(self, None)
        super().connection_lost(exc)

    def _unsupported_upgrade_warning(self) -> None:
        """Upgrades are answered as the plain requests they also are; nothing to log."""

    def send_400_response(self, msg: str) -> None:
        self._answer_and_close(Problem("bad-request"))

    def _answer_and_close(self, problem: Problem) -> None:
        body = problem.body()
        head = f"HTTP/1.1 {problem.status} -\r\ncontent-type: {PROBLEM_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def shutdown(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            with contextlib.suppress(h11.LocalProtocolError):
                self.conn.send(h11.ConnectionClosed())
            self.transport.abort()
        else:
            self.cycle.keep_alive = False


class Server(uvicorn.Server):
    """Serves until `request_stop`, SIGTERM or SIGINT set `stopping`, which event streams watch too."""

    def __init__(
        self, app: Asgi, limits: Limits, stopping: asyncio.Event, *, peer_uids: frozenset[int] | None = None
    ) -> None:
        uids = frozenset({os.geteuid()}) if peer_uids is None else peer_uids
        protocol = type(
            "BoundConnection",
            (Connection,),
            {"limits": limits, "cap": connection_cap(limits), "peer_uids": uids, "waiting": {}},
        )
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type]  # a plain ASGI callable
                http=protocol,
                ws="none",
                lifespan="off",
                loop="asyncio",
                interface="asgi3",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                h11_max_incomplete_event_size=limits.header_bytes,
                timeout_keep_alive=int(limits.idle_seconds),
                backlog=_BACKLOG,
            )
        )
        self._limits = limits
        self._stopping = stopping
        self.on_ready: Callable[[], None] = lambda: None  # connections are taken and signals are handled from here on

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Through the loop, so that a sleeping loop wakes and the process ends with our own exit status."""
        loop = asyncio.get_running_loop()
        handled = []
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):  # not the main thread: in tests
                loop.add_signal_handler(number, self.request_stop)
                handled.append(number)
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)

    def request_stop(self) -> None:
        """From the loop's own thread (or by `call_soon_threadsafe`)."""
        self._stopping.set()

    async def main_loop(self) -> None:
        self.on_ready()
        await self._stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close what waits, give requests in flight their time, then close everything."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        running: set[asyncio.Task[Any]] = set(self.server_state.tasks)
        if running:
            await asyncio.wait(running, timeout=self._limits.stop_seconds / 2)
        late = [task for task in self.server_state.tasks if not task.done()]
        for task in late:
            task.cancel()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        if late:
            await asyncio.wait(late, timeout=_LAST_MOMENT_SECONDS)
        await asyncio.sleep(0)
