"""The one ASGI guard before every mount: who may speak to the daemon, from where, in what form (SECURITY §3, R2–R5).

Checks run from the cheapest and most general to the dearest: Host, origin, target, token, lock, body. What passes has a
known token in `scope["state"]["token"]` and a strict JSON body; what fails is answered here, as problem+json, and no
route ever sees it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from selfimprintd import strictjson
from selfimprintd.config import Limits
from selfimprintd.problems import PROBLEM_TYPE, Problem
from selfimprintd.tokens import Token

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

HEALTH_PATH = "/api/v1/health"
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})
_HTTP_VERSIONS = frozenset({"1.0", "1.1"})
_OWN_SITES = frozenset({"none", "same-origin"})
_POLICY_VIOLATION = 1008  # RFC 6455
_DISCARDED_BODIES = 16  # times the body limit: what is read and thrown away so that the 413 arrives

access_log = logging.getLogger("selfimprintd.access")
error_log = logging.getLogger("selfimprintd.error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What the guard lets in. `find` looks a token up; `locked` and `monotonic` are asked at each request."""

    hosts: frozenset[str]
    unix_hosts: frozenset[str]
    origins: frozenset[str]
    find: Callable[[str], Token | None]
    locked: Callable[[], bool]
    monotonic: Callable[[], float]
    limits: Limits


