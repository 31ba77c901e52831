from __future__ import annotations

from selfimprint.engine.extraction.settings import DEFAULT_SETTINGS


def test_defaults_keep_the_designs_bounds() -> None:
    """Notes start at |0.2|, negation turns the sign, and stated links are trusted at 0.9 to 1."""
    assert DEFAULT_SETTINGS.note_valence_floor == 0.2
    assert -1 < DEFAULT_SETTINGS.negation_factor < 0
    assert 0.9 <= DEFAULT_SETTINGS.weak_connective_confidence <= DEFAULT_SETTINGS.strong_connective_confidence <= 1
