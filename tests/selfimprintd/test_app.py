"""The API's routes against the fake memory, and the answers against the OpenAPI document."""

from __future__ import annotations

import json
import socket
import threading
import time
from typing import Any

import pytest
from live import LiveServer, parse, with_limits

from selfimprintd import answers
from selfimprintd.app import invalid_fields

AT = "2026-03-01T09:30:00.000001+02:00"


def get(live: LiveServer, path: str) -> Any:
    status, headers, body = live.ask("GET", f"/api/v1{path}")
    assert status == 200 and headers["content-type"] == "application/json", body
    return json.loads(body)


def send(live: LiveServer, method: str, path: str, body: Any, expect: int = 200) -> Any:
    status, _, answer = live.ask(method, f"/api/v1{path}", body)
    assert status == expect, answer
    return json.loads(answer)


def test_one_message_or_many_are_answered_alike(live: LiveServer) -> None:
    """A list of what was stored, in order, with what was learned."""
    one = send(live, "POST", "/messages", {"role": "user", "content": "We live in Tartu.", "at": AT})
    many = send(live, "POST", "/messages", {"messages": [{"role": "assistant", "content": str(n)} for n in range(3)]})
    assert [len(one["messages"]), len(many["messages"])] == [1, 3]
    assert one["messages"][0]["learned"][0]["change"] == "new"
    assert [m["id"] for m in many["messages"]] == ["m1", "m2", "m3"]


def test_a_time_comes_back_to_the_microsecond_in_its_own_offset(live: LiveServer) -> None:
    """What was said at half past nine in Tallinn was said then."""
    assert send(live, "POST", "/messages", {"role": "user", "content": "x", "at": AT})["messages"][0]["at"] == AT
    assert get(live, "/sessions/s1")["messages"][0]["at"] == AT


def test_a_message_without_a_time_gets_the_owners_offset(live: LiveServer) -> None:
    """The configured zone is Tallinn: two or three hours."""
    said = send(live, "POST", "/messages", {"role": "user", "content": "x"})["messages"][0]
    assert said["offset_minutes"] in (120, 180)
    assert said["warnings"] == ["time-assumed"]


def test_the_same_key_stores_once(live: LiveServer) -> None:
    """A repeated request is answered as the first was, and says so."""
    body = {"role": "user", "content": "x", "key": "k1"}
    first, second = (send(live, "POST", "/messages", body)["messages"][0] for _ in range(2))
    assert (first["duplicate"], second["duplicate"]) == (False, True)
    assert first["id"] == second["id"]


def test_waiting_for_vectors_is_asked_in_the_query(live: LiveServer) -> None:
    """`wait=embedded` reaches the memory; anything else is refused."""
    body = {"role": "user", "content": "x"}
    assert send(live, "POST", "/messages?wait=embedded", body)["messages"][0]["state"] == "embedded"
    assert send(live, "POST", "/messages?wait=forever", body, 422)["errors"][0]["field"] == "wait"