class Guard:
    """ASGI middleware; `app` sees only what is admitted."""

    def __init__(self, app: Asgi, admission: Admission) -> None:
        self._app = app
        self._admission = admission
        self._failures: deque[float] = deque(maxlen=admission.limits.failed_tokens)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await self._http(scope, receive, send)
            case "websocket":
                await self._websocket(scope, receive, send)
            case _:
                await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._admit(scope)
        except Problem:
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = self._admission.monotonic()
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_ANSWER_HEADERS]
            await send(message)

        try:
            self._admit(scope)
            body = await self._read_body(scope, receive)
            await self._app(scope, _replay(body, receive), watched)
        except Problem as problem:
            if not status:
                await self._refuse(problem, receive, watched)
        except Exception as error:
            error_log.error("failed: %s at %s", type(error).__name__, _place(error))
            if not status:
                await self._refuse(Problem("internal"), receive, watched)
        finally:
            spent_ms = (self._admission.monotonic() - started) * 1000
            access_log.info("%s %s %d %.1f ms", _method(scope), _route(scope), status, spent_ms)

    def _admit(self, scope: Scope) -> None:
        """Raise the Problem that keeps this request out, or put its token into the scope's state."""
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        size = sum(len(name) + len(value) for name, value in headers) + len(scope.get("raw_path") or b"")
        if scope.get("http_version", "1.1") not in _HTTP_VERSIONS or size > self._admission.limits.header_bytes:
            raise Problem("bad-request")
        state = scope.setdefault("state", {})
        hosts = self._admission.unix_hosts if state.get("unix") else self._admission.hosts
        if _only(headers, b"host", "wrong-host") not in hosts:
            raise Problem("wrong-host")
        for origin in _all(headers, b"origin"):
            if origin not in self._admission.origins:
                raise Problem("foreign-origin")
        if any(site not in _OWN_SITES for site in _all(headers, b"sec-fetch-site")):
            raise Problem("foreign-origin")
        _check_target(scope)
        if scope["path"] == HEALTH_PATH and scope.get("method", "GET") == "GET":
            return
        state["token"] = self._token(headers)
        if self._admission.locked():
            raise Problem("locked")

    def _token(self, headers: list[tuple[bytes, bytes]]) -> Token:
        values = _all(headers, b"authorization")
        if not values:
            raise Problem("no-token", headers={"www-authenticate": "Bearer"})
        scheme, _, secret = values[0].partition(" ")
        token = None
        if len(values) == 1 and scheme.lower() == "bearer":
            token = self._admission.find(secret.strip())
        if token is not None:  # a stranger's failures never lock the owner out
            return token
        now, limits = self._admission.monotonic(), self._admission.limits
        full = len(self._failures) == limits.failed_tokens
        if full and now - self._failures[0] < limits.failed_tokens_seconds:
            wait = int(limits.failed_tokens_seconds - (now - self._failures[0])) + 1
            raise Problem("too-many-failures", headers={"retry-after": str(wait)})
        self._failures.append(now)
        raise Problem("unknown-token", headers={"www-authenticate": "Bearer"})

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body, checked; nothing is read that the headers already rule out."""
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        limits = self._admission.limits
        lengths, chunked = _all(headers, b"content-length"), _all(headers, b"transfer-encoding")
        if len(lengths) > 1 or (lengths and chunked):
            raise Problem("bad-request", "Send either Content-Length or Transfer-Encoding, once.")
        declared = int(lengths[0]) if lengths and lengths[0].isdecimal() else 0
        if declared > limits.body_bytes:
            raise Problem("too-large")
        if any(encoding.lower() != "identity" for encoding in _all(headers, b"content-encoding")):
            raise Problem("encoded-body")
        if scope["method"] not in _BODY_METHODS:
            if declared or chunked:
                raise Problem("body-unwanted")
            return b""
        if not _is_json(_all(headers, b"content-type")):
            raise Problem("not-json")
        body = bytearray()
        try:
            async with asyncio.timeout(limits.body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Problem("bad-request", "The connection closed before the body was complete.")
                    body += message.get("body", b"")
                    if len(body) > limits.body_bytes:
                        raise Problem("too-large")
                    more = message.get("more_body", False)
        except TimeoutError as error:
            raise Problem("too-slow") from error
        if not body:
            raise Problem("body-missing")
        try:
            value = strictjson.parse(bytes(body), limits.json)
        except strictjson.BadJson as error:
            raise Problem("bad-json", str(error)) from error
        if not isinstance(value, dict):
            raise Problem("bad-json", "Send a JSON object: {...}.")
        return bytes(body)

    async def _refuse(self, problem: Problem, receive: Receive, send: Send) -> None:
        body = problem.body()
        headers = [(b"content-type", PROBLEM_TYPE.encode()), (b"content-length", str(len(body)).encode())]
        headers += [(name.encode(), value.encode()) for name, value in problem.headers.items()]
        headers.append((b"connection", b"close"))  # an unread body must not become the next request
        await send({"type": "http.response.start", "status": problem.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": problem.code == "too-large"})
        if problem.code == "too-large":  # closing on unread bytes would reset the connection under the answer
            await self._discard(receive)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _discard(self, receive: Receive) -> None:
        left = self._admission.limits.body_bytes * _DISCARDED_BODIES
        try:
            async with asyncio.timeout(1.0):
                while left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return
        except TimeoutError:
            return


_ANSWER_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def _all(headers: list[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in headers if key.lower() == name]


def _only(headers: list[tuple[bytes, bytes]], name: bytes, code: str) -> str:
    values = _all(headers, name)
    if len(values) != 1:
        raise Problem(code)
    return values[0].lower()


def _is_json(values: list[str]) -> bool:
    if len(values) != 1:
        return False
    kind, _, parameters = values[0].lower().partition(";")
    return kind.strip() == "application/json" and parameters.strip() in ("", "charset=utf-8", 'charset="utf-8"')


def _check_target(scope: Scope) -> None:
    """The path and the query are UTF-8 without NUL, and no query name comes twice."""
    query: bytes = scope.get("query_string", b"")
    for part in (scope.get("raw_path") or scope["path"].encode(), query):
        plain = unquote_to_bytes(part)
        try:
            plain.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Problem("bad-request", "Percent-encode the path and the query as UTF-8.") from error
        if b"\x00" in plain:
            raise Problem("bad-request", "Remove the NUL characters (%00) from the path and the query.")
    names = [pair.partition(b"=")[0] for pair in query.split(b"&") if pair]
    if len(names) != len(set(names)):
        raise Problem("bad-request", "Give each name of the query only once.")


def _replay(body: bytes, receive: Receive) -> Receive:
    """Hands the checked body over once; after that, whatever the connection says (its end)."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message


def _method(scope: Scope) -> str:
    method = str(scope.get("method", ""))
    return method if method.isalpha() and len(method) <= 8 else "-"


def _route(scope: Scope) -> str:
    """The route's template, never the path itself: paths and queries may hold what a person wrote (R10)."""
    return str(getattr(scope.get("route"), "path", "-"))


def _place(error: Exception) -> str:
    """File and line of the innermost frame: enough to find it, and nothing of what it was handling."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}" if trace else "?"
