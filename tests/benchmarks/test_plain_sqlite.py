from __future__ import annotations

from pathlib import Path

import numpy as np
from graphs import make_edge
from plain_sqlite import PlainMemory
from records import make_message

ROWS = np.eye(150, dtype=np.float32)


def test_it_finds_by_word_and_by_vector_and_keeps_both(tmp_path: Path) -> None:
    """A turn is found by its word and another by its vector, in a file that is opened again as well."""
    path = tmp_path / "plain.sqlite"
    plain = PlainMemory(path)
    plain.fill([make_message(f"m{n}", f"word{n}") for n in range(150)], [], ROWS)
    plain.close()
    plain = PlainMemory(path)
    found = plain.context("word7?", ROWS[9])
    plain.close()
    assert {"word7", "word9"} <= {line.rsplit(" ", 1)[-1] for line in found.splitlines()}


def test_chains_are_walked_to_the_root(tmp_path: Path) -> None:
    """Everything that caused a thing is reached, with its distance."""
    plain = PlainMemory(tmp_path / "plain.sqlite")
    plain.fill([], [make_edge("e1", "c", "b"), make_edge("e2", "b", "a")], ROWS)
    assert dict(plain.chain("c")) == {"c": 0, "b": 1, "a": 2}
    plain.close()
