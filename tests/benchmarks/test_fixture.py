from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import fixture
import pytest
from memory_rows import Opened, rows
from own_daemon import OwnDaemon

SMALL = replace(fixture.SIZES["1k"], nodes=160, edges=300, turns=200, sessions=4, vocabulary=300)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fixture")
    fixture.make_home(path, SMALL)
    return path


def test_the_profile_has_the_asked_size(home: Path) -> None:
    """Nodes, edges, turns and sessions are as many as asked for, and every turn has its words and a vector."""
    profile = fixture.open_profile(home)
    try:
        state = profile.state
        assert (len(state.nodes), len(state.edges)) == (160, 300)
        assert (len(profile.trace), len(profile.trace.sessions)) == (200, 4)
        message = next(iter(profile.trace.all()))
        assert len(message.content.split()) == SMALL.words_a_turn
        assert profile.vector_of(message.id) is not None
    finally:
        profile.vault.close()


def test_the_same_seed_makes_the_same_profile(home: Path, tmp_path: Path) -> None:
    """Made twice, a profile gives the same context for the same question."""
    fixture.make_home(tmp_path, SMALL)
    question = fixture.questions(SMALL, 1)[0]
    found = []
    for place in (home, tmp_path):
        opened = Opened(place)
        try:
            found.append(opened.context(question))
        finally:
            opened.close()
    assert found[0] == found[1] != ""


def test_the_daemon_opens_it(home: Path) -> None:
    """A daemon started on the home serves the profile as it is."""
    daemon = OwnDaemon(home, fixture.daemon_settings())
    daemon.prepare([fixture.PROFILE])
    daemon.start()
    try:
        client = daemon.client(fixture.PROFILE)
        assert client.status()["messages"] == 200
        client.close()
    finally:
        daemon.stop()


def test_every_row_of_one_process_is_measured(home: Path) -> None:
    """The rows come with a positive median and, where there is one, a baseline."""
    found = rows(home, "small", SMALL, 1, None)
    assert [r.work for r in found][:2] == ["context, embedding excluded", "— beside the floor of it"]
    assert all(r.value > 0 for r in found)
    assert {r.work for r in found if r.floor is None} == {"graph filled at the first question, Kùzu"}
