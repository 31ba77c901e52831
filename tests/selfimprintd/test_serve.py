"""Listening: deadlines, the cap, who is on the other side, and stopping whatever clients do."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import time
from pathlib import Path

import pytest
from live import LiveServer, parse, read_all, with_limits

from selfimprintd.config import ConfigError, Limits, Listen
from selfimprintd.serve import Server, connection_cap, open_sockets


def test_half_a_head_is_closed_when_its_time_is_over(short_home: Path) -> None:
    """Slow loris: a byte now and then does not keep a connection; nor does silence."""
    live = LiveServer(short_home, limits=with_limits(header_seconds=0.5))
    try:
        silent, trickling = live.connect(), live.connect()
        trickling.sendall(b"GET /api/v1/health HTTP/1.1\r\n")
        started = time.monotonic()
        closed = False
        while not closed and time.monotonic() - started < 8:
            time.sleep(0.1)
            try:
                trickling.sendall(b"x")
            except OSError:
                closed = True
        assert closed
        assert read_all(silent) == b""
    finally:
        live.stop()


def test_a_second_half_head_is_closed_too(short_home: Path) -> None:
    """The deadline holds for each request of a connection, not only for the first."""
    live = LiveServer(short_home, limits=with_limits(header_seconds=0.3))
    try:
        with live.connect() as connection:
            connection.sendall(f"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\nGET /api".encode())
            received = b""
            while not received.endswith(b"}"):
                received += connection.recv(4096)
            assert received.startswith(b"HTTP/1.1 200")
            connection.sendall(b"/v1")
            assert read_all(connection) == b""
    finally:
        live.stop()


def test_an_idle_connection_is_closed(short_home: Path) -> None:
    """Keep-alive ends after the idle time."""
    live = LiveServer(short_home, limits=with_limits(idle_seconds=1.0))
    try:
        with live.connect() as connection:
            connection.sendall(f"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\n".encode())
            assert read_all(connection).startswith(b"HTTP/1.1 200")
    finally:
        live.stop()


def test_a_full_house_lets_the_longest_waiting_go(short_home: Path) -> None:
    """A crowd of idle connections does not shut the owner out; the cap is kept by closing the oldest of them."""
    live = LiveServer(short_home, limits=with_limits(connections=20))
    try:
        crowd = [live.connect() for _ in range(60)]
        assert live.ask("GET", "/api/v1/status")[0] == 200
        assert live.server is not None
        assert len(live.server.server_state.connections) <= 21
        crowd[0].settimeout(2)
        assert read_all(crowd[0]) == b""
        for connection in crowd:
            connection.close()
    finally:
        live.stop()


def test_a_house_full_of_work_answers_503(short_home: Path) -> None:
    """When every connection has a request in flight, a new one is told so and closed."""
    live = LiveServer(short_home, limits=with_limits(connections=2))
    try:
        streams = [live.connect() for _ in range(2)]
        for stream in streams:
            stream.sendall(
                f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n"
                f"Authorization: Bearer {live.token}\r\n\r\n".encode()
            )
            assert stream.recv(4096).startswith(b"HTTP/1.1 200")
        with live.connect() as late:
            assert parse(read_all(late))[0] == 503
        for stream in streams:
            stream.close()
    finally:
        live.stop()


def test_stopping_does_not_wait_for_idle_or_half_open_connections(short_home: Path) -> None:
    """Hundreds of connections in every state, and an open stream, end within the stop time."""
    live = LiveServer(short_home)
    connections = [live.connect() for _ in range(300)]
    head = f"POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n"
    for number, connection in enumerate(connections):
        if number % 3 == 1:
            connection.sendall(b"GET /api/v1/hea")
        if number % 3 == 2:
            connection.sendall(head.encode() + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
    stream = live.connect()
    stream.sendall(
        f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n"
        f"Authorization: Bearer {live.token}\r\n\r\n".encode()
    )
    stream.recv(4096)
    live.stop()
    assert not live.is_running
    assert b"event: end" in read_all(stream)
    for connection in connections:
        connection.close()


def test_the_unix_socket_is_its_owners_alone(live: LiveServer) -> None:
    """0600 in a 0700 directory."""
    path = live.sockets.unix_path
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_peer_of_another_user_is_cut_off(short_home: Path) -> None:
    """The system says who is on the Unix socket; a uid that is not trusted gets no byte."""
    path = short_home / "s"

    async def answer(scope: object, receive: object, send: object) -> None:
        raise AssertionError("an untrusted peer reached the app")

    async def connected_as(uid: int) -> bytes:
        sockets = open_sockets(Listen(port=0, socket=path))
        stopping = asyncio.Event()
        server = Server(answer, Limits(), stopping, peer_uids=frozenset({uid}))
        serving = asyncio.create_task(server.serve(sockets=sockets.all))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            reader, writer = await asyncio.open_unix_connection(str(path))
            writer.write(b"BAD\r\n\r\n")
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            server.request_stop()
            await serving

    assert asyncio.run(connected_as(os.geteuid() + 1)) == b""
    assert asyncio.run(connected_as(os.geteuid())).startswith(b"HTTP/1.1 400")


def test_a_socket_left_by_a_killed_daemon_is_replaced_and_a_living_one_is_not(short_home: Path) -> None:
    """A second daemon of one directory says that the first is running."""
    path = short_home / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    first = open_sockets(Listen(port=0, socket=path))
    with pytest.raises(ConfigError, match="selfimprint stop"):
        open_sockets(Listen(port=0, socket=path))
    for sock in first.all:
        sock.close()


def test_a_taken_port_is_named(short_home: Path) -> None:
    """The message says which setting to change, and leaves no socket behind."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(ConfigError, match=r"listen\.port"):
            open_sockets(Listen(port=other.getsockname()[1], socket=short_home / "s"))
    assert not (short_home / "s").exists()


def test_the_cap_leaves_descriptors_for_the_rest() -> None:
    """However large the setting, files and children keep their share."""
    assert connection_cap(with_limits(connections=5)) == 5
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY:
        assert connection_cap(with_limits(connections=10**9)) < hard
    else:
        assert connection_cap(with_limits(connections=10**6)) <= 10**6
