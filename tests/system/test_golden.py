"""Profiles that earlier versions wrote: each opens with this one, and gives back all that was told to it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from real_daemon import RealDaemon

GOLDEN = Path(__file__).parents[1] / "golden"
VERSIONS = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir() and path.name != "__pycache__")
QUESTION = "Where do I live, and what do I do?"


def test_there_is_a_profile_of_every_version() -> None:
    """A version without one could break unseen."""
    assert VERSIONS[0] == "1"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_profile_of_an_earlier_version_opens_with_nothing_lost(version: str, tmp_path: Path) -> None:
    """A checkpoint and a journal after it, both of that version, give the turns, the nodes and the facts they held."""
    daemon = put_in_place(version, tmp_path)
    expected = json.loads((GOLDEN / version / "expected.json").read_text(encoding="utf-8"))
    set_clock(daemon, expected["clock"])
    with daemon:
        compare(daemon, expected)
        daemon.client().add("user", "My new bicycle is green.")
        assert daemon.stop() == 0
    with daemon:  # now as this version wrote it
        texts = turns(daemon)
        assert texts[: len(expected["messages"])] == expected["messages"]
        assert texts[-1] == "My new bicycle is green."
        assert daemon.stop() == 0


def compare(daemon: RealDaemon, expected: dict[str, object]) -> None:
    client = daemon.client()
    nodes = client.nodes(status="all", limit=500)["nodes"]
    assert sorted([n["type"], n["content"]] for n in nodes) == expected["nodes"]
    assert turns(daemon) == expected["messages"]
    assert client.context(QUESTION)["text"] == expected["context"]


def turns(daemon: RealDaemon) -> list[str]:
    client = daemon.client()
    sessions = reversed(client.sessions()["sessions"])
    return [m["content"] for s in sessions for m in client.session(s["id"], limit=500)["messages"]]


def set_clock(daemon: RealDaemon, now: str) -> None:
    clock = daemon.home / "clock"
    clock.write_text(now, encoding="utf-8")
    config = daemon.home / "config.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(f'testing = true\nclock = "file:{clock}"\n{text}', encoding="utf-8")


def put_in_place(version: str, tmp_path: Path) -> RealDaemon:
    """A home of today with that version's profile and key in place of its own."""
    daemon = RealDaemon(tmp_path / "h")
    profile = daemon.home / "data" / "profiles" / "default"
    shutil.rmtree(profile)
    shutil.copytree(GOLDEN / version / "profile", profile)
    key = tmp_path / "h.key"
    shutil.copyfile(GOLDEN / version / "key", key)
    key.chmod(0o600)
    return daemon
