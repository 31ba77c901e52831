"""Twin of engine/recall/names.py."""

from __future__ import annotations

from selfimprint.engine.recall.names import Names


def test_a_name_lives_as_long_as_its_uses() -> None:
    """A name is known until its last use is dropped, then forgotten, and gets a new number when it returns."""
    names = Names()
    assert [names.take(n) for n in ("Anna", "Ben", "Anna")] == [0, 1, 0]
    names.drop(0)
    assert names.ids == {"Anna": 0, "Ben": 1}
    names.drop(0)
    assert names.ids == {"Ben": 1} and "Anna" not in names.names
    assert names.take("Anna") == 2
    assert Names(names.names, names.uses).ids == names.ids
