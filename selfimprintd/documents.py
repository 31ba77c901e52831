"""Records as SYNX rows and back: what each file of a profile holds (docs/format.md, §9)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from selfimprint.engine.codec import decode_delta, encode, from_plain, to_plain
from selfimprint.engine.delta import GraphDelta
from selfimprint.engine.errors import MalformedRecord
from selfimprint.engine.graph import Edge, Message, Node
from selfimprint.synx.text import decode_records, encode_records

Plain = dict[str, Any]
"""Stored forms of records, by id: plain ones, or those as JSON text."""


class StoredGraph(NamedTuple):
    """What a graph file holds; `ends` are the edges' (id, from, to)."""

    nodes: Plain
    edges: Plain
    ends: list[tuple[str, str, str]]


_NODE_COLUMNS = ("kind", *(f.name for f in fields(Node)))
_EDGE_COLUMNS = ("kind", *(f.name for f in fields(Edge)))
_GRAPH_COLUMNS = tuple(dict.fromkeys((*_NODE_COLUMNS, *_EDGE_COLUMNS)))
_MESSAGE_COLUMNS = tuple(f.name for f in fields(Message))
_DELTA_COLUMNS = ("seq", "recorded_at", "cause", "delta")


def graph_text(nodes: Iterable[Node], edges: Iterable[Edge]) -> bytes:
    """A domain file: its nodes, and the edges that start at them."""
    rows = [_node_row(n) for n in nodes] + [{"kind": "edge", **to_plain(e)} for e in edges]
    return encode_records(rows, _GRAPH_COLUMNS).encode()


def read_graph(data: bytes) -> StoredGraph:
    """The plain forms of its nodes and edges."""
    nodes: Plain = {}
    edges: Plain = {}
    for row in decode_records(data.decode()):
        kind = row.pop("kind")
        plain = {k: v for k, v in row.items() if v is not None}
        if kind == "edge":
            edges[plain["id"]] = plain
        elif kind == "node":
            nodes[plain["id"]] = _node(plain)
        else:
            raise MalformedRecord("a row that is neither node nor edge")
    return StoredGraph(nodes, edges, [(i, edge["from_id"], edge["to_id"]) for i, edge in edges.items()])


def quick_text(nodes: Iterable[Node], edges: Iterable[Edge]) -> bytes:
    """The same as `graph_text`, in a form that is read many times as fast: derived, and left out where it is missing.

    Columns of ids, ends and records, each record as JSON text that is parsed when somebody asks for it."""
    nodes, edges = list(nodes), list(edges)
    body = [
        [n.id for n in nodes], [encode(n).decode() for n in nodes],
        [e.id for e in edges], [encode(e).decode() for e in edges],
        [e.from_id for e in edges], [e.to_id for e in edges],
    ]  # fmt: skip
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()


def read_quick(data: bytes) -> StoredGraph:
    """Its nodes and edges as JSON text."""
    node_ids, nodes, edge_ids, edges, starts, ends = json.loads(data)
    return StoredGraph(
        dict(zip(node_ids, nodes, strict=True)),
        dict(zip(edge_ids, edges, strict=True)),
        list(zip(edge_ids, starts, ends, strict=True)),
    )


def session_text(messages: Iterable[Message]) -> bytes:
    """A session file: the verbatim turns of a month."""
    return encode_records([to_plain(m) for m in messages], _MESSAGE_COLUMNS).encode()


def read_session(data: bytes) -> Plain:
    """The rows of its turns, by id; `turn_of` makes a turn of one."""
    return {row["id"]: row for row in decode_records(data.decode())}


def turn_of(row: Mapping[str, Any]) -> Message:
    """The turn of a row of a session file; MalformedRecord where it is none."""
    return from_plain(Message, {name: value for name, value in row.items() if value is not None})


def history_text(deltas: Iterable[tuple[int, GraphDelta, bytes]]) -> bytes:
    """A history file: checkpointed deltas, each with its canonical bytes, packed: escaped, JSON would grow manifold."""
    rows = [
        {"seq": seq, "recorded_at": delta.recorded_at, "cause": delta.cause.value, "delta": zlib.compress(data, 1)}
        for seq, delta, data in deltas
    ]
    return encode_records(rows, _DELTA_COLUMNS).encode()


def read_history(data: bytes) -> list[tuple[int, GraphDelta]]:
    return [(row["seq"], decode_delta(zlib.decompress(row["delta"]))) for row in decode_records(data.decode())]


def table_text(rows: Iterable[Mapping[str, Any]], columns: tuple[str, ...]) -> bytes:
    """A small table of the manifest kind."""
    return encode_records(rows, columns).encode()


def read_table(data: bytes) -> list[dict[str, Any]]:
    return decode_records(data.decode())


def _node_row(node: Node) -> dict[str, Any]:
    row = {"kind": "node", **to_plain(node)}
    row["attributes"] = dict(node.attributes)
    row["touches"] = json.dumps([[t.at, t.kind.value, t.message] for t in node.touches], separators=(",", ":"))
    row["evidence"] = json.dumps(
        [[e.session, e.message, e.start, e.end, e.when] for e in node.evidence],
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return row


def _node(plain: dict[str, Any]) -> dict[str, Any]:
    plain["attributes"] = [[k, v] for k, v in sorted(plain.get("attributes", {}).items()) if v is not None]
    plain["touches"] = [{"at": a, "kind": k, "message": m} for a, k, m in json.loads(plain["touches"])]
    plain["evidence"] = [
        {"session": s, "message": m, "start": a, "end": b, "when": w} for s, m, a, b, w in json.loads(plain["evidence"])
    ]
    return plain
