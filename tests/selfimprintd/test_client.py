"""The Python client over both kinds of socket."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from live import LiveServer

from selfimprintd.client import ApiError, Client, NotRunning, running_daemon
from selfimprintd.paths import find_paths


@pytest.fixture(params=["unix", "tcp"])
def client(live: LiveServer, request: pytest.FixtureRequest) -> Client:
    if request.param == "unix":
        return Client(live.token, socket_path=str(live.sockets.unix_path))
    return Client(live.token, port=live.port)


def test_everything_the_api_offers_is_a_method(client: Client) -> None:
    """One conversation through all of them, over one connection."""
    added = client.add("user", "We live in Tartu", at="2026-03-01T09:30:00+02:00", session="a/b", wait="embedded")
    node = added["learned"][0]["id"]
    assert client.context("tartu", budget=100)["text"] == "We live in Tartu"
    assert client.recall("tartu", k=1)["items"][0]["id"] == node
    assert client.nodes(limit=5)["total"] == 1
    assert client.patch(node, pinned=True)["node"]["pinned"] is True
    assert client.node(node)["pinned"] is True
    assert client.why(node)["node"]["id"] == node
    assert client.why_not("tartu & more?")["searched"]["nodes"] == 1
    assert client.graph(center=node)["nodes"][0]["id"] == node
    assert len(client.timeline(**{"from": "2026-03-01T09:30:00+02:00"})["entries"]) == 1
    assert client.sessions()["sessions"] == [{"id": "a/b"}]
    assert client.session("a/b")["messages"][0]["content"] == "We live in Tartu"
    assert len(client.deltas(limit=1)["deltas"]) == 1
    assert client.undo(client.retire(node)["delta"])["undone"] == 1
    assert client.drain(1)["drained"] is True
    assert client.status()["profile"] == "default"
    assert client.health() == {"status": "ok"}
    client.close()


def test_a_refusal_is_an_error_with_its_code(client: Client) -> None:
    """Status, code and what to do."""
    with pytest.raises(ApiError, match="holds nothing under that id") as caught:
        client.node("nobody of that name")
    assert (caught.value.status, caught.value.code) == (404, "unknown-id")


def test_events_come_as_they_happen(client: Client, live: LiveServer) -> None:
    """The iterator yields the type and what the event says."""
    events = client.events()
    memory = live.daemon.memories["default"]

    def tell() -> None:
        while memory.listeners == 0:
            pass
        memory.tell({"type": "committed", "changed": 2})

    teller = threading.Thread(target=tell)
    teller.start()
    assert next(events) == ("committed", {"type": "committed", "changed": 2})
    events.close()  # type: ignore[attr-defined]  # it is a generator
    teller.join()


def test_a_connection_that_the_daemon_closed_is_opened_again_for_reading(live: LiveServer) -> None:
    """Reads are repeated once; what writes is not sent twice without being asked to."""
    client = Client(live.token, port=live.port)
    client.status()
    assert live.server is not None and live._loop is not None
    done = threading.Event()

    def close_all() -> None:
        for connection in list(live.server.server_state.connections):  # type: ignore[union-attr]
            connection.transport.abort()
        done.set()

    for again in (True, False):
        done.clear()
        live._loop.call_soon_threadsafe(close_all)
        assert done.wait(5)
        if again:
            assert client.status()["profile"] == "default"
        else:
            with pytest.raises(NotRunning):
                client.add("user", "x")
    assert client.status()["messages"] == 0


def test_the_local_client_finds_the_daemon_and_the_token(live: LiveServer) -> None:
    """The home directory is all it needs."""
    assert Client.local(str(live.home)).status()["profile"] == "default"
    assert running_daemon(live.paths)["pid"] == os.getpid()


def test_without_a_daemon_it_says_how_to_start_one(tmp_path: Path) -> None:
    """No file, a broken file, or nobody listening: the same advice."""
    with pytest.raises(NotRunning, match="selfimprintd serve"):
        Client.local(str(tmp_path))
    paths = find_paths(str(tmp_path), {})
    paths.runtime.mkdir()
    paths.daemon_file.write_text('{"pid": "x"}')
    with pytest.raises(NotRunning, match="selfimprintd serve"):
        running_daemon(paths)
    with pytest.raises(NotRunning, match="selfimprintd serve"):
        Client("si_x", socket_path=str(tmp_path / "none")).status()
    with pytest.raises(NotRunning, match="selfimprintd serve"):
        Client("si_x", port=1).status()
