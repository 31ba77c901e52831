"""Forgetting: the laws of the decay clock and of the fold over touches and coefficient pieces."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from graphs import START, make_edge
from hypothesis import given
from hypothesis import strategies as st
from records import HOUR_US, piece, touch, touched
from selfimprint.engine.decay import (
    DecayClock,
    coefficient_at,
    counted_touches,
    day_of,
    decay_factor,
    edge_confidence_at,
    is_active,
    starting_pieces,
    strength,
    weight_at,
)
from selfimprint.engine.graph import DAY_US, CoefficientPiece, NodeType, PieceKind, TouchKind
from selfimprint.engine.settings import DecaySettings

SETTINGS = DecaySettings()
FIRST_DAY = day_of(START)
EVERY_DAY = DecayClock.of(range(FIRST_DAY, FIRST_DAY + 1_000), SETTINGS)
NEVER_SPOKEN = DecayClock.of((), SETTINGS)

clocks = st.sets(st.integers(FIRST_DAY, FIRST_DAY + 300), max_size=40).map(lambda days: DecayClock.of(days, SETTINGS))
moments = st.integers(START - 30 * DAY_US, START + 400 * DAY_US)
piece_lists = st.lists(
    st.builds(
        CoefficientPiece,
        since=st.none() | moments,
        coefficient=st.floats(0.3, 1.0),
        kind=st.sampled_from(PieceKind),
        until=st.none() | moments,
    ),
    max_size=6,
).map(lambda found: (*starting_pieces(0.92), *found))


def days(count: float) -> int:
    """The instant so many days after START."""
    return START + round(count * DAY_US)


@given(clocks, st.tuples(moments, moments, moments))
def test_decay_days_add_up(clock: DecayClock, instants: tuple[int, int, int]) -> None:
    """Decay days from a to b and from b to c are the decay days from a to c."""
    a, b, c = sorted(instants)
    assert clock.days(a, b) + clock.days(b, c) == pytest.approx(clock.days(a, c), abs=1e-9)


@given(clocks, moments, moments)
def test_decay_days_are_at_most_calendar_days(clock: DecayClock, a: int, b: int) -> None:
    """The decay clock never runs backwards and never faster than the calendar."""
    a, b = sorted((a, b))
    assert 0.0 <= clock.days(a, b) <= (b - a) / DAY_US + 1e-9
    assert clock.days(b, a) == 0.0 or a == b


@given(st.sets(st.integers(FIRST_DAY, FIRST_DAY + 300), min_size=1), st.randoms())
def test_activity_days_are_a_set(active: set[int], rng: object) -> None:
    """The clock is the same in whatever order, and however often, activity days arrive."""
    shuffled = [*active, *active]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert DecayClock.of(shuffled, SETTINGS) == DecayClock.of(sorted(active), SETTINGS)


def test_a_two_month_absence_counts_for_seven_days() -> None:
    """Between two messages sixty days apart the clock runs seven days, and stands still after the seventh."""
    clock = DecayClock.of((FIRST_DAY, FIRST_DAY + 60), SETTINGS)
    assert clock.days(days(0), days(60)) == 7.0
    assert clock.days(days(0), days(7)) == 7.0
    assert clock.days(days(7), days(60)) == 0.0
    assert clock.days(days(60), days(61)) == 1.0


def test_the_clock_also_stops_after_the_last_message() -> None:
    """Five weeks after the owner's last word no more than a week has been forgotten."""
    clock = DecayClock.of((FIRST_DAY,), SETTINGS)
    assert clock.days(days(0), days(35)) == 7.0


def test_without_any_message_the_clock_is_the_calendar() -> None:
    """A profile without activity counts calendar days."""
    assert NEVER_SPOKEN.days(days(0), days(12.5)) == 12.5


def test_backfilled_activity_only_changes_the_clock() -> None:
    """A message found later inside a long gap makes more of the gap count, with no node touched."""
    node = touched(days(0))
    sparse = DecayClock.of((FIRST_DAY, FIRST_DAY + 60), SETTINGS)
    denser = DecayClock.of((FIRST_DAY, FIRST_DAY + 30, FIRST_DAY + 60), SETTINGS)
    assert weight_at(node, days(60), sparse, SETTINGS) == pytest.approx(0.92**7)
    assert weight_at(node, days(60), denser, SETTINGS) == pytest.approx(0.92**14)


@given(clocks, piece_lists, st.tuples(moments, moments, moments))
def test_decay_factors_compose(
    clock: DecayClock, pieces: tuple[CoefficientPiece, ...], instants: tuple[int, int, int]
) -> None:
    """What remains from a to c is what remains from a to b times what remains from b to c, whatever the pieces."""
    a, b, c = sorted(instants)
    whole = decay_factor(pieces, a, c, clock)
    assert whole == pytest.approx(decay_factor(pieces, a, b, clock) * decay_factor(pieces, b, c, clock), rel=1e-6)


