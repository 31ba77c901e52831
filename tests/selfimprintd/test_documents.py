"""Twin of selfimprintd/documents.py: what is written of records reads back as the same records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from graphs import make_node
from hypothesis import given, settings
from hypothesis import strategies as st
from records import deltas, make_message, whole_edges, whole_messages, whole_nodes
from selfimprint.engine.codec import encode, from_plain
from selfimprint.engine.errors import MalformedRecord
from selfimprint.engine.graph import Edge, Node
from selfimprint.synx.text import encode_records

from selfimprintd import documents


def distinct(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(strategy, max_size=3, unique_by=lambda record: record.id)


@settings(max_examples=30, deadline=None)
@given(distinct(whole_nodes), distinct(whole_edges))
def test_a_graph_file_gives_back_its_nodes_and_edges(nodes: list[Node], edges: list[Edge]) -> None:
    """Every field survives, and the ends of the edges are told beside them."""
    stored = documents.read_graph(documents.graph_text(nodes, edges))
    assert [from_plain(Node, plain) for plain in stored.nodes.values()] == nodes
    assert [from_plain(Edge, plain) for plain in stored.edges.values()] == edges
    assert stored.ends == [(e.id, e.from_id, e.to_id) for e in edges]


@settings(max_examples=30, deadline=None)
@given(distinct(whole_nodes), distinct(whole_edges))
def test_the_quick_form_holds_the_same(nodes: list[Node], edges: list[Edge]) -> None:
    """Its records are the canonical JSON texts, its ends those of the graph file."""
    quick = documents.read_quick(documents.quick_text(nodes, edges))
    assert quick.nodes == {n.id: encode(n).decode() for n in nodes}
    assert quick.edges == {e.id: encode(e).decode() for e in edges}
    assert quick.ends == documents.read_graph(documents.graph_text(nodes, edges)).ends


@settings(max_examples=30, deadline=None)
@given(distinct(whole_messages))
def test_a_session_file_gives_back_its_turns(messages: list[Any]) -> None:
    """Verbatim, whatever was said."""
    rows = documents.read_session(documents.session_text(messages))
    assert [documents.turn_of(row) for row in rows.values()] == messages


@settings(max_examples=30, deadline=None)
@given(st.lists(deltas, max_size=3))
def test_a_history_file_gives_back_its_deltas(found: list[Any]) -> None:
    """Each under its number."""
    numbered = list(enumerate(found, start=7))
    assert documents.read_history(documents.history_text((n, d, encode(d)) for n, d in numbered)) == numbered


def test_a_graph_row_of_another_kind_is_refused() -> None:
    """It is not taken for a node."""
    data = encode_records([{"kind": "thing", "id": "x"}], ("kind", "id")).encode()
    with pytest.raises(MalformedRecord):
        documents.read_graph(data)


def test_a_row_that_is_no_turn_is_refused() -> None:
    """A turn without its content is malformed, not empty."""
    (row,) = documents.read_session(documents.session_text([make_message()])).values()
    with pytest.raises(MalformedRecord):
        documents.turn_of({name: value for name, value in row.items() if name != "content"})


def test_a_quick_file_cut_short_is_not_read_as_a_smaller_one() -> None:
    """Columns of unequal length fail."""
    body = json.loads(documents.quick_text([make_node("a"), make_node("b")], []))
    body[1].pop()
    with pytest.raises(ValueError, match="shorter"):
        documents.read_quick(json.dumps(body).encode())
