from __future__ import annotations

import pytest
from daemon_rows import _instant, hammer

from selfimprintd.instants import parse_instant


def test_all_clients_add_all_messages() -> None:
    """Each adder gets every message once, under ids and instants that no other has."""
    added: list[tuple[str, str, int, str]] = []
    found = hammer([lambda *m: added.append(m)] * 3, 5, "x")
    assert len({m[0] for m in added}) == len({m[2] for m in added}) == 15
    assert found.timing.repetitions == 15


def test_a_failure_is_raised() -> None:
    """A client that fails ends the measurement with its error."""

    def fail(id: str, session: str, minute: int, content: str) -> None:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        hammer([fail], 1, "x")


def test_instants_are_written_as_the_api_reads_them() -> None:
    """Minutes become instants in their order."""
    read = [parse_instant(_instant(minute))[0] for minute in (0, 1, 1_440, 50_000)]
    assert read == sorted(read)
