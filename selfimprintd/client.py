"""A client for the daemon's API; the standard library only.

memory = Client.local()
memory.add("user", "We moved from Tartu to Tallinn last week.")
print(memory.context("Where should we eat tonight?")["text"])
"""

from __future__ import annotations

import http.client
import json
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from selfimprintd.paths import Paths, find_paths

Answer = dict[str, Any]
_TIMEOUT_S = 60.0


class NotRunning(Exception):
    """No daemon answers there."""


class ApiError(Exception):
    """The daemon refused; `code` is stable, the message says what to do."""

    def __init__(self, problem: Mapping[str, Any], status: int) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"HTTP status {status}")
        self.status = status
        self.code = str(problem.get("code", "unknown"))
        self.problem = problem


class _Unix(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Client:
    """One token's view of the daemon, over its Unix socket or a loopback port. Not for several threads at once."""

    def __init__(self, token: str, *, socket_path: str = "", port: int = 0, timeout_s: float = _TIMEOUT_S) -> None:
        self._token = token
        self._socket_path = socket_path
        self._port = port
        self._timeout_s = timeout_s
        self._connection: http.client.HTTPConnection | None = None

    @classmethod
    def local(cls, home: str | None = None, *, timeout_s: float = _TIMEOUT_S) -> Client:
        """As the owner, to the daemon that runs in `home` (default: the usual directories)."""
        paths = find_paths(home, os.environ)
        about = running_daemon(paths)
        try:
            token = paths.owner_token.read_text(encoding="ascii").strip()
        except OSError as error:
            raise NotRunning("there is no owner token here; run: selfimprint init") from error
        return cls(token, socket_path=about["socket"], port=about["port"], timeout_s=timeout_s)

    # what an assistant needs

    def add(self, role: str, content: str, *, wait: str = "stored", **fields: Any) -> Answer:
        """Store one message; `fields`: speaker, session, at, key, app. The answer says what was learned."""
        return self.add_many([{"role": role, "content": content, **fields}], wait=wait)[0]

    def add_many(self, messages: Sequence[Mapping[str, Any]], *, wait: str = "stored") -> list[Answer]:
        body = {"messages": list(messages)}
        added: list[Answer] = self.request("POST", "/messages", body, {"wait": wait})["messages"]
        return added

    def context(self, message: str, **options: Any) -> Answer:
        """Options: budget, counter, as_of, known_at, style, exclude, explain, language, preset."""
        return self.request("POST", "/context", {"message": message, **options})

    def recall(self, query: str, **options: Any) -> Answer:
        """Options: k, mode, as_of, known_at, types, exclude, explain."""
        return self.request("POST", "/recall", {"query": query, **options})

    # what an owner needs

    def nodes(self, **query: Any) -> Answer:
        return self.request("GET", "/nodes", query=query)

    def node(self, id: str) -> Answer:
        return self.request("GET", f"/nodes/{quote(id, safe='')}")

    def patch(self, id: str, **changes: Any) -> Answer:
        return self.request("PATCH", f"/nodes/{quote(id, safe='')}", changes)

    def retire(self, id: str) -> Answer:
        return self.request("DELETE", f"/nodes/{quote(id, safe='')}")

    def undo(self, delta: str) -> Answer:
        return self.request("POST", f"/undo/{quote(delta, safe='')}", {})

    def why(self, id: str) -> Answer:
        return self.request("GET", f"/why/{quote(id, safe='')}")

    def why_not(self, q: str) -> Answer:
        return self.request("GET", "/why-not", query={"q": q})

    def graph(self, **query: Any) -> Answer:
        return self.request("GET", "/graph", query=query)

    def timeline(self, **query: Any) -> Answer:
        """Query: limit, cursor, and `{"from": …, "to": …}` by `**`."""
        return self.request("GET", "/timeline", query=query)

    def sessions(self, **query: Any) -> Answer:
        return self.request("GET", "/sessions", query=query)

    def session(self, id: str, **query: Any) -> Answer:
        return self.request("GET", f"/sessions/{quote(id, safe='')}", query=query)

    def deltas(self, **query: Any) -> Answer:
        return self.request("GET", "/deltas", query=query)

    def status(self) -> Answer:
        return self.request("GET", "/status")

    def health(self) -> Answer:
        return self.request("GET", "/health")

    def drain(self, timeout_s: float = 30.0) -> Answer:
        return self.request("POST", "/drain", {"timeout_s": timeout_s})

    def events(self) -> Iterator[tuple[str, Answer]]:
        """Each change as (type, what), until the daemon stops. Opens a connection of its own."""
        connection = self._connect()
        try:
            connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {self._token}"})
            response = connection.getresponse()
            if response.status != http.HTTPStatus.OK:
                raise ApiError(_problem(response.read()), response.status)
            name = ""
            for raw in response:
                field, _, value = raw.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "data" and name != "end":
                    yield name, json.loads(value)
        finally:
            connection.close()

    # how it gets there

    def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, query: Mapping[str, Any] | None = None
    ) -> Answer:
        """One call of the API below /api/v1; ApiError when it is refused, NotRunning when nobody answers."""
        target = f"/api/v1{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Authorization": f"Bearer {self._token}"}
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        status, raw = self._send(method, target, data, headers)
        if status != http.HTTPStatus.OK:
            raise ApiError(_problem(raw), status)
        answer: Answer = json.loads(raw)
        return answer

    def _send(self, method: str, target: str, data: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        reused = self._connection is not None
        connection = self._connection = self._connection or self._connect()
        try:
            connection.request(method, target, data, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
            self.close()
            if reused and method == "GET":  # the daemon had closed an idle connection; what writes is not sent twice
                return self._send(method, target, data, headers)
            raise NotRunning("the daemon closed the connection; see: selfimprint doctor") from error
        except (ConnectionRefusedError, FileNotFoundError) as error:
            self.close()
            raise NotRunning("the daemon is not running; start it with: selfimprintd serve") from error

    def _connect(self) -> http.client.HTTPConnection:
        if self._socket_path:
            return _Unix(self._socket_path, self._timeout_s)
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._timeout_s)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def running_daemon(paths: Paths) -> dict[str, Any]:
    """What the daemon of these paths says about itself (pid, port, socket, version); NotRunning without one."""
    try:
        about: dict[str, Any] = json.loads(paths.daemon_file.read_bytes())
        return {"pid": int(about["pid"]), "port": int(about["port"]), "socket": str(about["socket"])} | about
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotRunning("the daemon is not running; start it with: selfimprintd serve") from error


def _problem(raw: bytes) -> Mapping[str, Any]:
    try:
        problem = json.loads(raw)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
