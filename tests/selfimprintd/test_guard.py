"""The guard against a hostile page, a stranger and a broken client, on a daemon that really listens."""

from __future__ import annotations

import gzip
import http.client
import json
import logging
import socket
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from live import LiveServer, parse, read_all, with_limits

from selfimprintd import strictjson

MESSAGE = {"role": "user", "content": "We live in Tartu."}
READS = (
    "/api/v1/status", "/api/v1/nodes", "/api/v1/nodes/n-default-0", "/api/v1/why/n-default-0", "/api/v1/why-not?q=x",
    "/api/v1/graph", "/api/v1/timeline", "/api/v1/sessions", "/api/v1/sessions/s1", "/api/v1/deltas", "/api/v1/events",
    "/api/v1/openapi.json", "/docs", "/redoc", "/openapi.json", "/", "/ui", "/mcp", "/v1/models", "/api/v1/nothing",
)  # fmt: skip
WRITES = (
    ("POST", "/api/v1/messages", MESSAGE), ("POST", "/api/v1/context", {"message": "x"}),
    ("POST", "/api/v1/recall", {"query": "x"}), ("POST", "/api/v1/undo/d0", {}), ("POST", "/api/v1/drain", {}),
    ("PATCH", "/api/v1/nodes/n-default-0", {"pinned": True}), ("DELETE", "/api/v1/nodes/n-default-0", None),
)  # fmt: skip
EVIL_HOSTS = (
    "evil.example", "evil.example:{port}", "127.0.0.1", "localhost", "localhost:1", "127.0.0.1.evil.example:{port}",
    "0.0.0.0:{port}", "127.0.0.2:{port}", "[::1]:{port}", "127.0.0.1:{port}.", "user@127.0.0.1:{port}", "",
    "127.0.0.1:{port},evil.example", "2130706433:{port}", "localhost.:{port}", "127.1:{port}",
)  # fmt: skip
EVIL_ORIGINS = (
    "https://evil.example", "null", "http://127.0.0.1:{port}", "http://localhost:{port}", "file://", "",
    "chrome-extension://abcdefgh", "http://localhost:3000",
)  # fmt: skip
EVIL_SITES = ("cross-site", "same-site", "Cross-Site", "none, cross-site", "")


def count(live: LiveServer) -> int:
    return int(live.daemon.memories["default"].status()["messages"])


