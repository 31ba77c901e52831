"""A slot's values over time: validity decides what holds, never the order in which things were told."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import make_delta, piece
from selfimprint.engine.delta import SetNode
from selfimprint.engine.graph import EdgeType, PieceKind
from telling import Told, candidate, day, in_slot

TOWNS = ("Tallinn", "Tartu", "Narva", "Haapsalu")


def lived(order: tuple[int, ...], days: tuple[int, ...], towns: tuple[str, ...] = TOWNS) -> Told:
    """A memory that heard, in the given order, where the owner lived from each day on."""
    told = Told()
    for index in order:
        told.say(in_slot("home", towns[index]), at=days[index], id=f"m_{index}")
    return told


@settings(max_examples=50)
@given(st.permutations(range(4)), st.sets(st.integers(0, 400), min_size=4, max_size=4))
def test_the_timeline_does_not_depend_on_the_order_of_arrival(order: list[int], days: set[int]) -> None:
    """Four homes told in any order give the same timeline, the same weights and the same current home."""
    dated = tuple(days)
    in_order, shuffled = lived(tuple(range(4)), dated), lived(tuple(order), dated)
    in_order = lived(tuple(sorted(range(4), key=lambda i: dated[i])), dated)
    assert shuffled.line("home") == in_order.line("home")
    assert shuffled.current("home") == [TOWNS[max(range(4), key=lambda i: dated[i])]]
    for town in TOWNS:
        for look in (500, 900):
            assert shuffled.weight(shuffled.holding("home", town), look) == pytest.approx(
                in_order.weight(in_order.holding("home", town), look)
            )


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_return_is_a_second_stay_in_any_order(order: tuple[int, ...]) -> None:
    """Tallinn, then Tartu, then Tallinn again are three stays, whichever was told first."""
    told = lived(order, (0, 10, 20), ("Tallinn", "Tartu", "Tallinn"))
    assert told.line("home") == [("Tallinn", 0, 10), ("Tartu", 10, 20), ("Tallinn", 20, None)]


@settings(max_examples=50)
@given(st.permutations(range(5)), st.lists(st.sampled_from(TOWNS[:3]), min_size=5, max_size=5))
def test_repeated_values_do_not_depend_on_the_order_of_arrival(order: list[int], towns: list[str]) -> None:
    """Five dated statements, some of the same home, give one timeline and one set of weights in whatever order."""
    dated, heard = (0, 10, 20, 30, 40), tuple(towns)
    in_order, shuffled = lived(tuple(range(5)), dated, heard), lived(tuple(order), dated, heard)
    assert shuffled.line("home") == in_order.line("home")
    weights = [[(n.created_at, told.weight(n, 60)) for n in told.nodes()] for told in (in_order, shuffled)]
    assert weights[0] == weights[1]


def test_a_statement_that_reaches_back_parts_no_stay() -> None:
    """Told last, "I have lived in Narva since day 20" makes Narva current, although Tartu was named on day 50."""
    told = lived((0, 1), (0, 50), ("Tartu", "Tartu"))
    told.say(in_slot("home", "Narva", since=day(20)), at=100)
    assert told.line("home") == [("Tartu", 0, 20), ("Narva", 20, None)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_later_statement_of_the_same_value_extends_it(order: tuple[int, ...]) -> None:
    """The same home told three times is one node with three touches that holds since the first of them."""
    told = lived(order, (0, 10, 20), ("Tartu", "Tartu", "Tartu"))
    assert told.line("home") == [("Tartu", 0, None)]
    assert [t.at for t in told.holding("home", "Tartu").touches] == [day(0), day(10), day(20)]


def test_the_newer_contradicts_the_older() -> None:
    """Supersession draws one `contradicts` edge, from the newer value to the older."""
    told = lived((0, 1), (0, 10))
    (edge,) = told.edges(EdgeType.CONTRADICTS)
    assert edge.from_id == told.holding("home", "Tartu").id
    assert edge.to_id == told.holding("home", "Tallinn").id
    assert edge.evidence


def test_the_current_base_profile_is_pinned_and_the_former_decays() -> None:
    """A current home never fades; superseded, it is unpinned and decays like any fact from that day on."""
    told = lived((0,), (0,))
    home = told.holding("home", "Tallinn")
    assert home.is_pinned
    for week in range(1, 10):
        told.say(at=week * 7)
    assert told.weight(home, 63) == 1.0
    told.say(in_slot("home", "Tartu"), at=63)
    former = told.holding("home", "Tallinn")
    assert not former.is_pinned
    assert told.holding("home", "Tartu").is_pinned
    assert told.weight(former, 63) == 1.0
    assert told.weight(former, 68) == pytest.approx(0.92**5)


def test_only_the_owners_own_base_profile_is_pinned() -> None:
    """A friend's home and the owner's school are not pinned."""
    told = Told()
    told.say(in_slot("home", "Narva", subject="person:Anna"))
    told.say(in_slot("school", "Tartu University"))
    assert not any(p.kind is PieceKind.BASE for n in told.nodes() for p in n.pieces)


def test_a_value_may_reach_back() -> None:
    """Told today, "I have lived in Tartu since spring" holds since spring and ends what held before it."""
    told = Told()
    told.say(in_slot("home", "Tallinn"), at=0)
    told.say(in_slot("home", "Tartu", since=day(50)), at=100)
    assert told.line("home") == [("Tallinn", 0, 50), ("Tartu", 50, None)]


def test_a_move_told_to_an_empty_memory_leaves_both_ends() -> None:
    """A "moved from Tallinn to Tartu" gives a former home that ended and a current one."""
    told = Told()
    told.say(in_slot("home", "Tartu", previous="Tallinn"), at=5)
    assert told.line("home") == [("Tallinn", None, 5), ("Tartu", 5, None)]
    assert told.current("home") == ["Tartu"]
    told.say(in_slot("home", "Tartu", previous="Tallinn"), at=6)
    assert len(told.line("home")) == 2


def test_an_end_without_a_successor_leaves_the_slot_empty() -> None:
    """Saying "I no longer work at Acme" ends the employer; a later employer does not move that end."""
    told = Told()
    told.say(in_slot("employer", "Acme"), at=0)
    told.say(in_slot("employer", "Acme", polarity=-1), at=10)
    assert told.current("employer") == []
    assert not told.holding("employer", "Acme").is_pinned
    told.say(in_slot("employer", "Initech"), at=30)
    assert told.line("employer") == [("Acme", 0, 10), ("Initech", 30, None)]


def test_a_denial_of_the_unknown_is_kept_as_said() -> None:
    """A denial such as "I don't eat meat", with nothing known, is a negative fact that holds nothing."""
    told = Told()
    told.say(in_slot("likes", "olives", polarity=-1))
    (node,) = told.nodes()
    assert node.attribute("polarity") == "-1"
    told.say(in_slot("likes", "olives", polarity=-1), at=1)
    assert len(told.nodes()[0].touches) == 2


def test_many_values_stand_side_by_side() -> None:
    """Pets, children and likes add up; only an explicit negation ends one, and only that one."""
    told = Told()
    for number, pet in enumerate(("Rex", "Whiskers", "Polly")):
        told.say(in_slot("pet", pet), at=number)
    assert told.current("pet") == ["Rex", "Whiskers", "Polly"]
    told.say(in_slot("pet", "Whiskers", polarity=-1), at=9)
    assert told.line("pet") == [("Rex", 0, None), ("Whiskers", 1, 9), ("Polly", 2, None)]
    assert told.edges(EdgeType.CONTRADICTS) == []


def test_a_changed_taste_ends_the_old_one() -> None:
    """First "I like coffee", later "I hate coffee": the liking ends, contradicted by the dislike."""
    told = Told()
    told.say(in_slot("likes", "coffee"), at=0)
    told.say(in_slot("dislikes", "coffee"), at=10)
    assert told.line("likes") == [("coffee", 0, 10)]
    assert told.current("dislikes") == ["coffee"]
    (edge,) = told.edges(EdgeType.CONTRADICTS)
    assert (edge.from_id, edge.to_id) == (told.holding("dislikes", "coffee").id, told.holding("likes", "coffee").id)


def test_a_taste_learned_late_does_not_undo_a_newer_one() -> None:
    """A dislike dated before the liking does not end the liking: it is the one that has ended."""
    told = Told()
    told.say(in_slot("likes", "coffee"), at=10)
    told.say(in_slot("dislikes", "coffee"), at=0)
    assert told.current("likes") == ["coffee"]
    assert told.line("dislikes") == [("coffee", 0, 10)]


def test_slots_are_kept_apart_by_subject() -> None:
    """The owner's, Anna's and Bob's homes never supersede one another."""
    told = Told()
    told.say(in_slot("home", "Tartu"), at=0)
    told.say(in_slot("home", "Narva", subject="person:Anna"), at=1)
    told.say(in_slot("home", "Riga", subject="person:Bob"), at=2)
    assert told.current("home") == ["Tartu"]
    assert told.current("home", told.person("Anna").id) == ["Narva"]
    assert told.current("home", told.person("Bob").id) == ["Riga"]