@pytest.mark.parametrize(
    ("path", "body", "field", "advice"),
    [
        ("/messages", {"role": "user", "content": "x", "at": "2026-03-01T09:30:00"}, "at", "add an offset like +02:00"),
        ("/messages", {"role": "user", "content": "x", "at": 5}, "at", "write the time as text"),
        ("/messages", {"role": "boss", "content": "x"}, "role", "'user', 'person'"),
        ("/messages", {"role": "user", "content": ""}, "content", "at least 1"),
        ("/messages", {"role": "user", "content": " \n"}, "body", "not a blank"),
        ("/messages", {"role": "user"}, "content", "required"),
        ("/messages", {"role": "user", "content": "x", "sesion": "y"}, "sesion", "did you mean session?"),
        ("/messages", {"messages": []}, "messages", "at least 1"),
        (
            "/messages",
            {"messages": [{"role": "user", "content": "x"}, {"role": "user"}]},
            "messages.1.content",
            "required",
        ),
        ("/messages", {"role": "user", "content": "x", "key": "k" * 201}, "key", "at most 200"),
        ("/context", {"message": "x", "budget": 0}, "budget", "greater than or equal to 1"),
        ("/context", {"message": "x", "budget": "400"}, "budget", "valid integer"),
        ("/context", {"message": "x", "as_of": "last year"}, "as_of", "ISO-8601"),
        ("/recall", {"query": "x", "mode": "magic"}, "mode", "'default', 'paper'"),
        ("/recall", {"query": "x", "types": ["fact", "lie"]}, "types.1", "'fact'"),
        ("/drain", {"timeout_s": 0}, "timeout_s", "greater than 0"),
    ],
)
def test_a_wrong_field_is_named_with_what_to_write(
    live: LiveServer, path: str, body: Any, field: str, advice: str
) -> None:
    """422 lists the fields by place, and says what belongs there."""
    problem = send(live, "POST", path, body, 422)
    assert problem["code"] == "invalid"
    assert any(error["field"] == field and advice in error["problem"] for error in problem["errors"]), problem


def test_context_carries_its_citations_and_says_when_it_knows_nothing(live: LiveServer) -> None:
    """Text with sources, or empty and said so."""
    send(live, "POST", "/messages", {"role": "user", "content": "We live in Tartu", "at": AT})
    known = send(live, "POST", "/context", {"message": "tartu or not", "budget": 50})
    assert known["text"] == "We live in Tartu" and known["citations"][0]["node"] == "n-default-0"
    excluded = send(live, "POST", "/context", {"message": "tartu", "exclude": ["n-default-0"]})
    assert (excluded["text"], excluded["empty"]) == ("", True)


def test_recall_passes_times_through(live: LiveServer) -> None:
    """`as_of` arrives as an exact instant."""
    send(live, "POST", "/messages", {"role": "user", "content": "tea", "at": AT})
    found = send(live, "POST", "/recall", {"query": "tea", "as_of": AT, "k": 1})
    assert found["items"][0]["as_of"] == "2026-03-01T07:30:00.000001Z"


def test_a_node_is_corrected_retired_and_brought_back(live: LiveServer) -> None:
    """PATCH changes, DELETE retires, undo restores."""
    send(live, "POST", "/messages", {"role": "user", "content": "tea", "at": AT})
    changed = send(live, "PATCH", "/nodes/n-default-0", {"pinned": True, "valid_from": AT, "valid_to": None})
    assert changed["node"]["pinned"] is True
    assert changed["node"]["valid_from"] == "2026-03-01T07:30:00.000001Z"
    delta = send(live, "DELETE", "/nodes/n-default-0", None)["delta"]
    assert send(live, "DELETE", "/nodes/n-default-0", None, 404)["code"] == "unknown-id"
    assert send(live, "POST", f"/undo/{delta}", {})["undone"] == 1
    assert get(live, "/nodes/n-default-0")["content"] == "tea"


def test_a_change_that_the_memory_refuses_is_a_409_with_reasons(live: LiveServer) -> None:
    """The door's reasons are shown."""
    send(live, "POST", "/messages", {"role": "user", "content": "tea"})
    problem = send(live, "PATCH", "/nodes/n-default-0", {"content": "refuse me"}, 409)
    assert (problem["code"], problem["reasons"]) == ("delta-refused", ["content: not allowed"])
    assert send(live, "PATCH", "/nodes/n-default-0", {}, 422)["errors"][0]["problem"].startswith("give at least one")
    assert send(live, "PATCH", "/nodes/n-default-0", {"pinned": None}, 422)["code"] == "invalid"


def test_sessions_of_any_name_can_be_read(live: LiveServer) -> None:
    """Slashes, blanks and other letters in a session's id survive the path."""
    for name, quoted in (("a/b", "a%2Fb"), ("чат 1", "%D1%87%D0%B0%D1%82%201"), ("x?y#z", "x%3Fy%23z")):
        send(live, "POST", "/messages", {"role": "user", "content": "tea", "session": name})
        assert get(live, f"/sessions/{quoted}")["id"] == name


