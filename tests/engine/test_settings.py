"""Twin of engine/settings.py: the numbers of the whitepaper, in one table."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.graph import NodeType
from selfimprint.engine.settings import DecaySettings, EngineSettings


@pytest.mark.parametrize(
    ("node_type", "valence", "importance", "coefficient"),
    [
        (NodeType.EMOTIONAL_NOTE, -0.6, 0.5, 0.5),
        (NodeType.EMOTIONAL_NOTE, 0.6, 0.5, 0.85),
        (NodeType.FACT, 0.0, 0.9, 0.92),
        (NodeType.EVENT, 0.0, 0.8, 0.95),
        (NodeType.EVENT, 0.0, 0.81, 0.98),
        (NodeType.PERSON, 0.0, 0.5, 0.97),
        (NodeType.OPEN_LOOP, 0.0, 0.5, 0.99),
        (NodeType.HYPOTHESIS, 0.0, 0.5, 1.0),
    ],
)
def test_every_type_has_its_coefficient(
    node_type: NodeType, valence: float, importance: float, coefficient: float
) -> None:
    """The coefficients a day are those of whitepaper §3.3; significant is an importance above 0.8."""
    assert DecaySettings().of_type(node_type, valence=valence, importance=importance) == coefficient


@given(st.sampled_from(NodeType), st.floats(-1, 1), st.floats(0, 1))
def test_no_weight_grows_or_turns_by_itself(node_type: NodeType, valence: float, importance: float) -> None:
    """A starting coefficient lies in (0, 1], and more importance never makes a node fade faster."""
    decay = DecaySettings()
    coefficient = decay.of_type(node_type, valence=valence, importance=importance)
    assert 0 < coefficient <= 1
    assert decay.of_type(node_type, valence=valence, importance=1.0) >= coefficient


def test_settings_fit_one_another() -> None:
    """One mention lifts a node that left the active graph back into it; instants said lie within those valid."""
    settings = EngineSettings()
    assert settings.decay.reinforcement >= settings.decay.active_from > 0
    limits = settings.limits
    assert limits.earliest_valid_us <= limits.earliest_us < limits.latest_us <= limits.latest_valid_us


def test_every_profile_may_have_its_own() -> None:
    """Each part of the table is a frozen value of its own with a default for each number."""
    first, second = EngineSettings(), EngineSettings(decay=DecaySettings(fact=0.5))
    assert first == EngineSettings() and first.decay.fact != second.decay.fact
    assert all(is_dataclass(getattr(first, field.name)) for field in fields(first))
