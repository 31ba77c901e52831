"""Twin of selfimprintd/guard.py: hostile pages, foreign hosts and broken protocols, on a daemon that really listens."""

from __future__ import annotations

import logging

import pytest
from calling import code_of, count
from live import LiveServer, parse

MESSAGE = {"role": "user", "content": "We live in Tartu."}
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
