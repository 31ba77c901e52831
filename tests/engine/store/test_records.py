"""Held records and their instants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from graphs import START, edges, make_edge, make_node, nodes, texts
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.graph import Edge, Node
from selfimprint.engine.store.records import (
    EARLIEST,
    LATEST,
    held_edge,
    held_node,
    is_text,
    is_visible,
    to_datetime,
    to_instant,
)


@given(st.integers(EARLIEST, LATEST))
def test_instants_round_trip(instant: int) -> None:
    """Microseconds survive the way through a naive datetime, which counts in UTC."""
    moment = to_datetime(instant)
    assert moment is not None and moment.tzinfo is None
    assert to_instant(moment) == instant


def test_known_instants() -> None:
    """An instant is a time in UTC; none stays none; a zone is honoured."""
    assert to_datetime(START) == datetime(2024, 10, 4)
    assert to_datetime(EARLIEST) == datetime.min and to_datetime(LATEST) == datetime.max
    assert to_datetime(None) is None and to_instant(None) is None
    assert to_instant(datetime(2024, 10, 4, 2, tzinfo=timezone(timedelta(hours=2)))) == START
    assert to_instant(datetime(2024, 10, 4, tzinfo=UTC)) == START


@given(nodes(texts()), edges(texts(), texts(), texts()))
def test_what_is_held(node: Node, edge: Edge) -> None:
    """Every held field has the record's value."""
    for held, record in ((held_node(node), node), (held_edge(edge), edge)):
        assert all(getattr(held, name) == getattr(record, name) for name in held.__dataclass_fields__)


@pytest.mark.parametrize("field", ["id", "from_id", "to_id"])
def test_surrogates_are_named(field: str) -> None:
    """The error says which field holds the lone surrogate, without its content."""
    values = {"id": "e", "from_id": "a", "to_id": "b", field: "secret\udead"}
    with pytest.raises(ValueError, match=f"{field} contains a lone surrogate") as caught:
        held_edge(make_edge(**values))
    assert "secret" not in str(caught.value)


@given(st.text())
def test_text_has_a_utf8_form(text: str) -> None:
    """Text is what can be encoded as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        assert not is_text(text)
    else:
        assert is_text(text)


@pytest.mark.parametrize("retired", [None, 1])
@pytest.mark.parametrize("archived", [None, 1])
def test_visibility(retired: int | None, archived: int | None) -> None:
    """Retired and archived are asked for separately, and a node that is both needs both."""
    node = held_node(make_node("a", retired_at=retired, archived_at=archived))
    for with_retired in (False, True):
        for with_archived in (False, True):
            expected = (with_retired or not retired) and (with_archived or not archived)
            assert is_visible(node, include_retired=with_retired, include_archived=with_archived) is expected
