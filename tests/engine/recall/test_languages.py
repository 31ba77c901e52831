"""Twin of engine/recall/languages.py."""

from __future__ import annotations

import pytest
from selfimprint.engine.recall.languages import CUE_LANGUAGES, known_languages, language_data


@pytest.mark.parametrize("code", CUE_LANGUAGES)
def test_a_language_is_complete(code: str) -> None:
    """Each of the six has twelve months, seven weekdays and something in every list of cues."""
    data = language_data(code)
    assert data is not None
    assert set(data.months.values()) == set(range(1, 13)) and set(data.weekdays.values()) == set(range(7))
    lists = (data.stopwords, data.when, data.number, data.reason, data.place, data.person, data.relative, data.ago)
    assert all(lists) and all((data.assistant, data.addressing, data.first_person, data.second_person, data.past))


def test_an_unknown_language_has_no_data() -> None:
    """Data exists for the six and no other, whatever the code looks like."""
    assert language_data("xx") is None and language_data("../en") is None
    assert tuple(data.code for data in known_languages()) == CUE_LANGUAGES
