"""Twin of engine/lookup.py: finding the node that a new statement may be about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graphs import make_node
from hypothesis import given, settings
from hypothesis import strategies as st
from selfimprint.engine.graph import Node, NodeType
from selfimprint.engine.lookup import Lookup, akin, content_stems, names_of, same_value, value_key

WORDS = ("rex", "tartu", "piano", "garden", "moving")


def fact(id: str, slot: str = "", value: str = "", content: str = "", **fields: str) -> Node:
    attributes = tuple(sorted((k, v) for k, v in {"slot": slot, "value": value}.items() if v))
    return make_node(id, attributes=attributes, content=content or f"{slot} {value}", **fields)


def someone(id: str, name: str, **attributes: str) -> Node:
    return make_node(id, type=NodeType.PERSON, attributes=tuple(sorted({"name": name, **attributes}.items())))


def following(*nodes: Node) -> Lookup:
    lookup = Lookup(content_stems)
    for node in nodes:
        lookup.listen(None, node)
    return lookup


def test_a_fact_is_found_by_subject_and_slot() -> None:
    """Whose slot it is counts: the same slot of somebody else is another place."""
    lookup = following(fact("a", "home", "Tartu"), fact("b", "home", "Riga", subject="p1"), fact("c", "pet", "Rex"))
    assert list(lookup.in_slot("self", "home")) == ["a"]
    assert list(lookup.in_slot("p1", "home")) == ["b"]
    assert list(lookup.in_slot("p1", "pet")) == []


def test_a_person_is_found_by_any_name_and_by_relation() -> None:
    """Other names and the case of letters do not matter; persons fill no slot and lend no words."""
    lookup = following(someone("p", "Anna", aliases="Annie|Frau Maier", relation="sister"), someone("q", "Ben"))
    assert [list(lookup.named(name)) for name in ("anna", "ANNIE", "frau maier", "Ben", "Carl")] == [
        ["p"], ["p"], ["p"], ["q"], [],
    ]  # fmt: skip
    assert list(lookup.related("Sister")) == ["p"]
    assert lookup.similar(content_stems("content of p", "en"), 1) == []


def test_a_name_in_another_script_is_the_same_name() -> None:
    """Where nobody is spelled so, the person whose name sounds so in the other script is found; not within a script."""
    lookup = following(someone("p", "Andrei"), someone("q", "Ян"))
    assert list(lookup.named("Андрей")) == ["p"]
    assert list(lookup.named("Jan")) == ["q"]
    assert list(following(someone("p", "Jan")).named("Ian")) == []


def test_a_value_is_found_where_all_of_it_stands() -> None:
    """A value of several words must stand there whole and in its order, and be long enough to mean something."""
    lookup = following(fact("a", "home", "New York"), fact("b", "pet", "Rex"), fact("c", "likes", "Go"))

    def found(text: str) -> list[str]:
        return list(lookup.with_value_in(value_key(text), 3))

    assert found("Rex was wild in New York") == ["b", "a"]
    assert found("a new car from York") == []
    assert found("go on") == []


def test_more_shared_stems_stand_first() -> None:
    """Only nodes with enough of the words, those with most of them first."""
    lookup = following(
        fact("a", content="the piano in the garden"), fact("b", content="a piano"), fact("c", content="Rex")
    )
    stems = content_stems("piano garden", "en")
    assert lookup.similar(stems, 1) == [("a", 2), ("b", 1)]
    assert lookup.similar(stems, 2) == [("a", 2)]


def test_a_common_word_singles_nothing_out() -> None:
    """`holding` gives the nodes with all the stems, forms akin to them too, and none where one stem is too common."""
    lookup = following(
        fact("a", content="the diagnosis in spring"), fact("b", content="spring"), fact("c", content="spring again")
    )
    assert lookup.holding(content_stems("spring", "en"), 3) == ["a", "b", "c"]
    assert lookup.holding(content_stems("spring", "en"), 2) == []
    assert lookup.holding(content_stems("diagnosed", "en"), 2) == ["a"]
    assert lookup.holding(frozenset(), 2) == []


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[Node | None, Node | None]]:
    """What a graph tells its listeners: additions, changes and removals of a few nodes."""
    held: dict[str, Node] = {}
    told: list[tuple[Node | None, Node | None]] = []
    for _ in range(draw(st.integers(1, 12))):
        node_id = draw(st.sampled_from("abc"))
        before = held.pop(node_id, None)
        if before is not None and draw(st.booleans()):
            told.append((before, None))
            continue
        word, other = draw(st.sampled_from(WORDS)), draw(st.sampled_from(WORDS))
        after = draw(
            st.sampled_from(
                [
                    fact(node_id, "home", word, f"{word} and {other}"),
                    fact(node_id, "", "", f"{word} {other}"),
                    someone(node_id, word, aliases=other, relation=draw(st.sampled_from(["friend", "sister"]))),
                ]
            )
        )
        held[node_id] = after
        told.append((before, after))
    return told


@settings(max_examples=60)
@given(changes())
def test_following_changes_is_reading_what_is_left(told: list[tuple[Node | None, Node | None]]) -> None:
    """After any changes the lookup answers as one that was only told of the nodes that are left."""
    followed = Lookup(content_stems)
    left: dict[str, Node] = {}
    for before, after in told:
        followed.listen(before, after)
        if before is not None:
            left.pop(before.id)
        if after is not None:
            left[after.id] = after
    fresh = following(*left.values())
    for word in WORDS:
        stems = content_stems(word, "en")
        answers = [
            (
                list(lookup.in_slot("self", "home")),
                list(lookup.named(word)),
                list(lookup.related("friend")),
                list(lookup.with_value_in((word,), 3)),
                lookup.similar(stems, 1),
                lookup.holding(stems, 5),
            )
            for lookup in (followed, fresh)
        ]
        assert answers[0] == answers[1]


def test_what_is_not_looked_up_by_changes_nothing() -> None:
    """A mention or a retirement leaves the words alone: they are not read again."""
    read: list[str] = []

    def analyze(text: str, language: str) -> frozenset[str]:
        read.append(text)
        return content_stems(text, language)

    lookup = Lookup(analyze)
    node = fact("a", "home", "Tartu")
    lookup.listen(None, node)
    lookup.listen(node, replace(node, importance=0.9))
    assert len(read) == 1 and list(lookup.in_slot("self", "home")) == ["a"]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("the Corolla", "corolla", True),
        ("Rex", "a dog named Rex", True),
        ("New York", "York", True),
        ("Rex", "Max", False),
        ("go", "Go Kart", False),
        ("", "Rex", False),
    ],
)
def test_one_value_may_be_named_more_fully(a: str, b: str, same: bool) -> None:
    """Articles and case do not matter, further words do not either, but a word of two letters is too little."""
    assert same_value(value_key(a), value_key(b)) is same is same_value(value_key(b), value_key(a))


def test_a_value_of_articles_alone_keeps_its_words() -> None:
    """ "Die" is also a band: a value is never reduced to nothing while it has a word."""
    assert value_key("The The") == ("the", "the") and value_key("!?") == ()


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("diagnos", "diagnosed", True), ("move", "moving", False), ("увольнен", "увол", True), ("cat", "cat", False)],
)
def test_forms_of_one_word_begin_alike(a: str, b: str, same: bool) -> None:
    """Four letters in common at least, and at most four that differ at the end."""
    assert akin(a, b) is same is akin(b, a)


def test_names_are_the_name_and_the_others() -> None:
    """A person without a name has none, not an empty one."""
    assert names_of(someone("p", "Anna", aliases="Annie|")) == ("Anna", "Annie")
    assert names_of(make_node("p", type=NodeType.PERSON)) == ()
