"""The contract of every graph store, run over the in-memory reference and the database of this run."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from graphs import HOSTILE_STRINGS, START, make_edge, make_node, random_graph
from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    Operation,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)
from selfimprint.engine.graph import DAY_US, Edge, EdgeType, Message, Node, NodeType, Role
from selfimprint.engine.store.port import (
    LONGEST_CHAIN,
    FollowerGap,
    GraphStore,
    StoreFailed,
    UnstorableRecord,
)
from selfimprint.engine.store.records import EARLIEST, LATEST, Contents, held_edge, held_node

LATER = START + DAY_US
MESSAGE = Message(
    id="m1", session="s", role=Role.USER, speaker="self", at=START, offset_minutes=0, content="hello", position=0
)


def added(nodes: Sequence[Node], edges: Sequence[Edge] = ()) -> list[Operation]:
    return [*(AddNode(node=node) for node in nodes), *(AddEdge(edge=edge) for edge in edges)]


def holding(nodes: Sequence[Node], edges: Sequence[Edge] = ()) -> Contents:
    return Contents(
        nodes=tuple(sorted(map(held_node, nodes), key=lambda n: n.id)),
        edges=tuple(sorted(map(held_edge, edges), key=lambda e: e.id)),
    )


def line(*ids: str) -> tuple[list[Node], list[Edge]]:
    """Each node caused by the next."""
    return [make_node(i) for i in ids], [make_edge(f"{a}>{b}", a, b) for a, b in itertools.pairwise(ids)]


def neighbour_ids(store: GraphStore, *ids: str, **how: object) -> list[str]:
    return [edge.id for edge in store.neighbours(ids, **how)]  # type: ignore[arg-type]


class TestFollowing:
    def test_empty(self, store: GraphStore) -> None:
        """A new store holds nothing, as of record 0."""
        assert store.applied_seq == 0
        assert store.count() == (0, 0)
        assert store.contents() == Contents(nodes=(), edges=())

    def test_every_operation(self, store: GraphStore) -> None:
        """Adding, setting and removing nodes and edges leaves exactly what the operations say."""
        a, b, c = make_node("a"), make_node("b", slot="home"), make_node("c")
        ab, bc = make_edge("ab", "a", "b"), make_edge("bc", "b", "c", type=EdgeType.FOLLOWED_BY)
        store.apply(1, [PutMessage(message=MESSAGE), *added([a, b, c], [ab, bc])])
        assert store.contents() == holding([a, b, c], [ab, bc])
        b2 = replace(
            b, type=NodeType.EVENT, content="new", attributes=(), valid_from=1, valid_to=2, retired_at=3,
            archived_at=4, confidence=0.1, is_inference=True, subject="c", created_at=5,
        )  # fmt: skip
        ab2 = replace(ab, type=EdgeType.CONTRADICTS, confidence=0.25, is_inferred=True, created_at=7, retired_at=LATER)
        store.apply(2, [SetNode(before=b, after=b2), SetEdge(before=ab, after=ab2)])
        assert store.contents() == holding([a, b2, c], [ab2, bc])
        store.apply(3, [SetNode(before=b2, after=b), RemoveEdge(before=bc), RemoveNode(before=c)])
        assert store.contents() == holding([a, b], [ab2])
        assert store.count() == (2, 1)

    def test_an_edge_that_moves(self, store: GraphStore) -> None:
        """Setting an edge to other ends moves it."""
        nodes, edges = line("a", "b", "c")
        moved = replace(edges[0], from_id="c", to_id="a")
        store.apply(1, [*added(nodes, edges), SetEdge(before=edges[0], after=moved)])
        assert store.contents() == holding(nodes, [moved, edges[1]])
        assert store.chain("b", direction="causes") == (("b", "c", "a"),)

    def test_removing_a_node_takes_its_edges(self, store: GraphStore) -> None:
        """A removed node's edges go with it, both ways, and no others."""
        nodes, edges = line("a", "b", "c", "d")
        store.apply(1, added(nodes, edges))
        store.apply(2, [RemoveNode(before=nodes[1])])
        assert store.contents() == holding([nodes[0], *nodes[2:]], edges[2:])

    def test_a_removed_id_can_return(self, store: GraphStore) -> None:
        """Undo of an undo: the same ids come back as new."""
        nodes, edges = line("a", "b")
        store.apply(1, added(nodes, edges))
        store.apply(2, [RemoveEdge(before=edges[0]), RemoveNode(before=nodes[0])])
        store.apply(3, [AddNode(node=nodes[0]), AddEdge(edge=edges[0])])
        assert store.contents() == holding(nodes, edges)

    def test_messages_alone_move_the_sequence(self, store: GraphStore) -> None:
        """A record without graph operations is applied too."""
        store.apply(1, [PutMessage(message=MESSAGE)])
        store.apply(2, [])
        assert (store.applied_seq, store.count()) == (2, (0, 0))

    @pytest.mark.parametrize("seq", [1, 3, 4])
    def test_out_of_sequence(self, store: GraphStore, seq: int) -> None:
        """Only the record after the last one is taken."""
        store.apply(1, added([make_node("a")]))
        with pytest.raises(FollowerGap):
            store.apply(seq, added([make_node("b")]))
        assert store.applied_seq == 1
        assert store.contents() == holding([make_node("a")])

    def test_records_that_a_rebuild_contained(self, store: GraphStore) -> None:
        """After a rebuild, the records it contained are passed over, and the next one is taken once."""
        nodes, edges = line("a", "b")
        store.rebuild(nodes, edges, 10)
        store.apply(9, [RemoveNode(before=nodes[0])])
        store.apply(10, added(nodes, edges))
        assert store.contents() == holding(nodes, edges)
        store.apply(11, added([make_node("c")]))
        with pytest.raises(FollowerGap):
            store.apply(11, added([make_node("c")]))
        assert store.count() == (3, 1)

    def test_rebuild_replaces(self, store: GraphStore) -> None:
        """A rebuild leaves exactly what it was given, from iterators too."""
        store.apply(1, added(*line("x", "y", "z")))
        nodes, edges = random_graph(60, 150, seed=4)
        store.rebuild(iter(nodes), iter(edges), 7)
        assert store.applied_seq == 7
        assert store.contents() == holding(nodes, edges)
        store.rebuild([], [], 0)
        assert (store.applied_seq, store.count()) == (0, (0, 0))

    def test_close(self, store: GraphStore) -> None:
        """A closed store refuses everything but being closed again."""
        store.apply(1, added([make_node("a")]))
        store.close()
        store.close()
        for call in (store.count, store.contents, store.matching, lambda: store.neighbours(["a"])):
            with pytest.raises(StoreFailed):
                call()
        with pytest.raises(StoreFailed):
            store.apply(2, [])
        with pytest.raises(StoreFailed):
            store.rebuild([], [], 2)