@pytest.mark.parametrize("id", ["nobody", "%20", "a%2Fb", "..%2F..%2Fetc", "'%3B--", "%F0%9F%92%A9", "x" * 300])
def test_what_cannot_be_an_id_is_an_unknown_one(live: LiveServer, id: str) -> None:
    """404 in one form, whatever was tried."""
    assert live.ask("GET", f"/api/v1/nodes/{id}")[0] == 404


def test_the_timeline_takes_its_ends_with_or_without_an_encoded_plus(live: LiveServer) -> None:
    """A + in a query is a blank to most readers; both forms mean the offset."""
    for hour in ("08", "10"):
        send(live, "POST", "/messages", {"role": "user", "content": hour, "at": f"2026-03-01T{hour}:00:00+02:00"})
    for plus in ("%2B", "+"):
        found = get(live, f"/timeline?from=2026-03-01T09:00:00{plus}02:00")["entries"]
        assert [entry["node"]["content"] for entry in found] == ["10"]
    assert live.ask("GET", "/api/v1/timeline?from=2026-03-01")[0] == 422


@pytest.mark.parametrize(
    "query", ["limt=5", "limit=0", "limit=1001", "limit=x", "status=gone", "type=lie", "cursor=%22"]
)
def test_an_unknown_or_wrong_query_is_refused(live: LiveServer, query: str) -> None:
    """A misspelt filter must not look like an unfiltered answer."""
    assert live.ask("GET", f"/api/v1/nodes?{query}")[0] == 422


def test_pages_follow_one_another(live: LiveServer) -> None:
    """`next` is the cursor of the page after this one, empty at the end."""
    send(live, "POST", "/messages", {"messages": [{"role": "user", "content": str(n)} for n in range(5)]})
    first = get(live, "/nodes?limit=3")
    second = get(live, f"/nodes?limit=3&cursor={first['next']}")
    assert [n["content"] for n in first["nodes"] + second["nodes"]] == list("01234")
    assert second["next"] == ""


def test_an_unknown_route_and_a_wrong_method_are_problems_too(live: LiveServer) -> None:
    """404 and 405 of the framework have our form."""
    assert send(live, "GET", "/nothing", None, 404)["code"] == "no-route"
    status, headers, body = live.ask("PUT", "/api/v1/nodes", {})
    assert (status, json.loads(body)["code"], headers["allow"]) == (405, "wrong-method", "GET")


def test_a_failure_nobody_foresaw_is_a_500_without_its_story(live: LiveServer) -> None:
    """No message, no stack."""

    def broken() -> Any:
        raise RuntimeError("the canary sings")

    live.daemon.memories["default"].status = broken  # type: ignore[method-assign]
    status, _, body = live.ask("GET", "/api/v1/status")
    assert (status, json.loads(body)["code"]) == (500, "internal")
    assert b"canary" not in body and b"Trace" not in body


def test_a_slow_call_does_not_hold_up_quick_ones(live: LiveServer) -> None:
    """As many waiting drains as there are slow threads leave status as it was."""
    release = threading.Event()

    def waits(timeout_s: float) -> dict[str, Any]:
        return {"drained": release.wait(20), "waiting": 0}

    live.daemon.memories["default"].drain = waits  # type: ignore[method-assign,assignment]
    drains = [threading.Thread(target=lambda: live.ask("POST", "/api/v1/drain", {})) for _ in range(20)]
    for drain in drains:
        drain.start()
    assert live.ask("GET", "/api/v1/status")[0] == 200
    release.set()
    for drain in drains:
        drain.join(10)


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


