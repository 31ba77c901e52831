"""Records: a mapping whose values are made from plain forms at their first use."""

from __future__ import annotations

import pytest
from selfimprint.engine.records import Records


def test_a_plain_form_becomes_a_record_once_and_only_when_asked_for() -> None:
    """Nothing is made by holding, counting or listing; the first look makes the record, the second finds it."""
    made: list[int] = []

    def make(plain: int) -> str:
        made.append(plain)
        return f"record {plain}"

    records = Records(make)
    records.offer({"a": 1, "b": 2})
    assert len(records) == 2 and "a" in records and set(records) == {"a", "b"} and made == []
    assert records["a"] == "record 1" and records["a"] == "record 1"
    assert made == [1]


def test_it_behaves_like_a_dict() -> None:
    """Setting replaces either form, deleting removes it, what is missing is a KeyError or the default."""
    records: Records[str] = Records(str)
    records.offer({"a": 1})
    records["a"] = "ours"
    records["b"] = "new"
    assert dict(records) == {"a": "ours", "b": "new"} and len(records) == 2
    del records["a"]
    records.offer({"c": 3})
    del records["c"]
    assert "a" not in records and "c" not in records and records.get("a") is None
    with pytest.raises(KeyError):
        records["a"]
    with pytest.raises(KeyError):
        del records["a"]


def test_what_is_offered_again_is_made_anew() -> None:
    """A plain form replaces the record that was made of an older one."""
    records: Records[str] = Records(str)
    records.offer({"a": 1})
    assert records["a"] == "1"
    records.offer({"a": 2})
    assert records["a"] == "2" and len(records) == 1


def test_it_may_change_while_one_iterates() -> None:
    """Iterating goes over the ids that were there at its start."""
    records: Records[str] = Records(str)
    records.offer({"a": 1, "b": 2})
    for key in records:
        records[key] = "seen"
    assert dict(records) == {"a": "seen", "b": "seen"}