TURNED = make_edge("a>b", "b", "a")
MISFITS: dict[str, Operation] = {
    "a node held already": AddNode(node=make_node("a")),
    "an edge from nowhere": AddEdge(edge=make_edge("e", "nowhere", "a")),
    "an edge to nowhere": AddEdge(edge=make_edge("e", "a", "nowhere")),
    "setting an unknown node": SetNode(before=make_node("q"), after=make_node("q", slot="home")),
    "setting an unknown edge": SetEdge(before=make_edge("q", "a", "b"), after=make_edge("q", "a", "b")),
    "setting an edge with other ends": SetEdge(before=TURNED, after=TURNED),
    "removing an unknown node": RemoveNode(before=make_node("q")),
    "removing an unknown edge": RemoveEdge(before=make_edge("q", "a", "b")),
    "removing an edge with other ends": RemoveEdge(before=TURNED),
}


class TestRefusal:
    @pytest.mark.parametrize("operation", MISFITS.values(), ids=MISFITS.keys())
    def test_a_misfit_fails_until_rebuilt(self, store: GraphStore, operation: Operation) -> None:
        """Operations that do not fit the graph fail the store loudly; a rebuild heals it."""
        nodes, edges = line("a", "b")
        store.rebuild(nodes, edges, 1)
        with pytest.raises(StoreFailed):
            store.apply(2, [AddNode(node=make_node("c")), operation])
        assert store.applied_seq == 1
        with pytest.raises(StoreFailed):
            store.apply(2, [])
        with pytest.raises(StoreFailed):
            store.count()
        store.rebuild(nodes, edges, 1)
        store.apply(2, [AddNode(node=make_node("c"))])
        assert store.contents() == holding([*nodes, make_node("c")], edges)

    @pytest.mark.parametrize(
        "fields",
        [
            {"content": "half \ud83d"},
            {"subject": "\udfff"},
            {"slot": "\ud800"},
            {"created_at": LATEST + 1},
            {"valid_from": EARLIEST - 1},
            {"valid_to": 1 << 70},
            {"retired_at": LATEST + 1},
            {"archived_at": -(1 << 63)},
        ],
        ids=ascii,
    )
    def test_unstorable_nodes(self, store: GraphStore, fields: dict[str, object]) -> None:
        """What no store can hold is refused before anything is written, and the store goes on."""
        good, bad = make_node("good"), make_node("bad", **fields)  # type: ignore[arg-type]
        with pytest.raises(UnstorableRecord):
            store.apply(1, added([good, bad]))
        assert (store.applied_seq, store.count()) == (0, (0, 0))
        with pytest.raises(UnstorableRecord):
            store.rebuild([good, bad], [], 5)
        assert (store.applied_seq, store.count()) == (0, (0, 0))
        store.apply(1, added([good]))
        assert store.contents() == holding([good])

    def test_unstorable_ids(self, store: GraphStore) -> None:
        """Ids with lone surrogates are refused in nodes and edges."""
        with pytest.raises(UnstorableRecord):
            store.apply(1, added([make_node("\ud800")]))
        store.apply(1, added([make_node("a"), make_node("b")]))
        with pytest.raises(UnstorableRecord):
            store.apply(2, [AddEdge(edge=make_edge("\udc00", "a", "b"))])
        assert store.count() == (2, 0)

    def test_a_rebuild_that_does_not_fit(self, store: GraphStore) -> None:
        """A rebuild from a broken graph fails and leaves the old one answering."""
        nodes, edges = line("a", "b")
        store.rebuild(nodes, edges, 3)
        with pytest.raises(StoreFailed):
            store.rebuild([make_node("x"), make_node("x")], [], 4)
        with pytest.raises(StoreFailed):
            store.rebuild([make_node("x")], [make_edge("e", "x", "nowhere")], 4)
        assert store.applied_seq == 3
        assert store.contents() == holding(nodes, edges)

    def test_extreme_instants(self, store: GraphStore) -> None:
        """Instants come back to the microsecond, the first and the last one that fit included."""
        nodes = [
            make_node(f"n{i}", created_at=at, valid_from=at, valid_to=at, retired_at=at, archived_at=at)
            for i, at in enumerate((EARLIEST, -1, 0, 1, 1_700_000_000_123_457, LATEST))
        ]
        store.apply(1, added(nodes[:3]))
        assert store.contents() == holding(nodes[:3])
        store.rebuild(nodes, [], 1)
        assert store.contents() == holding(nodes)