ROUTES: tuple[tuple[str, str, Any, Any], ...] = (
    ("post", "/api/v1/messages", {"role": "user", "content": "We live in Tartu", "at": AT}, answers.AddedMessages),
    ("post", "/api/v1/context", {"message": "tartu"}, answers.ContextAnswer),
    ("post", "/api/v1/recall", {"query": "tartu"}, answers.RecallAnswer),
    ("post", "/api/v1/drain", {}, answers.DrainAnswer),
    ("get", "/api/v1/nodes", None, answers.NodePage),
    ("get", "/api/v1/nodes/{id}", None, answers.NodeAnswer),
    ("patch", "/api/v1/nodes/{id}", {"pinned": True}, answers.ChangedAnswer),
    ("get", "/api/v1/why/{id}", None, answers.WhyAnswer),
    ("get", "/api/v1/why-not", None, answers.WhyNotAnswer),
    ("get", "/api/v1/graph", None, answers.GraphAnswer),
    ("get", "/api/v1/timeline", None, answers.TimelinePage),
    ("get", "/api/v1/sessions", None, answers.SessionPage),
    ("get", "/api/v1/sessions/{id}", None, answers.SessionAnswer),
    ("get", "/api/v1/deltas", None, answers.DeltaList),
    ("get", "/api/v1/status", None, answers.FreeAnswer),
    ("get", "/api/v1/health", None, answers.HealthAnswer),
    ("delete", "/api/v1/nodes/{id}", None, answers.ChangedAnswer),
    ("post", "/api/v1/undo/{delta}", {}, answers.UndoAnswer),
)


def test_every_route_answers_as_the_openapi_document_says(live: LiveServer) -> None:
    """Each documented operation is called, and its answer fits the model that the document names for it."""
    document = json.loads(live.ask("GET", "/api/v1/openapi.json")[2])
    documented = {(method, path) for path, methods in document["paths"].items() for method in methods}
    assert documented - {("get", "/api/v1/events")} == {(method, path) for method, path, _, _ in ROUTES}
    for method, path, body, model in ROUTES:
        named = document["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        assert named == f"#/components/schemas/{model.__name__}"
        id = "s1" if "sessions" in path else "n-default-0"
        target = path.format(id=id, delta="r-n-default-0") + ("?q=tea" if path.endswith("why-not") else "")
        status, _, answer = live.ask(method.upper(), target, body)
        assert status == 200, (path, answer)
        model.model_validate_json(answer)


def test_the_document_names_its_failures_and_gives_examples(live: LiveServer) -> None:
    """Every operation lists problem+json by code; bodies carry an example that the route accepts."""
    document = json.loads(live.ask("GET", "/api/v1/openapi.json")[2])
    text = json.dumps(document)
    assert "HTTPValidationError" not in text
    assert document["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            if path.endswith("/health"):
                assert operation["security"] == []
                continue
            for status in ("401", "403", "421", "422", "423", "429", "500", "503"):
                content = operation["responses"][status]["content"]["application/problem+json"]
                for code, example in content["examples"].items():
                    assert example["value"]["code"] == code and str(example["value"]["status"]) == status
    for name in ("MessageIn", "ContextIn", "RecallIn"):
        example = document["components"]["schemas"][name]["examples"][0]
        path = {"MessageIn": "/messages", "ContextIn": "/context", "RecallIn": "/recall"}[name]
        send(live, "POST", path, example)


def test_an_unknown_field_of_odd_form_is_not_repeated() -> None:
    """Only plain field names are shown; anything else might be what a person wrote."""
    found = [{"type": "extra_forbidden", "loc": ("body", "one", "My Secret Diary"), "msg": "x"}]
    assert invalid_fields(found) == [{"field": "?", "problem": "not a field here"}]


def test_the_answer_on_the_wire_is_utf8_and_says_its_length(live: LiveServer) -> None:
    """No escapes, so that a person can read a log of it."""
    send(live, "POST", "/messages", {"role": "user", "content": "Õhtul läksime Пярну 🌊"})
    _, headers, body = live.ask("GET", "/api/v1/nodes")
    assert "Õhtul läksime Пярну 🌊" in body.decode()
    assert int(headers["content-length"]) == len(body)
    assert parse(b"") == (0, {}, b"")