@given(clocks, piece_lists, st.lists(moments, min_size=1, max_size=8), st.lists(moments, min_size=1, max_size=8))
def test_weights_stay_between_zero_and_one(
    clock: DecayClock, pieces: tuple[CoefficientPiece, ...], touches: list[int], at: list[int]
) -> None:
    """No history of touches and pieces takes a weight out of [0, 1]."""
    node = touched(*touches, pieces=pieces)
    assert all(0.0 <= weight_at(node, instant, clock, SETTINGS) <= 1.0 for instant in at)


@given(clocks, piece_lists, st.lists(moments, min_size=1, max_size=6), moments, moments)
def test_weights_only_fall_between_touches(
    clock: DecayClock, pieces: tuple[CoefficientPiece, ...], touches: list[int], a: int, b: int
) -> None:
    """After the last touch a later look never finds a higher weight."""
    node = touched(*touches, pieces=pieces)
    a, b = sorted((max(a, *touches, 0), max(b, *touches, 0)))
    assert weight_at(node, b, clock, SETTINGS) <= weight_at(node, a, clock, SETTINGS) + 1e-12


@given(clocks, st.lists(moments, min_size=2, max_size=15), st.randoms(), moments)
def test_order_of_arrival_does_not_matter(clock: DecayClock, at: list[int], rng: object, look: int) -> None:
    """The same touches in any order of arrival give the same weight."""
    touches = [touch(t, message=f"m{i}") for i, t in enumerate(at)]
    shuffled = list(touches)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    in_order = touched(min(at), touches=tuple(sorted(touches)))
    assert weight_at(replace(in_order, touches=tuple(shuffled)), look, clock, SETTINGS) == weight_at(
        in_order, look, clock, SETTINGS
    )


@given(clocks, piece_lists, st.lists(moments, min_size=1, max_size=5), moments)
def test_a_plain_strength_is_one_power(
    clock: DecayClock, pieces: tuple[CoefficientPiece, ...], touches: list[int], look: int
) -> None:
    """Where `Strength.plain` holds, weight · coefficient^days is what the full fold gives."""
    node = touched(*touches, pieces=pieces)
    held = strength(node, look, clock, SETTINGS)
    if held.plain and look >= held.since:
        fold = held.weight * decay_factor(node.pieces, held.since, look, clock)
        assert held.weight * held.coefficient ** clock.days(held.since, look) == pytest.approx(fold)


def test_before_its_first_touch_a_node_weighs_nothing() -> None:
    """A node has no weight before it was first mentioned, and 1.0 at that instant."""
    node = touched(days(1))
    assert weight_at(node, days(0.5), EVERY_DAY, SETTINGS) == 0.0
    assert weight_at(node, days(1), EVERY_DAY, SETTINGS) == 1.0


@pytest.mark.parametrize(
    ("node_type", "valence", "importance", "from_day", "to_day"),
    [
        (NodeType.EMOTIONAL_NOTE, -0.5, 0.5, 4, 5),
        (NodeType.EMOTIONAL_NOTE, 0.5, 0.5, 18, 19),
        (NodeType.FACT, 0.0, 0.5, 35, 36),
        (NodeType.EVENT, 0.0, 0.8, 58, 59),
        (NodeType.EVENT, 0.0, 0.81, 148, 149),
        (NodeType.PERSON, 0.0, 0.5, 98, 99),
        (NodeType.OPEN_LOOP, 0.0, 0.5, 298, 299),
    ],
)
def test_removal_times_of_the_whitepaper(
    node_type: NodeType, valence: float, importance: float, from_day: int, to_day: int
) -> None:
    """Each type leaves the active graph when the whitepaper's table (§3.3) says."""
    coefficient = SETTINGS.of_type(node_type, valence=valence, importance=importance)
    node = touched(START, coefficient=coefficient)
    assert is_active(node, days(from_day), EVERY_DAY, SETTINGS)
    assert not is_active(node, days(to_day), EVERY_DAY, SETTINGS)


def test_a_hypothesis_does_not_decay() -> None:
    """A hypothesis keeps its weight: its clock is confidence and timeout."""
    node = touched(START, coefficient=SETTINGS.of_type(NodeType.HYPOTHESIS, valence=0, importance=0.5))
    assert weight_at(node, days(900), EVERY_DAY, SETTINGS) == 1.0


def test_a_mention_adds_015_and_never_passes_one() -> None:
    """A second mention adds 0.15 to what is left, at most up to 1.0."""
    node = touched(days(0), days(10), days(10.01))
    assert weight_at(node, days(10), EVERY_DAY, SETTINGS) == pytest.approx(0.92**10 + 0.15)
    again = touched(days(0), *(days(0.01 * i) for i in range(1, 9)))
    assert weight_at(again, days(0.08), EVERY_DAY, SETTINGS) == 1.0