class TestHostileStrings:
    def test_round_trip(self, store: GraphStore) -> None:
        """Every hostile string, in every text field, comes back exactly, by operation and by rebuild."""
        nodes = [
            make_node(f"{text}#{i}", content=text, subject=text, slot=text) for i, text in enumerate(HOSTILE_STRINGS)
        ]
        edges = [make_edge(f"{text}#{i}", nodes[i].id, nodes[i - 1].id) for i, text in enumerate(HOSTILE_STRINGS)]
        store.apply(1, added(nodes, edges))
        assert store.contents() == holding(nodes, edges)
        changed = [SetNode(before=node, after=replace(node, content=node.id + node.content)) for node in nodes]
        store.apply(2, changed)
        assert store.contents() == holding([operation.after for operation in changed], edges)
        store.rebuild(nodes, edges, 3)
        assert store.contents() == holding(nodes, edges)
        for node, edge in zip(nodes, edges, strict=True):
            assert edge.id in neighbour_ids(store, node.id)
            assert node.id in store.matching(subject=node.subject, slot=node.slot)
            assert store.chain(node.id, direction="causes", max_depth=1) == ((node.id, edge.to_id),)

    @pytest.mark.parametrize("text", [*HOSTILE_STRINGS, "\ud800", "x\udfffy"], ids=lambda text: ascii(text)[:20])
    def test_as_questions(self, store: GraphStore, text: str) -> None:
        """A hostile string asked about is merely unknown."""
        store.apply(1, added(*line("a", "b")))
        assert store.neighbours([text]) == ()
        assert neighbour_ids(store, text, "a") == ["a>b"]
        assert store.chain(text, direction="effects") == ()
        assert store.paths(text, "a") == store.paths("a", text) == ()
        assert store.matching(subject=text) == ()
        assert store.count() == (2, 1)


