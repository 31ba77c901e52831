from __future__ import annotations

import dataclasses

from selfimprint.engine.extraction.candidates import Candidate, Extraction
from selfimprint.engine.graph import SELF, NodeType


def test_a_candidate_is_about_the_speaker_unless_said_otherwise() -> None:
    """The defaults are a stated, current, neutral claim about the speaker."""
    candidate = Candidate(type=NodeType.FACT, content="x", start=0, end=1)
    assert (candidate.subject, candidate.polarity, candidate.modality) == (SELF, 1, "stated")
    assert dataclasses.replace(candidate, polarity=-1) != candidate


def test_an_empty_extraction_has_only_a_language() -> None:
    """Nothing found is an extraction too."""
    assert Extraction(language="en").candidates == ()