def test_more_than_ten_reinforcements_a_day_are_ignored_and_flagged() -> None:
    """Ten mentions on one day count; the eleventh changes nothing and is flagged; the next day counts anew."""
    later = days(20)
    ten = touched(days(0), *(later + i for i in range(10)))
    eleven = touched(days(0), *(later + i for i in range(11)))
    assert counted_touches(ten.touches, SETTINGS)[1] is False
    counted, flagged = counted_touches(eleven.touches, SETTINGS)
    assert (len(counted), flagged) == (11, True)
    assert weight_at(eleven, later + HOUR_US, EVERY_DAY, SETTINGS) == weight_at(
        ten, later + HOUR_US, EVERY_DAY, SETTINGS
    )
    next_day = replace(eleven, touches=(*eleven.touches, touch(days(21), message="next")))
    assert counted_touches(next_day.touches, SETTINGS)[0][-1].message == "next"


def test_a_pin_holds_the_weight_and_an_unpin_lets_it_fall() -> None:
    """Pinned from day 2 to day 12, a fact decays only on the other days."""
    pieces = (
        *starting_pieces(0.92),
        piece(1.0, PieceKind.PINNED, since=days(2)),
        piece(1.0, PieceKind.UNPINNED, since=days(12)),
    )
    node = touched(days(0), pieces=pieces)
    assert weight_at(node, days(12), EVERY_DAY, SETTINGS) == pytest.approx(0.92**2)
    assert weight_at(node, days(15), EVERY_DAY, SETTINGS) == pytest.approx(0.92**5)
    assert not node.is_pinned


def test_the_owners_unpin_outranks_the_base_profile() -> None:
    """A base-profile fact that the owner unpinned decays although it is current."""
    base = (*starting_pieces(0.92), piece(1.0, PieceKind.BASE))
    assert coefficient_at(base, days(1)) == 1.0
    unpinned = (*base, piece(1.0, PieceKind.UNPINNED, since=days(3)))
    assert coefficient_at(unpinned, days(1)) == 1.0
    assert coefficient_at(unpinned, days(3)) == 0.92


def test_a_temporary_multiplier_ends() -> None:
    """A temporary piece multiplies the running coefficient until it ends, and not while the node is pinned."""
    pieces = (*starting_pieces(0.92), piece(0.5, PieceKind.TEMPORARY, since=days(1), until=days(3)))
    assert [coefficient_at(pieces, days(d)) for d in (0, 1, 2.9, 3)] == [0.92, 0.46, 0.46, 0.92]
    pinned = (*pieces, piece(1.0, PieceKind.PINNED, since=days(2)))
    assert coefficient_at(pinned, days(2.5)) == 1.0
    assert decay_factor(pieces, days(0), days(4), EVERY_DAY) == pytest.approx(0.92**4 * 0.25)


def test_a_retyped_node_decays_by_its_new_type_from_then_on() -> None:
    """Retyping appends a piece: the time before it keeps the old coefficient."""
    pieces = (*starting_pieces(0.5), piece(0.99, PieceKind.RETYPED, since=days(2)))
    assert decay_factor(pieces, days(0), days(4), EVERY_DAY) == pytest.approx(0.5**2 * 0.99**2)


def test_a_mention_revives_an_archived_node_by_015() -> None:
    """A node archived under 0.05 is active again after a new mention, at what was left plus 0.15."""
    node = replace(touched(days(0)), archived_at=days(40))
    assert not is_active(node, days(41), EVERY_DAY, SETTINGS)
    revived = replace(node, touches=(*node.touches, touch(days(50), TouchKind.REVIVED, "m")))
    assert weight_at(revived, days(50), EVERY_DAY, SETTINGS) == pytest.approx(0.92**50 + 0.15)
    assert is_active(revived, days(50), EVERY_DAY, SETTINGS)


def test_what_is_retired_is_not_active() -> None:
    """Retired from an instant on, a node is out of the active graph however much it weighs."""
    node = replace(touched(days(0)), retired_at=days(1))
    assert is_active(node, days(0.5), EVERY_DAY, SETTINGS)
    assert not is_active(node, days(1), EVERY_DAY, SETTINGS)


def test_inferred_edges_fade_and_observed_ones_do_not() -> None:
    """An inferred edge loses 2 % a decay day since it was last confirmed; an observed one keeps its confidence."""
    inferred = make_edge("e", "a", "b", confidence=0.6, is_inferred=True, last_confirmed_at=days(2))
    observed = make_edge("e", "a", "b", confidence=0.95)
    assert edge_confidence_at(inferred, days(12), EVERY_DAY, SETTINGS) == pytest.approx(0.6 * 0.98**10)
    assert math.isclose(edge_confidence_at(observed, days(300), EVERY_DAY, SETTINGS), 0.95)