class TestNeighbours:
    def test_both_ways(self, store: GraphStore) -> None:
        """Edges count at both their ends, and one between two asked nodes is given once."""
        store.apply(1, added(*line("a", "b", "c", "d")))
        assert neighbour_ids(store, "b") == ["a>b", "b>c"]
        assert neighbour_ids(store, "b", "c", "b", "unknown") == ["a>b", "b>c", "c>d"]
        assert store.neighbours([]) == ()

    def test_as_values(self, store: GraphStore) -> None:
        """An answer carries the whole held edge."""
        nodes, _ = line("a", "b")
        edge = make_edge("e", "b", "a", type=EdgeType.REINFORCES, confidence=0.3, is_inferred=True, created_at=12345)
        store.apply(1, added(nodes, [edge]))
        assert store.neighbours(["a"]) == (held_edge(edge),)

    def test_order_and_limit(self, store: GraphStore) -> None:
        """The surest edges come first, equals by id, however many nodes are asked about."""
        hub, others = make_node("hub"), [make_node(f"n{i:02}") for i in range(30)]
        edges = [make_edge(f"e{i:02}", "hub", n.id, confidence=(i % 3) / 2) for i, n in enumerate(others)]
        store.apply(1, added([hub, *others], edges))
        expected = [edge.id for edge in sorted(edges, key=lambda e: (-e.confidence, e.id))]
        assert neighbour_ids(store, "hub") == expected
        assert neighbour_ids(store, *(n.id for n in others), limit=12) == expected[:12]
        assert neighbour_ids(store, "hub", limit=0) == []

    def test_types(self, store: GraphStore) -> None:
        """Only edges of the asked types are given; of none, none."""
        nodes, _ = line("a", "b")
        edges = [make_edge(edge_type.value, "a", "b", type=edge_type) for edge_type in EdgeType]
        store.apply(1, added(nodes, edges))
        wanted = frozenset({EdgeType.CONTRADICTS, EdgeType.REINFORCES})
        assert neighbour_ids(store, "a", types=wanted) == ["contradicts", "reinforces"]
        assert neighbour_ids(store, "a", types=frozenset()) == []
        assert len(neighbour_ids(store, "b")) == len(EdgeType)

    def test_standing(self, store: GraphStore) -> None:
        """Retired edges and retired or archived far ends are left out unless asked for; the asked node is not."""
        nodes = [
            make_node("a", retired_at=1, archived_at=1),
            make_node("b"),
            make_node("retired", retired_at=1),
            make_node("archived", archived_at=1),
        ]
        edges = [
            make_edge("1", "a", "b"),
            make_edge("2", "a", "b", retired_at=1),
            make_edge("3", "retired", "a"),
            make_edge("4", "a", "archived"),
        ]
        store.apply(1, added(nodes, edges))
        assert neighbour_ids(store, "a") == ["1"]
        assert neighbour_ids(store, "a", include_retired=True) == ["1", "2", "3"]
        assert neighbour_ids(store, "a", include_archived=True) == ["1", "4"]
        assert neighbour_ids(store, "a", include_retired=True, include_archived=True) == ["1", "2", "3", "4"]
        assert neighbour_ids(store, "b") == []
        assert neighbour_ids(store, "a", "retired", "archived") == ["1", "3", "4"]

    def test_a_loop(self, store: GraphStore) -> None:
        """An edge from a node to itself is one edge."""
        store.apply(1, added([make_node("a")], [make_edge("loop", "a", "a")]))
        assert neighbour_ids(store, "a") == ["loop"]
        assert store.chain("a", direction="causes") == ()


