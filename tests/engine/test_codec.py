"""The canonical encoding: every record comes back, equal values have equal bytes, and garbage is refused as such."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from graphs import make_edge, make_node
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records import deltas, make_delta, make_message, several, views, whole_edges, whole_messages, whole_nodes
from selfimprint.engine.codec import decode_delta, decode_view, encode, from_plain, to_plain
from selfimprint.engine.delta import AddEdge, AddNode, GraphDelta, PutMessage, SetNode, View
from selfimprint.engine.errors import MalformedRecord
from selfimprint.engine.graph import Edge, Message, Node

big = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
EXAMPLE = make_delta(
    PutMessage(message=make_message()), AddNode(node=make_node("n_1")), AddEdge(edge=make_edge("e_1", "n_1", "n_2"))
)
EXAMPLE_BYTES = encode(EXAMPLE)


@big
@given(deltas)
def test_every_delta_comes_back(delta: GraphDelta) -> None:
    """Decoding the bytes of a delta gives an equal delta."""
    assert decode_delta(encode(delta)) == delta


@big
@given(views)
def test_every_view_comes_back(view: View) -> None:
    """Decoding the bytes of a view gives an equal view."""
    assert decode_view(encode(view)) == view


@big
@given(st.one_of(whole_nodes, whole_edges, whole_messages))
def test_every_record_comes_back(record: Node | Edge | Message) -> None:
    """Nodes, edges and messages alone survive to_plain, JSON and from_plain."""
    assert from_plain(type(record), json.loads(encode(record))) == record


@big
@given(several(whole_nodes), several(whole_edges))
def test_views_and_deltas_share_the_encoding(nodes: tuple[Node, ...], edges: tuple[Edge, ...]) -> None:
    """A record looks the same inside a view and inside a delta."""
    view = to_plain(View(at=0, nodes=nodes, edges=edges))
    delta = to_plain(make_delta(*(AddNode(node=n) for n in nodes), *(AddEdge(edge=e) for e in edges)))
    held = [*view["nodes"], *view["edges"]]
    assert held == [operation.get("node") or operation.get("edge") for operation in delta["operations"]]


def _shuffled(value: Any) -> Any:
    """The same JSON value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: _shuffled(value[key]) for key in reversed(value)}
    return [_shuffled(x) for x in value] if isinstance(value, list) else value


@big
@given(deltas)
def test_the_encoding_is_canonical(delta: GraphDelta) -> None:
    """Whatever the key order and white space it was read from, a value has one encoding."""
    loose = json.dumps(_shuffled(json.loads(encode(delta))), indent=1).encode()
    assert encode(decode_delta(loose)) == encode(delta)


@pytest.mark.parametrize("whole, same", [(1, 1.0), (0, 0.0), (-0.0, 0.0)])
def test_equal_numbers_have_equal_bytes(whole: float, same: float) -> None:
    """A confidence of 1 and one of 1.0, of −0.0 and of 0.0, are equal values, so they have the same bytes."""
    one, other = (make_edge("e", "a", "b", confidence=number) for number in (whole, same))
    assert one == other
    assert encode(one) == encode(other)


def test_fields_at_their_default_are_left_out() -> None:
    """A node's plain form names only what differs from the defaults; an explicit default reads as the same node."""
    node = make_node("n_1", evidence=(), importance=0.5)
    plain = to_plain(node)
    assert {"importance", "valence", "evidence", "retired_at"}.isdisjoint(plain)
    assert from_plain(Node, {**plain, "importance": 0.5, "evidence": []}) == node


def _set(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = list(plain) if isinstance(plain, list) else dict(plain)
    copy[path[0]] = _set(copy[path[0]] if len(path) > 1 else None, path[1:], value)
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("surprise",), 1),
        (("cause",), "gossip"),
        (("recorded_at",), 1.0),
        (("recorded_at",), True),
        (("recorded_at",), None),
        (("operations",), {}),
        (("operations",), "add_node"),
        (("operations", 0, "op"), "drop_node"),
        (("operations", 0, "op"), ["add_node"]),
        (("operations", 0), None),
        (("operations", 1, "node", "id"), 7),
        (("operations", 1, "node", "op"), "add_node"),
        (("operations", 1, "node", "confidence"), "1"),
        (("operations", 1, "node", "confidence"), True),
        pytest.param(("operations", 1, "node", "confidence"), 10**400, id="beyond a float"),
        (("operations", 1, "node", "attributes"), [["slot"]]),
        (("operations", 1, "node", "attributes"), [["slot", "home", "x"]]),
        (("operations", 1, "node", "touches"), [{"at": 0}]),
        (("operations", 1, "node", "type"), "rumour"),
        (("operations", 1, "node", "type"), []),
        (("operations", 1, "node", "sensitive"), 0),
        (("operations", 0, "message", "content"), "half \ud83d"),
    ],
)
def test_a_delta_with_one_wrong_thing_is_refused(path: tuple[Any, ...], value: Any) -> None:
    """Unknown or missing fields, wrong types, unknown names and numbers beyond a float raise MalformedRecord."""
    data = json.dumps(_set(json.loads(EXAMPLE_BYTES), path, value)).encode()
    with pytest.raises(MalformedRecord):
        decode_delta(data)


@pytest.mark.parametrize("field", ["id", "cause", "recorded_at", "operations"])
def test_a_delta_without_a_required_field_is_refused(field: str) -> None:
    """A field without a default must be there."""
    plain = json.loads(EXAMPLE_BYTES)
    del plain[field]
    with pytest.raises(MalformedRecord):
        decode_delta(json.dumps(plain).encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b"{", b"\xff\xfe", b"\x00", b"[" * 100_000, b'{"a":NaN}', b"9" * 5_000, EXAMPLE_BYTES[:-1]],
)
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    """Empty, cut, deeply nested and non-JSON bytes raise MalformedRecord and nothing else."""
    for decode in (decode_delta, decode_view):
        with pytest.raises(MalformedRecord):
            decode(data)


@given(st.binary(max_size=64))
def test_random_bytes_are_refused(data: bytes) -> None:
    """No random bytes are a delta, and none raise anything but MalformedRecord."""
    with pytest.raises(MalformedRecord):
        decode_delta(data)


@given(st.integers(0, len(EXAMPLE_BYTES) - 1), st.integers(0, 255))
def test_a_changed_byte_is_refused_or_read_as_another_delta(position: int, byte: int) -> None:
    """A delta with one byte changed either is malformed or is a delta that encodes canonically again."""
    damaged = EXAMPLE_BYTES[:position] + bytes([byte]) + EXAMPLE_BYTES[position + 1 :]
    try:
        delta = decode_delta(damaged)
    except MalformedRecord:
        return
    assert decode_delta(encode(delta)) == delta


@given(json_values, st.sampled_from([f.name for f in dataclasses.fields(Node)]))
def test_any_json_in_any_field_is_refused_or_fits(value: Any, field: str) -> None:
    """Whatever JSON stands in a node's field, reading gives a node that encodes again, or MalformedRecord."""
    try:
        node = from_plain(Node, {**to_plain(make_node("n_1")), field: value})
    except MalformedRecord:
        return
    assert from_plain(Node, json.loads(encode(node))) == node


def test_what_cannot_be_written_is_refused() -> None:
    """Numbers that are not finite and halves of surrogate pairs have no encoding."""
    for node in (make_node("n", valence=float("nan")), make_node("n", content="\ud800")):
        with pytest.raises(MalformedRecord):
            encode(SetNode(before=node, after=node))