def test_a_value_named_more_fully_is_the_same_value() -> None:
    """First "Rex" and later "a dog named Rex" are one pet that keeps the fuller name."""
    told = Told()
    told.say(in_slot("pet", "Rex"), at=0)
    told.say(in_slot("pet", "a dog named Rex"), at=1)
    assert told.current("pet") == ["a dog named Rex"]
    assert len(told.nodes()) == 1


def test_the_owners_pin_survives_supersession() -> None:
    """What the owner pinned stays pinned when its slot moves on."""
    told = lived((0,), (0,))
    home = told.holding("home", "Tallinn")
    pinned = replace(home, pieces=(*home.pieces, piece(1.0, PieceKind.PINNED, since=day(1))))
    told.state.apply(make_delta(SetNode(before=home, after=pinned)))
    told.say(in_slot("home", "Tartu"), at=10)
    assert told.holding("home", "Tallinn").is_pinned
    told.say(candidate("something else entirely"), at=11)
    assert told.holding("home", "Tallinn").is_pinned


def test_what_an_undo_reopened_is_left_where_another_value_followed() -> None:
    """A home that was retired and brought back after another one was told is an earlier stay: telling it anew is a
    return, and the home told last is the current one."""
    told = Told()
    told.say(in_slot("home", "Tartu"), at=0)
    first = told.holding("home", "Tartu")
    retired = replace(first, retired_at=day(1))
    told.state.apply(make_delta(SetNode(before=first, after=retired)))
    told.say(in_slot("home", "Narva"), at=10)
    told.state.apply(make_delta(SetNode(before=retired, after=first)))
    told.say(in_slot("home", "Tartu"), at=20)
    assert told.line("home") == [("Tartu", 0, 10), ("Narva", 10, 20), ("Tartu", 20, None)]
