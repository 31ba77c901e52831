"""Twin of selfimprintd/routes_memory.py: messages in, context and recall out."""

from __future__ import annotations

from calling import AT, get, send
from live import LiveServer


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
