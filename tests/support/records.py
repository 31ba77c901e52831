"""Messages, deltas and whole records for tests: small builders and hypothesis strategies for every field."""

from __future__ import annotations

from typing import Any

from graphs import START, instants, make_node, texts
from hypothesis import strategies as st
from selfimprint.engine import delta as d
from selfimprint.engine.graph import (
    ATTRIBUTE_KEYS,
    CoefficientPiece,
    Edge,
    EdgeType,
    Evidence,
    Message,
    Node,
    NodeType,
    PieceKind,
    Role,
    Touch,
    TouchKind,
    Trust,
)
from selfimprint.engine.state import GraphState

HOUR_US = 3_600_000_000


def make_message(id: str = "m_1", content: str = "hello", *, at: int = START, **fields: Any) -> Message:
    """The owner's message in the session `s_1`; any field may be given."""
    values: dict[str, Any] = {
        "session": "s_1",
        "role": Role.USER,
        "speaker": "",
        "offset_minutes": 0,
        "position": 0,
        "language": "en",
        "recorded_at": at,
    }
    return Message(id=id, at=at, content=content, **{**values, **fields})


def make_delta(
    *operations: d.Operation, id: str = "d_1", cause: d.Cause = d.Cause.INGEST, **fields: Any
) -> d.GraphDelta:
    """A delta of the operations; `recorded_at` is START unless given."""
    return d.GraphDelta(id=id, cause=cause, operations=operations, **{"recorded_at": START, **fields})


def state_of(*records: Node | Edge) -> GraphState:
    """A state that holds exactly the given nodes and edges."""
    state = GraphState()
    state.load(
        [r for r in records if isinstance(r, Node)], [r for r in records if isinstance(r, Edge)], activity_days=()
    )
    return state


def contents(state: GraphState) -> tuple[dict[str, Node], dict[str, Edge], dict[str, set[str]], dict[str, set[str]]]:
    """Everything that a state holds of the graph, comparable."""
    out = {node: set(edges) for node, edges in state.out.items() if edges}
    into = {node: set(edges) for node, edges in state.into.items() if edges}
    return dict(state.nodes), dict(state.edges), out, into


def touch(at: int, kind: TouchKind = TouchKind.MENTIONED, message: str = "") -> Touch:
    return Touch(at=at, kind=kind, message=message)


def piece(
    coefficient: float, kind: PieceKind = PieceKind.TYPE, since: int | None = None, until: int | None = None
) -> CoefficientPiece:
    return CoefficientPiece(since=since, coefficient=coefficient, kind=kind, until=until)


def touched(*at: int, coefficient: float = 0.92, **fields: Any) -> Node:
    """A node created at the first instant and mentioned at each later one."""
    touches = (touch(at[0], TouchKind.CREATED), *(touch(t, message=f"m{i}") for i, t in enumerate(at[1:])))
    values: dict[str, Any] = {"touches": touches, "pieces": (piece(coefficient),), **fields}
    return make_node("n", created_at=at[0], **values)


def inference(*cited: Node, template: str, category: str, content: str, id: str = "i_1", **fields: Any) -> Node:
    """An inferred node as sleep proposes one."""
    values: dict[str, Any] = {
        "type": NodeType.HYPOTHESIS,
        "subject": cited[0].subject if cited else "self",
        "content": content,
        "trust": Trust.INFERRED,
        "is_inference": True,
        "confidence": 0.5,
        "evidence": (),
        "attributes": (
            ("category", category),
            ("cites", " ".join(node.id for node in cited)),
            ("template", template),
        ),
    }
    return make_node(id, **{**values, **fields})


shares = st.floats(0, 1)
evidence = st.builds(
    Evidence,
    session=texts(8),
    message=texts(8),
    start=st.integers(0, 10),
    end=st.integers(10, 2**40),
    when=st.none() | instants(),
)
touches = st.builds(Touch, at=instants(), kind=st.sampled_from(TouchKind), message=texts(8))
pieces = st.builds(
    CoefficientPiece,
    since=st.none() | instants(),
    coefficient=st.floats(0.01, 1),
    kind=st.sampled_from(PieceKind),
    until=st.none() | instants(),
)


def several(items: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=most).map(tuple)


whole_nodes = st.builds(
    Node,
    id=texts(8),
    type=st.sampled_from(NodeType),
    content=texts(),
    subject=texts(8),
    language=st.sampled_from(["en", "und"]),
    created_at=instants(),
    trust=st.sampled_from(Trust),
    touches=several(touches),
    pieces=several(pieces),
    evidence=several(evidence),
    attributes=st.dictionaries(st.sampled_from(sorted(ATTRIBUTE_KEYS)), texts(8), max_size=3).map(
        lambda found: tuple(sorted(found.items()))
    ),
    valence=st.floats(-1, 1),
    importance=shares,
    valid_from=st.none() | instants(),
    valid_to=st.none() | instants(),
    retired_at=st.none() | instants(),
    archived_at=st.none() | instants(),
    sensitive=st.booleans(),
    is_inference=st.booleans(),
    confidence=shares,
)
whole_edges = st.builds(
    Edge,
    id=texts(8),
    type=st.sampled_from(EdgeType),
    from_id=texts(8),
    to_id=texts(8),
    confidence=shares,
    is_inferred=st.booleans(),
    created_at=instants(),
    last_confirmed_at=instants(),
    trust=st.sampled_from(Trust),
    evidence=several(evidence),
    retired_at=st.none() | instants(),
)
whole_messages = st.builds(
    Message,
    id=texts(8),
    session=texts(8),
    role=st.sampled_from(Role),
    speaker=texts(8),
    at=instants(),
    offset_minutes=st.integers(-720, 840),
    content=texts(),
    position=st.integers(0, 9),
    app=texts(8),
    language=st.sampled_from(["en", "und"]),
    at_given=st.booleans(),
    part=st.integers(0, 3),
    parts=st.integers(1, 4),
    key=texts(8),
    recorded_at=instants(),
)
operations = st.one_of(
    st.builds(d.PutMessage, message=whole_messages),
    st.builds(d.AddNode, node=whole_nodes),
    st.builds(d.AddEdge, edge=whole_edges),
    st.builds(d.SetNode, before=whole_nodes, after=whole_nodes),
    st.builds(d.SetEdge, before=whole_edges, after=whole_edges),
    st.builds(d.RemoveNode, before=whole_nodes),
    st.builds(d.RemoveEdge, before=whole_edges),
)
deltas = st.builds(
    d.GraphDelta,
    id=texts(8),
    cause=st.sampled_from(d.Cause),
    recorded_at=instants(),
    operations=several(operations),
    reasons=several(texts(8)),
    undoes=several(texts(8)),
    failed=texts(8),
)
views = st.builds(
    d.View,
    at=instants(),
    nodes=several(whole_nodes),
    edges=several(whole_edges),
    activity_days=several(st.integers(0, 40_000)),
)
