from __future__ import annotations

import pytest
from own_daemon import DaemonSettings, NoStart, own_daemon


def test_profiles_do_not_see_one_another() -> None:
    """Each token reaches its own profile of the one daemon."""
    with own_daemon(["a", "b"], DaemonSettings(embedder="none")) as daemon:
        first, second = daemon.client("a"), daemon.client("b")
        first.add("user", "I like tea.")
        assert (first.status()["messages"], second.status()["messages"]) == (1, 0)
        assert first.status()["embedding"]["embedder"] == "none"


def test_a_daemon_that_does_not_start_says_why() -> None:
    """A setting that the daemon refuses ends with what it said about it."""
    with pytest.raises(Exception, match="embedder"), own_daemon(["a"], DaemonSettings(embedder="other")):
        raise NoStart("it did start")
