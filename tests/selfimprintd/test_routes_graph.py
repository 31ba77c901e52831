"""Twin of selfimprintd/routes_graph.py: looking into the graph and correcting it."""

from __future__ import annotations

import pytest
from calling import AT, get, send
from live import LiveServer


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


@pytest.mark.parametrize("id", ["nobody", "%20", "a%2Fb", "..%2F..%2Fetc", "'%3B--", "%F0%9F%92%A9", "x" * 300])
def test_what_cannot_be_an_id_is_an_unknown_one(live: LiveServer, id: str) -> None:
    """404 in one form, whatever was tried."""
    assert live.ask("GET", f"/api/v1/nodes/{id}")[0] == 404


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