class TestChain:
    def test_whole_and_in_order(self, store: GraphStore) -> None:
        """A chain told in parts comes back whole, from the effect to the last cause, and the other way."""
        nodes, edges = line(*"abcdef")
        store.apply(1, added(nodes, edges[:2]))
        store.apply(2, [AddEdge(edge=edge) for edge in reversed(edges[2:])])
        assert store.chain("a", direction="causes") == (tuple("abcdef"),)
        assert store.chain("f", direction="effects") == (tuple("fedcba"),)
        assert store.chain("c", direction="causes") == (tuple("cdef"),)
        assert store.chain("c", direction="effects") == (tuple("cba"),)
        assert store.chain("f", direction="causes") == store.chain("unknown", direction="causes") == ()

    def test_branches_in_order(self, store: GraphStore) -> None:
        """Every maximal branch is given, in lexicographic order, up to the asked number."""
        nodes = [make_node(i) for i in "abcde"]
        edges = [make_edge(f"{x}{y}", x, y) for x, y in ("ab", "ac", "bd", "cd", "de", "ae")]
        store.apply(1, added(nodes, edges))
        expected = (tuple("abde"), tuple("acde"), tuple("ae"))
        assert store.chain("a", direction="causes") == expected
        assert store.chain("a", direction="causes", max_paths=2) == expected[:2]
        assert store.chain("a", direction="causes", max_paths=0) == ()

    def test_cycles(self, store: GraphStore) -> None:
        """A cycle of causes ends where it would repeat itself."""
        nodes, edges = line("a", "b", "c")
        store.apply(1, added(nodes, [*edges, make_edge("back", "c", "a"), make_edge("twin", "a", "b")]))
        assert store.chain("a", direction="causes") == (("a", "b", "c"),)
        assert store.chain("b", direction="effects") == (("b", "a", "c"),)

    def test_depth(self, store: GraphStore) -> None:
        """A chain is cut after `max_depth` steps, by default 16; beyond the databases' reach it is an error."""
        ids = [f"n{i:02}" for i in range(40)]
        store.apply(1, added(*line(*ids)))
        assert store.chain("n00", direction="causes") == (tuple(ids[:17]),)
        assert store.chain("n00", direction="causes", max_depth=LONGEST_CHAIN) == (tuple(ids[: LONGEST_CHAIN + 1]),)
        assert store.chain("n00", direction="causes", max_depth=0) == ()
        with pytest.raises(ValueError, match="max_depth"):
            store.chain("n00", direction="causes", max_depth=LONGEST_CHAIN + 1)

    def test_only_causes(self, store: GraphStore) -> None:
        """Other edges are no part of a chain."""
        nodes, edges = line("a", "b", "c")
        store.apply(1, added(nodes, [edges[0], replace(edges[1], type=EdgeType.FOLLOWED_BY)]))
        assert store.chain("a", direction="causes") == (("a", "b"),)

    def test_standing(self, store: GraphStore) -> None:
        """A chain stops before what is retired or archived, unless asked for; it starts anywhere."""
        nodes, edges = line("a", "b", "c", "d", "e")
        nodes[0], nodes[2] = make_node("a", retired_at=1, archived_at=1), make_node("c", archived_at=1)
        edges[3] = replace(edges[3], retired_at=1)
        store.apply(1, added(nodes, edges))
        assert store.chain("a", direction="causes") == (("a", "b"),)
        assert store.chain("a", direction="causes", include_archived=True) == (("a", "b", "c", "d"),)
        both = store.chain("a", direction="causes", include_retired=True, include_archived=True)
        assert both == (("a", "b", "c", "d", "e"),)
        assert store.chain("c", direction="effects") == (("c", "b"),)

    def test_many_branches(self, store: GraphStore) -> None:
        """A ladder with 2**14 chains answers with the asked few."""
        nodes = [make_node(f"{rung:02}{side}") for rung in range(15) for side in "lr"]
        edges = [
            make_edge(f"{rung:02}{x}{y}", f"{rung:02}{x}", f"{rung + 1:02}{y}")
            for rung in range(14)
            for x in "lr"
            for y in "lr"
        ]
        store.rebuild(nodes, edges, 1)
        found = store.chain("00l", direction="causes", max_paths=3)
        assert [path[-3:] for path in found] == [
            ("12l", "13l", "14l"), ("12l", "13l", "14r"), ("12l", "13r", "14l"),
        ]  # fmt: skip


