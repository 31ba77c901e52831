"""Twin of selfimprintd/exits.py."""

from __future__ import annotations

import pytest

from selfimprintd.exits import Exit


@pytest.mark.parametrize(
    ("status", "ended"),
    [(401, 4), (403, 4), (421, 4), (429, 4), (404, 5), (423, 7), (409, 9), (503, 9), (507, 9), (400, 6), (422, 6),
     (413, 6), (500, 1), (302, 1)],
)  # fmt: skip
def test_an_http_status_comes_to_a_documented_exit_status(status: int, ended: int) -> None:
    """The numbers are what scripts rely on."""
    assert Exit.of_status(status) == ended
