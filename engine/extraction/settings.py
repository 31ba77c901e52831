"""The tunable numbers of extraction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionSettings:
    """Defaults were chosen on the development lines in `tests/engine/extraction`.

    Floors of valence and importance: design §3 (no emotional note under |0.2|; significant above 0.8)."""

    note_valence_floor: float = 0.2
    negation_factor: float = -0.6
    intensifier_factor: float = 1.4
    diminisher_factor: float = 0.5
    negation_window_words: int = 3
    fact_importance: float = 0.5
    event_importance: float = 0.5
    loop_importance: float = 0.55
    person_importance: float = 0.6
    note_importance: float = 0.4
    base_profile_importance: float = 0.7
    strong_connective_confidence: float = 1.0
    weak_connective_confidence: float = 0.9
    dash_confidence: float = 0.7
    document_min_words: int = 120
    document_paragraph_words: int = 45
    document_max_first_person_share: float = 0.01
    quote_min_words: int = 2
    log_line_share: float = 0.5
    clause_min_words: int = 2
    fronted_min_words: int = 2
    linked_clause_min_words: int = 2
    clause_max_chars: int = 400
    message_max_chars: int = 20_000
    message_max_candidates: int = 200  # more is no conversation: a pasted list, or somebody who means harm
    language_min_chars: int = 12
    language_margin: float = 0.15
    hint_bonus: float = 0.1


DEFAULT_SETTINGS = ExtractionSettings()