class TestPaths:
    def test_shortest(self, store: GraphStore) -> None:
        """All shortest paths are given, whichever way the edges run, and no longer ones."""
        nodes = [make_node(i) for i in "abcdef"]
        edges = [make_edge(f"{x}{y}", x, y) for x, y in ("ab", "cb", "cd", "ae", "ed", "fe", "fd", "ea")]
        store.apply(1, added(nodes, edges))
        assert store.paths("a", "d") == (tuple("aed"),)
        assert store.paths("d", "a") == (tuple("dea"),)
        assert store.paths("b", "e") == (tuple("bae"),)
        assert store.paths("b", "f") == (tuple("baef"), tuple("bcdf"))
        assert store.paths("b", "f", max_paths=1) == (tuple("baef"),)
        assert store.paths("b", "f", max_length=2) == ()
        assert store.paths("a", "a") == store.paths("a", "unknown") == ()

    def test_types(self, store: GraphStore) -> None:
        """A path uses only the asked types."""
        nodes, edges = line("a", "b", "c")
        short = make_edge("short", "a", "c", type=EdgeType.ASSOCIATED_WITH)
        store.apply(1, added(nodes, [*edges, short]))
        assert store.paths("a", "c") == (("a", "c"),)
        assert store.paths("a", "c", types=frozenset({EdgeType.CAUSED_BY})) == (("a", "b", "c"),)
        assert store.paths("a", "c", types=frozenset({EdgeType.REINFORCES})) == ()

    def test_standing(self, store: GraphStore) -> None:
        """A path does not lead through what is retired or archived, unless asked for; its ends may be."""
        nodes = [make_node("a", archived_at=1), make_node("b", retired_at=1), make_node("c", archived_at=1)]
        nodes += [make_node("x", archived_at=1), make_node("y")]
        edges = [make_edge(f"{x}{y}", x, y) for x, y in ("ab", "bc", "ax", "xy", "yc")]
        store.apply(1, added(nodes, edges))
        assert store.paths("a", "c") == ()
        assert store.paths("a", "c", include_archived=True) == (tuple("axyc"),)
        assert store.paths("a", "c", include_retired=True) == (tuple("abc"),)
        assert store.paths("a", "x") == (("a", "x"),)


class TestMatching:
    def test_properties(self, store: GraphStore) -> None:
        """All the given properties must match; none given match everything that stands."""
        nodes = [
            make_node("a", slot="home", created_at=30),
            make_node("b", slot="home", subject="anna", created_at=20),
            make_node("c", type=NodeType.EVENT, created_at=20),
            make_node("d", slot="home", created_at=1, retired_at=2),
            make_node("e", slot="home", created_at=2, archived_at=2),
        ]
        store.apply(1, added(nodes))
        assert store.matching() == ("b", "c", "a")
        assert store.matching(slot="home") == ("b", "a")
        assert store.matching(slot="home", include_retired=True) == ("d", "b", "a")
        assert store.matching(slot="home", include_archived=True) == ("e", "b", "a")
        assert store.matching(slot="home", subject="anna") == ("b",)
        assert store.matching(slot="") == ("c",)
        assert store.matching(type=NodeType.EVENT) == ("c",)
        assert store.matching(type=NodeType.EVENT, slot="home") == ()
        assert store.matching(limit=2) == ("b", "c")
        assert store.matching(limit=0) == ()
