"""Twin of selfimprintd/routes_daemon.py: the stream of events."""

from __future__ import annotations

import socket
import time
from typing import Any

from calling import AT, send
from live import LiveServer, with_limits


def open_stream(live: LiveServer) -> socket.socket:
    connection = live.connect()
    connection.sendall(
        f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n"
        f"Authorization: Bearer {live.token}\r\n\r\n".encode()
    )
    assert b"text/event-stream" in connection.recv(65536)
    return connection


def read_until(connection: socket.socket, wanted: bytes) -> bytes:
    received = b""
    while wanted not in received:
        part = connection.recv(65536)
        assert part, received
        received += part
    return received


def wait_for(condition: Any) -> None:
    until = time.monotonic() + 8
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_events_tell_of_changes_without_content(live: LiveServer) -> None:
    """A stored message is an event with its id; its words are not in it."""
    stream = open_stream(live)
    send(live, "POST", "/messages", {"role": "user", "content": "zebra", "at": AT})
    event = read_until(stream, b"\n\n")
    event = event if b"event: message" in event else event + read_until(stream, b"searchable")
    assert b'"id": "m0"' in event and b"zebra" not in event
    stream.close()


def test_a_reader_that_left_is_forgotten(live: LiveServer) -> None:
    """Its subscription ends with its connection."""
    stream = open_stream(live)
    memory = live.daemon.memories["default"]
    assert memory.listeners == 1
    stream.close()
    wait_for(lambda: memory.listeners == 0)


def test_a_reader_that_falls_behind_is_let_go(short_home: Any) -> None:
    """Its queue is bounded; the stream ends instead of growing."""
    live = LiveServer(short_home, limits=with_limits(event_queue=2))
    try:
        stream = open_stream(live)
        memory = live.daemon.memories["default"]
        for number in range(200):
            memory.tell({"type": "message", "id": str(number)})
        assert read_until(stream, b"event: end")
        wait_for(lambda: memory.listeners == 0)
    finally:
        live.stop()


def test_silence_is_filled_and_streams_are_few(short_home: Any) -> None:
    """A comment now and then keeps the connection alive; past the cap there is a 503."""
    live = LiveServer(short_home, limits=with_limits(event_keepalive_seconds=0.1, event_streams=1))
    try:
        stream = open_stream(live)
        assert read_until(stream, b": still here")
        assert live.ask("GET", "/api/v1/events")[0] == 503
        stream.close()
        wait_for(lambda: live.daemon.memories["default"].listeners == 0)
        open_stream(live).close()
    finally:
        live.stop()
