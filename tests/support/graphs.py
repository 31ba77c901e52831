"""Nodes, edges and operations for tests: plain builders, random graphs, and hypothesis strategies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from selfimprint.engine.graph import (
    DAY_US,
    SELF,
    CoefficientPiece,
    Edge,
    EdgeType,
    Evidence,
    Node,
    NodeType,
    PieceKind,
    Touch,
    TouchKind,
    Trust,
)

START = 20_000 * DAY_US
"""An instant in October 2024 that test records are dated around."""

HOSTILE_STRINGS = (
    "",
    "\x00",
    "nul\x00inside",
    "'; DROP TABLE Node; //",
    'MATCH (n) DETACH DELETE n; LOAD FROM "/etc/passwd" RETURN *',
    "{id: $id}",
    "\\",
    "\\n\n\r\n\t",
    "line\u2028paragraph\u2029next\x85",
    "\u202eright to left\u202c",
    "\ufeffbyte order mark",
    "e\u0301 is not \u00e9",
    "👩‍👩‍👧‍👦 \U0010ffff \uffff",
    " leading and trailing ",
    "[1, 2]",
    '{"a": null}',
    "null",
    "2024-10-04 00:00:00",
    "%s %d {} ${HOME} `id`",
    "длинная строка " * 700,
)
"""Strings that have broken parsers, shells, statements and files."""


def make_node(id: str, *, type: NodeType = NodeType.FACT, slot: str = "", **fields: Any) -> Node:
    """A current, stated node with one touch; any field may be given."""
    created_at = fields.pop("created_at", START)
    values: dict[str, Any] = {
        "content": f"content of {id}",
        "subject": SELF,
        "language": "en",
        "trust": Trust.USER_STATED,
        "touches": (Touch(at=created_at, kind=TouchKind.CREATED, message="m0"),),
        "pieces": (CoefficientPiece(since=None, coefficient=0.92, kind=PieceKind.TYPE),),
        "evidence": (Evidence(session="s0", message="m0", start=0, end=1),),
        "attributes": (("slot", slot),) if slot else (),
    }
    return Node(id=id, type=type, created_at=created_at, **{**values, **fields})


def make_edge(id: str, from_id: str, to_id: str, *, type: EdgeType = EdgeType.CAUSED_BY, **fields: Any) -> Edge:
    """A current, observed edge; any field may be given."""
    created_at = fields.pop("created_at", START)
    values: dict[str, Any] = {
        "confidence": 1.0,
        "is_inferred": False,
        "last_confirmed_at": created_at,
        "trust": Trust.USER_STATED,
    }
    return Edge(id=id, type=type, from_id=from_id, to_id=to_id, created_at=created_at, **{**values, **fields})


def random_graph(nodes: int, edges: int, *, seed: int = 0) -> tuple[list[Node], list[Edge]]:
    """A graph with all types, some things retired or archived; the same for the same arguments."""
    rng = random.Random(seed)
    node_types, edge_types = tuple(NodeType), tuple(EdgeType)
    made = [
        make_node(
            f"n{i:06d}",
            type=rng.choice(node_types),
            slot=rng.choice(("", "", "home", "employer", "likes")),
            subject=rng.choice((SELF, SELF, "n000000")),
            content=f"something said about {rng.randrange(1000)} and {rng.randrange(1000)}, number {i}",
            created_at=START + rng.randrange(300 * DAY_US),
            valid_from=rng.choice((None, START + rng.randrange(300 * DAY_US))),
            retired_at=START + 300 * DAY_US if rng.random() < 0.03 else None,
            archived_at=START + 301 * DAY_US if rng.random() < 0.05 else None,
            confidence=rng.randrange(1, 101) / 100,
        )
        for i in range(nodes)
    ]
    linked = [
        make_edge(
            f"e{i:06d}",
            made[rng.randrange(nodes)].id,
            made[rng.randrange(nodes)].id,
            type=rng.choice(edge_types),
            confidence=rng.randrange(1, 101) / 100,
            is_inferred=rng.random() < 0.3,
            created_at=START + rng.randrange(300 * DAY_US),
            retired_at=START + 300 * DAY_US if rng.random() < 0.03 else None,
        )
        for i in range(edges)
    ]
    return made, linked


def texts(max_size: int = 40) -> st.SearchStrategy[str]:
    """Any text with a UTF-8 form, often a hostile one."""
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=max_size)
    return st.one_of(anything, st.sampled_from([text for text in HOSTILE_STRINGS if len(text) <= 100]))


def instants() -> st.SearchStrategy[int]:
    """Microseconds in the lives of people, the odd distant one included."""
    return st.one_of(
        st.integers(START - 400 * DAY_US, START + 400 * DAY_US),
        st.sampled_from([0, -1, -80 * 365 * DAY_US, 60 * 365 * DAY_US + 1]),
    )


def nodes(ids: st.SearchStrategy[str], *, subjects: Sequence[str] = (SELF, "anna")) -> st.SearchStrategy[Node]:
    """Nodes of every type and standing."""
    maybe = st.none() | instants()
    return st.builds(
        make_node,
        ids,
        type=st.sampled_from(NodeType),
        slot=st.sampled_from(["", "home", "employer"]),
        subject=st.sampled_from(subjects),
        content=texts(),
        created_at=instants(),
        valid_from=maybe,
        valid_to=maybe,
        retired_at=st.sampled_from([None, None, None, START]),
        archived_at=st.sampled_from([None, None, None, START + 1]),
        confidence=st.floats(0, 1),
        importance=st.floats(0, 1),
        is_inference=st.booleans(),
    )


def edges(
    ids: st.SearchStrategy[str], from_ids: st.SearchStrategy[str], to_ids: st.SearchStrategy[str]
) -> st.SearchStrategy[Edge]:
    """Edges of every type and standing, half of them `caused_by`."""
    return st.builds(
        make_edge,
        ids,
        from_ids,
        to_ids,
        type=st.one_of(st.just(EdgeType.CAUSED_BY), st.sampled_from(EdgeType)),
        confidence=st.floats(0, 1),
        is_inferred=st.booleans(),
        created_at=instants(),
        retired_at=st.sampled_from([None, None, None, START]),
    )


def retired(node: Node, at: int = START + DAY_US) -> Node:
    """The node as it is once retired."""
    return replace(node, retired_at=at)