def code_of(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    status, headers, body = answer
    assert headers["content-type"] == "application/problem+json"
    problem = json.loads(body)
    assert problem["status"] == status and problem["detail"] and problem["title"]
    return status, problem["code"]


@pytest.mark.parametrize("host", EVIL_HOSTS)
def test_a_host_that_is_not_us_by_name_and_port_is_misdirected(live: LiveServer, host: str) -> None:
    """DNS rebinding: no Host but the literal ones is served, whatever the token."""
    sent = {"Host": host.format(port=live.port)}
    assert code_of(live.ask("POST", "/api/v1/messages", MESSAGE, headers=sent)) == (421, "wrong-host")
    assert live.ask("GET", "/api/v1/health", headers=sent)[0] == 421
    assert count(live) == 0


def test_a_request_without_or_with_two_hosts_is_refused(live: LiveServer) -> None:
    """HTTP/1.1 asks for exactly one Host; HTTP/1.0 without one is misdirected."""
    token = f"Authorization: Bearer {live.token}\r\n".encode()
    host = f"Host: 127.0.0.1:{live.port}\r\n".encode()
    assert parse(live.exchange(b"GET /api/v1/status HTTP/1.1\r\n" + token + b"\r\n"))[0] == 400
    assert parse(live.exchange(b"GET /api/v1/status HTTP/1.1\r\n" + host + host + token + b"\r\n"))[0] == 400
    assert parse(live.exchange(b"GET /api/v1/status HTTP/1.0\r\n" + token + b"\r\n"))[0] == 421


@pytest.mark.parametrize("origin", EVIL_ORIGINS)
def test_a_web_page_of_any_origin_is_refused(live: LiveServer, origin: str) -> None:
    """No page is served yet, so no origin is ours, not even our own address."""
    sent = {"Origin": origin.format(port=live.port)}
    _, headers, _ = answer = live.ask("POST", "/api/v1/messages", MESSAGE, headers=sent)
    assert code_of(answer) == (403, "foreign-origin")
    assert not any(name.startswith("access-control") for name in headers)
    assert live.ask("GET", "/api/v1/health", headers=sent)[0] == 403
    assert count(live) == 0


@pytest.mark.parametrize("site", EVIL_SITES)
def test_a_request_that_a_browser_marks_as_foreign_is_refused(live: LiveServer, site: str) -> None:
    """Sec-Fetch-Site must be absent, none or same-origin."""
    answer = live.ask("GET", "/api/v1/status", headers={"Sec-Fetch-Site": site})
    assert code_of(answer) == (403, "foreign-origin")


@pytest.mark.parametrize("site", ["none", "same-origin"])
def test_a_request_of_no_page_passes(live: LiveServer, site: str) -> None:
    """What a browser sends for a typed address is no attack."""
    assert live.ask("GET", "/api/v1/status", headers={"Sec-Fetch-Site": site})[0] == 200


def test_a_preflight_gets_no_permission(live: LiveServer) -> None:
    """OPTIONS with an Origin is refused and names no allowed origin, method or header."""
    sent = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST", "Authorization": None}
    status, headers, _ = live.ask("OPTIONS", "/api/v1/messages", headers=sent)
    assert status == 403
    assert not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize("path", READS)
def test_no_read_is_answered_without_a_token(live: LiveServer, path: str) -> None:
    """Reads, documents, mounts to come and unknown paths alike need a token."""
    _, headers, _ = answer = live.ask("GET", path, headers={"Authorization": None})
    assert code_of(answer) == (401, "no-token")
    assert headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_no_write_is_done_without_a_token(live: LiveServer, method: str, path: str, body: Any) -> None:
    """Nothing changes for a stranger, whatever the route."""
    live.ask("POST", "/api/v1/messages", MESSAGE)
    assert code_of(live.ask(method, path, body, headers={"Authorization": None}))[0] == 401
    assert count(live) == 1
    assert live.ask("GET", "/api/v1/nodes/n-default-0")[0] == 200


@pytest.mark.parametrize(
    "value",
    ["Bearer", "Bearer ", "Basic {token}", "{token}", "Bearer x{token}", "Bearer {token}x", "Bearer {short}",
     "Bearer {upper}", "Bearer {token}, Bearer {token}", "Bearer " + "a" * 46, "Bearer \u00e9"],
)  # fmt: skip
def test_no_token_but_the_whole_one_opens(value: str, short_home: Path) -> None:
    """Cut, padded, recased, foreign and non-ASCII tokens are unknown ones."""
    live = LiveServer(short_home)
    try:
        token = live.token
        sent = value.format(token=token, short=token[:-1], upper=token.upper())
        assert code_of(live.ask("GET", "/api/v1/status", headers={"Authorization": sent}))[0] == 401
    finally:
        live.stop()


def test_two_authorization_headers_are_none(live: LiveServer) -> None:
    """Two headers are refused even when both are right."""
    line = f"Authorization: Bearer {live.token}\r\n"
    request = f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n{line}{line}Connection: close\r\n\r\n"
    assert parse(live.exchange(request.encode()))[0] == 401


def test_many_unknown_tokens_are_slowed_and_the_owner_is_not(short_home: Path) -> None:
    """After the allowed number of failures strangers get 429 with Retry-After; a valid token still opens."""
    live = LiveServer(short_home, limits=with_limits(failed_tokens=3))
    try:
        statuses = [live.ask("GET", "/api/v1/status", token="si_" + "x" * 43)[0] for _ in range(5)]
        assert statuses == [401, 401, 401, 429, 429]
        headers = live.ask("GET", "/api/v1/status", token="si_" + "x" * 43)[1]
        assert 0 < int(headers["retry-after"]) <= 61
        assert live.ask("GET", "/api/v1/status")[0] == 200
        assert live.ask("GET", "/api/v1/status", headers={"Authorization": None})[0] == 401
    finally:
        live.stop()


def test_health_needs_no_token_and_shows_one_word(live: LiveServer) -> None:
    """Health says whether the daemon answers, and nothing else that it knows."""
    status, _, body = live.ask("GET", "/api/v1/health", headers={"Authorization": None})
    assert (status, json.loads(body)) == (200, {"status": "ok"})


@pytest.mark.parametrize("path", ["/api/v1/health/", "//api/v1/health", "/api/v1/health/../status", "/api/v1/health;x"])
def test_nothing_near_health_is_open(live: LiveServer, path: str) -> None:
    """Only the exact path is free of tokens."""
    assert live.ask("GET", path, headers={"Authorization": None})[0] == 401
    assert live.ask("POST", "/api/v1/health", {}, headers={"Authorization": None})[0] == 401


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


@pytest.mark.parametrize(
    "target", ["/api/v1/nodes/%00", "/api/v1/nodes/%ff", "/api/v1/nodes?slot=%00", "/api/v1/nodes?slot=%80"]
)
def test_paths_and_queries_are_utf8_without_nul(live: LiveServer, target: str) -> None:
    """Percent-encoded rubbish never reaches a route."""
    assert code_of(live.ask("GET", target)) == (400, "bad-request")


def test_a_query_names_each_thing_once(live: LiveServer) -> None:
    """Two values for one name are ambiguous."""
    assert code_of(live.ask("GET", "/api/v1/nodes?limit=1&limit=2")) == (400, "bad-request")


@pytest.mark.parametrize(
    "request_bytes",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GARBAGE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
     b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nA\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
)  # fmt: skip
def test_what_is_not_http_gets_a_400_and_is_closed(live: LiveServer, request_bytes: bytes) -> None:
    """TLS, other protocols, broken and oversized heads end in one clear answer."""
    assert code_of(parse(live.exchange(request_bytes))) == (400, "bad-request")


def test_a_websocket_upgrade_is_a_request_like_any_other(live: LiveServer) -> None:
    """Without a token 401, from a page 403; with a token it is no route."""
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "eHh4",
    }
    assert live.ask("GET", "/api/v1/ws", headers={**upgrade, "Authorization": None})[0] == 401
    assert live.ask("GET", "/api/v1/ws", headers={**upgrade, "Origin": "https://evil.example"})[0] == 403
    with live.connect() as connection:
        lines = "".join(f"{name}: {value}\r\n" for name, value in upgrade.items())
        connection.sendall(
            f"GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n"
            f"Authorization: Bearer {live.token}\r\n{lines}\r\n".encode()
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 404")


def test_an_unread_body_does_not_become_the_next_request(live: LiveServer) -> None:
    """A refused request's body may hold a whole request; the connection closes instead of reading it."""
    inner = f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n\r\n"
    sent = {"Content-Type": "text/plain", "Connection": "keep-alive"}
    status, headers, body = live.ask("POST", "/api/v1/messages", raw=inner.encode(), headers=sent)
    assert status == 415
    assert headers["connection"] == "close"
    assert b"HTTP/1.1 200" not in body


def test_locked_answers_423_everywhere_but_health(live: LiveServer) -> None:
    """A locked memory still says that it is locked, and only to those with a token."""
    live.daemon.is_locked = True
    for path in READS:
        assert live.ask("GET", path)[0] == 423
    assert code_of(live.ask("POST", "/api/v1/messages", MESSAGE)) == (423, "locked")
    assert live.ask("GET", "/api/v1/status", headers={"Authorization": None})[0] == 401
    assert json.loads(live.ask("GET", "/api/v1/health")[2]) == {"status": "locked"}


@pytest.mark.parametrize("path", ["/api/v1/nodes/{id}", "/api/v1/why/{id}"])
def test_another_profiles_id_is_answered_like_an_unknown_one(live: LiveServer, path: str) -> None:
    """Status, headers and body are the same for another's id and for none (R9)."""
    live.ask("POST", "/api/v1/messages", MESSAGE, token=live.issue("other"))
    assert live.ask("GET", "/api/v1/nodes/n-other-0", token=live.issue("other"))[0] == 200
    assert live.ask("GET", path.format(id="n-other-0")) == live.ask("GET", path.format(id="n-nobody-0"))


@pytest.mark.parametrize("where", ["?profile=other", "?profile_id=other"])
def test_the_profile_comes_from_the_token_only(live: LiveServer, where: str) -> None:
    """A profile in the query or in the body is an unknown field."""
    assert live.ask("GET", f"/api/v1/status{where}")[0] == 422
    assert live.ask("POST", "/api/v1/messages", {**MESSAGE, "profile": "other"})[0] == 422
    live.ask("GET", "/api/v1/status", headers={"X-Profile": "other"})
    assert json.loads(live.ask("GET", "/api/v1/status", headers={"X-Profile": "other"})[2])["profile"] == "default"


def test_a_token_does_only_what_its_scopes_say(live: LiveServer) -> None:
    """A reader cannot write, a writer cannot read."""
    reader, writer = live.issue("default", ("read",)), live.issue("default", ("write",))
    for method, path, body in WRITES:
        token = writer if path.endswith(("/context", "/recall")) else reader
        assert code_of(live.ask(method, path, body, token=token)) == (403, "scope-missing")
    assert live.ask("GET", "/api/v1/status", token=writer)[0] == 403
    assert live.ask("GET", "/api/v1/status", token=reader)[0] == 200


def test_a_cloud_token_is_given_nothing_yet(live: LiveServer) -> None:
    """Until sensitive items can be withheld and the ledger written, no text leaves for a cloud audience."""
    token = live.issue("default", audience="cloud")
    assert code_of(live.ask("POST", "/api/v1/context", {"message": "x"}, token=token)) == (403, "audience-closed")


def test_logs_hold_no_content_no_query_and_no_token(live: LiveServer, caplog: pytest.LogCaptureFixture) -> None:
    """What a person wrote stays out of the log, in bodies, paths and queries, also when a route fails (R10)."""
    caplog.set_level(logging.DEBUG)
    secret = "zebra-canary"
    live.daemon.memories["default"].status = lambda: (_ for _ in ()).throw(ValueError(secret))  # type: ignore[method-assign]
    live.ask("POST", "/api/v1/messages", {"role": "user", "content": secret})
    live.ask("POST", "/api/v1/messages", {"role": secret, secret: 1})
    live.ask("GET", f"/api/v1/nodes/{secret}")
    live.ask("GET", f"/api/v1/why-not?q={secret}")
    live.ask("GET", f"/{secret}")
    status, _, body = live.ask("GET", "/api/v1/status")
    assert status == 500 and secret.encode() not in body and b"Traceback" not in body
    logged = caplog.text
    assert "ValueError at" in logged and "GET" in logged
    assert secret not in logged and live.token not in logged


def test_problems_never_repeat_what_was_sent(live: LiveServer) -> None:
    """Refusals name fields of ours and nothing of the client's values or keys."""
    secret = "Zebra canary"
    for body in (
        {"role": secret, "content": "x"},
        {"role": "user", secret: "x"},
        {"role": "user", "content": [secret]},
    ):
        assert secret.encode() not in live.ask("POST", "/api/v1/messages", body)[2]
    assert b"canary" not in live.ask("GET", "/api/v1/canary")[2]


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


def test_every_answer_forbids_caching_and_sniffing(live: LiveServer) -> None:
    """Good answers and refusals alike stay out of caches."""
    for path, headers in (("/api/v1/status", {}), ("/api/v1/status", {"Authorization": None}), ("/api/v1/no", {})):
        got = live.ask("GET", path, headers=headers)[1]
        assert got["cache-control"] == "no-store"
        assert got["x-content-type-options"] == "nosniff"
        assert "server" not in got


def test_the_unix_socket_is_guarded_too(live: LiveServer) -> None:
    """The same guard stands before the Unix socket, with localhost as its only Host."""
    assert live.ask("GET", "/api/v1/status", unix=True)[0] == 200
    assert live.ask("GET", "/api/v1/status", unix=True, headers={"Authorization": None})[0] == 401
    assert live.ask("GET", "/api/v1/status", unix=True, headers={"Host": "evil.example"})[0] == 421
    assert live.ask("GET", "/api/v1/status", unix=True, headers={"Origin": "null"})[0] == 403


def test_pipelined_requests_are_each_guarded(live: LiveServer) -> None:
    """A good request does not carry a bad one behind it."""
    good = f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: Bearer {live.token}\r\n\r\n"
    bad = f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\n"
    answers = live.exchange((good + bad).encode())
    assert answers.count(b"HTTP/1.1 200") == 1
    assert answers.count(b"HTTP/1.1 401") == 1


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
