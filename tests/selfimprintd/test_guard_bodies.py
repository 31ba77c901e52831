"""Of selfimprintd/guard.py: which bodies are read, and how much of them."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import time
import tracemalloc
from pathlib import Path

import pytest
from calling import code_of, count
from live import LiveServer, parse, read_all, with_limits

from selfimprintd import strictjson

MESSAGE = {"role": "user", "content": "We live in Tartu."}


@pytest.mark.parametrize(
    "kind",
    [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp",
     "text/plain; application/json", "application/json; charset=utf-16", "application/json, text/plain", ""],
)  # fmt: skip
def test_only_json_bodies_are_read(live: LiveServer, kind: str | None) -> None:
    """The content types that a page can send without a preflight are refused."""
    answer = live.ask("POST", "/api/v1/messages", MESSAGE, headers={"Content-Type": kind})
    assert code_of(answer) == (415, "not-json")
    assert count(live) == 0


def test_json_with_its_charset_is_json(live: LiveServer) -> None:
    """`application/json; charset=utf-8` is what many clients send."""
    sent = {"Content-Type": "Application/JSON; charset=UTF-8"}
    assert live.ask("POST", "/api/v1/messages", MESSAGE, headers=sent)[0] == 200


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "gzip, gzip"])
def test_compressed_bodies_are_refused(live: LiveServer, encoding: str) -> None:
    """A gzip bomb is never opened."""
    bomb = gzip.compress(b"0" * 1_000_000)
    answer = live.ask("POST", "/api/v1/messages", raw=bomb, headers={"Content-Encoding": encoding})
    assert code_of(answer) == (415, "encoded-body")


@pytest.mark.parametrize(
    "body",
    [b"", b" ", b"{", b"[]", b'"text"', b"7", b"null", b'{"role": "user", "content": "a", "content": "b"}',
     b'{"role": "user", "content": NaN}', b'{"role": "user", "content": Infinity}', b'{"role": "user", "x": -Infinity}',
     b'{"role": "user", "content": "\\ud800"}', b'{"role": "user", "content": "\\udc00x"}',
     b'{"role": "user", "content": "a\\u0000b"}', b'{"role": "user", "content": "a\x00b"}',
     b'{"role": "user", "content": "\xff\xfe"}', b"\xef\xbb\xbf{}", '{"role": "user"}'.encode("utf-16"),
     b'{"a":' * 65 + b"1" + b"}" * 65, b"[" * 100_000, b'{"x": 1e999}', b'{"x": ' + b"9" * 5000 + b"}",
     b"{} {}", b"{'role': 'user'}", b'{"role": "user",}', b'{"a\\u0000": 1}', b'{"content": "\xed\xa0\x80"}'],
)  # fmt: skip
def test_what_is_not_strict_json_is_a_clear_400(live: LiveServer, body: bytes) -> None:
    """Each kind of bad body is refused before any route, with a detail and without a trace of its content."""
    status, code = code_of(live.ask("POST", "/api/v1/messages", raw=body))
    assert (status, code) in ((400, "bad-json"), (400, "body-missing"))
    assert count(live) == 0


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_methods_without_a_body_refuse_one(live: LiveServer, method: str) -> None:
    """A body on GET or DELETE is a mistake or a smuggler."""
    answer = live.ask(method, "/api/v1/nodes/n-default-0", {"x": 1})
    assert code_of(answer) == (400, "body-unwanted")


def test_a_declared_large_body_is_refused_unread(live: LiveServer) -> None:
    """413 comes back although not a byte of the body was sent."""
    answer = live.ask("POST", "/api/v1/messages", raw=b"", headers={"Content-Length": "10485760"})
    assert code_of(answer) == (413, "too-large")


def test_a_large_body_in_one_piece_gets_its_413(live: LiveServer) -> None:
    """The answer arrives though the client is still sending, and costs little memory."""
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=10)
    tracemalloc.start()
    try:
        body = b" " * 10_485_760
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        headers = {"Authorization": f"Bearer {live.token}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/messages", body, headers)
        response = connection.getresponse()
        assert response.status == 413
        assert json.loads(response.read())["code"] == "too-large"
        assert tracemalloc.get_traced_memory()[1] - before < 20_000_000
    finally:
        tracemalloc.stop()
        connection.close()


def test_a_chunked_body_is_cut_at_the_limit(live: LiveServer) -> None:
    """Without a declared length the guard counts, and stops at the limit."""
    head = (
        f"POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    with live.connect() as connection:
        connection.sendall(head.encode())
        for _ in range(20):
            connection.sendall(chunk)
        connection.sendall(b"0\r\n\r\n")
        assert code_of(parse(read_all(connection))) == (413, "too-large")
    assert count(live) == 0


def test_a_chunked_body_within_the_limit_is_stored(live: LiveServer) -> None:
    """Chunked is not forbidden; small bodies sent that way arrive whole."""
    body = json.dumps(MESSAGE).encode()
    head = (
        f"POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    chunks = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in body) + b"0\r\n\r\n"
    assert parse(live.exchange(head.encode() + chunks))[0] == 200
    assert count(live) == 1


def test_both_lengths_are_refused(live: LiveServer) -> None:
    """Content-Length beside Transfer-Encoding is how requests are smuggled."""
    sent = {"Transfer-Encoding": "chunked"}
    answer = live.ask("POST", "/api/v1/messages", raw=b"0\r\n\r\n", headers=sent)
    assert answer[0] == 400


def test_an_unread_body_does_not_become_the_next_request(live: LiveServer) -> None:
    """A refused request's body may hold a whole request; the connection closes instead of reading it."""
    inner = f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n\r\n"
    sent = {"Content-Type": "text/plain", "Connection": "keep-alive"}
    status, headers, body = live.ask("POST", "/api/v1/messages", raw=inner.encode(), headers=sent)
    assert status == 415
    assert headers["connection"] == "close"
    assert b"HTTP/1.1 200" not in body


def test_a_slow_body_is_given_up(short_home: Path) -> None:
    """A body that trickles past its time gets 408 and the connection closes."""
    live = LiveServer(short_home, limits=with_limits(body_seconds=0.3))
    try:
        with live.connect() as connection:
            connection.sendall(
                f"POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n"
                f"Authorization: Bearer {live.token}\r\nContent-Type: application/json\r\n"
                "Content-Length: 1000\r\n\r\n{".encode()
            )
            assert code_of(parse(read_all(connection))) == (408, "too-slow")
    finally:
        live.stop()


def test_a_body_of_deep_or_many_values_costs_little_memory() -> None:
    """100,000 levels, or a megabyte of empty lists, is refused in less than 20 MB (the bar of the security page)."""
    for body in (b"[" * 100_000, b"[" + b"[]," * 349_000 + b"[]]", b'{"a":' * 100_000, b"[" + b"{}," * 349_000 + b"1]"):
        tracemalloc.start()
        with pytest.raises(strictjson.BadJson):
            strictjson.parse(body, strictjson.JsonLimits())
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
        tracemalloc.stop()


def test_a_client_that_leaves_in_mid_body_changes_nothing(live: LiveServer) -> None:
    """Half a body is no message."""
    with live.connect() as connection:
        connection.sendall(
            f"POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n"
            'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"role": "user"'.encode()
        )
        connection.shutdown(socket.SHUT_RDWR)
    time.sleep(0.05)
    assert count(live) == 0
    assert live.ask("GET", "/api/v1/status")[0] == 200
