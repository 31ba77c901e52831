"""Twin of selfimprintd/browsing.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from opened import Opened
from selfimprint.engine.errors import UnknownId
from selfimprint.engine.graph import EdgeType


@pytest.fixture
def opened() -> Iterator[Opened]:
    found = Opened()
    found.say("I live in Tartu.")
    found.say("I stayed at home because it rained all day.", days=1)
    found.say("My sister Anna works at Nokia.", days=1, session="family")
    found.say("I live in Riga now.", days=1)
    yield found
    found.close()


def nodes(opened: Opened, **wanted: Any) -> dict[str, Any]:
    filters = {"type": "", "slot": "", "subject": "", "status": "all", "limit": 100, "cursor": "", **wanted}
    return opened.service.nodes(**filters)


def test_nodes_come_newest_first_and_pages_hold_each_once(opened: Opened) -> None:
    """Walking the pages gives the whole list."""
    whole = nodes(opened)
    walked, cursor = [], ""
    while True:
        page = nodes(opened, limit=2, cursor=cursor)
        walked += page["nodes"]
        cursor = page["next"]
        if not cursor:
            break
    assert walked == whole["nodes"] and len(walked) == whole["total"] == len(opened.profile.state.nodes)
    assert [n["created_at"] for n in walked] == sorted((n["created_at"] for n in walked), reverse=True)


def test_filters_narrow_together(opened: Opened) -> None:
    """By slot, by what became of it, and by a person's name as well as id."""
    lived = {s: nodes(opened, slot="home", status=s)["nodes"] for s in ("current", "ended")}
    assert [n["attributes"]["value"] for n in (*lived["current"], *lived["ended"])] == ["Riga", "Tartu"]
    (works,) = nodes(opened, subject="Anna", slot="employer")["nodes"]
    assert nodes(opened, subject=works["subject"], slot="employer")["nodes"] == [works]


def test_a_cursor_of_another_list_is_refused(opened: Opened) -> None:
    """Rather than starting over unseen."""
    for ask in (nodes, lambda o, cursor: o.service.sessions(5, cursor), lambda o, cursor: o.service.timeline(None, None, 5, cursor)):  # fmt: skip  # noqa: E501
        with pytest.raises(UnknownId):
            ask(opened, cursor="nothing")


def test_why_gives_the_chain_of_causes_with_its_links(opened: Opened) -> None:
    """Effect first, each link between its two nodes."""
    link = next(e for e in opened.profile.state.edges.values() if e.type is EdgeType.CAUSED_BY)
    answer = opened.service.why(link.from_id)
    (chain,) = answer["chains"]
    assert [n["id"] for n in chain["nodes"]] == [link.from_id, link.to_id]
    assert [x["id"] for x in chain["links"]] == [link.id]
    assert opened.service.why(link.to_id)["chains"] == []


def test_why_not_tells_counts_and_reasons_without_content(opened: Opened) -> None:
    """What was searched, and how near the nearest came."""
    answer = opened.service.why_not("Where does Anna work?")
    assert answer["searched"]["turns"] == 4
    assert answer["searched"]["nodes"] == len(opened.profile.state.nodes)
    assert answer["nearest"] and "Nokia" not in str(answer)


def test_the_graph_around_a_node_ends_at_the_hops(opened: Opened) -> None:
    """No hop: the node alone; one: its neighbours, with only the edges between those shown."""
    link = next(e for e in opened.profile.state.edges.values() if e.type is EdgeType.CAUSED_BY)
    alone = opened.service.graph(link.from_id, 0, 50)
    assert ([n["id"] for n in alone["nodes"]], alone["edges"]) == ([link.from_id], [])
    near = opened.service.graph(link.from_id, 1, 50)
    inside = {n["id"] for n in near["nodes"]}
    assert link.to_id in inside and link.id in {e["id"] for e in near["edges"]}
    assert all({e["from"], e["to"]} <= inside for e in near["edges"])


def test_the_timeline_is_in_order_and_half_open(opened: Opened) -> None:
    """Persons and what was retired are no entries; the start counts, the end does not."""
    entries = opened.service.timeline(None, None, 100, "")["entries"]
    times = [e["at"] for e in entries]
    assert times == sorted(times) and all(e["node"]["type"] != "person" for e in entries)
    part = opened.service.timeline(times[0], times[-1], 100, "")["entries"]
    assert [e["at"] for e in part] == [t for t in times if t < times[-1]]
    opened.service.retire_node(entries[0]["node"]["id"])
    assert opened.service.timeline(None, None, 100, "")["total"] == len(entries) - 1


def test_sessions_come_latest_first_and_hold_their_turns_in_order(opened: Opened) -> None:
    """A page of turns goes on where the last ended."""
    assert [s["id"] for s in opened.service.sessions(10, "")["sessions"]] == ["talk", "family"]
    first = opened.service.session("talk", 2, "")
    rest = opened.service.session("talk", 2, first["next"])
    said = [m["content"] for m in (*first["messages"], *rest["messages"])]
    assert said == ["I live in Tartu.", "I stayed at home because it rained all day.", "I live in Riga now."]
    assert rest["next"] == ""
    with pytest.raises(UnknownId):
        opened.service.session("nowhere", 2, "")


def test_deltas_come_newest_first_and_no_more_than_asked(opened: Opened) -> None:
    """By their numbers."""
    numbers = [d["seq"] for d in opened.service.deltas(3)["deltas"]]
    assert len(numbers) == 3 and numbers == sorted(numbers, reverse=True) and numbers[0] == opened.profile.seq
