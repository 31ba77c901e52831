"""Twin of selfimprintd/cli_look.py: status, why, show, timeline."""

from __future__ import annotations

import json

import pytest
from commands import AT, Captured, run
from live import LiveServer

from selfimprintd.exits import Exit


@pytest.fixture
def told(live: LiveServer, capsys: Captured) -> LiveServer:
    run(capsys, live, "add", "We live in Tartu", "--at", AT)
    run(capsys, live, "add", "We have a cat", "--at", "2026-03-02T09:30:00+02:00")
    return live


def test_show_takes_the_filters_of_the_list(told: LiveServer, capsys: Captured) -> None:
    """A page goes on where the last ended."""
    first = json.loads(run(capsys, told, "show", "--limit", "1", "--json")[1])
    second = json.loads(run(capsys, told, "show", "--limit", "1", "--cursor", first["next"], "--json")[1])
    assert {n["content"] for n in first["nodes"] + second["nodes"]} == {"We live in Tartu", "We have a cat"}
    assert json.loads(run(capsys, told, "show", "--type", "event", "--json")[1])["nodes"] == []


def test_show_with_an_id_is_the_one_node(told: LiveServer, capsys: Captured) -> None:
    """The node itself and not a list of one."""
    assert json.loads(run(capsys, told, "show", "n-default-1", "--json")[1])["content"] == "We have a cat"


def test_why_of_what_is_not_there_has_its_own_status(told: LiveServer, capsys: Captured) -> None:
    """Not found, with nothing on standard output."""
    assert run(capsys, told, "why", "nobody")[:2] == (Exit.NOT_FOUND, "")


def test_the_timeline_ends_where_it_is_told_to(told: LiveServer, capsys: Captured) -> None:
    """From the one instant, until before the other."""
    day = ("2026-03-02T00:00:00+02:00", "2026-03-03T00:00:00+02:00")
    since = run(capsys, told, "timeline", "--since", day[0], "--until", day[1])[1]
    until = run(capsys, told, "timeline", "--until", day[0])[1]
    assert ("cat" in since, "Tartu" in since) == (True, False)
    assert ("cat" in until, "Tartu" in until) == (False, True)


def test_the_status_names_the_process_and_the_memory(told: LiveServer, capsys: Captured) -> None:
    """What runs, and how much it holds."""
    answer = json.loads(run(capsys, told, "status", "--json")[1])
    assert answer["messages"] == 2 and answer["daemon"]["pid"] > 0
