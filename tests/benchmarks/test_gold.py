from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gold import GoldSet, read_gold


def sample() -> list[dict[str, Any]]:
    """A conversation of three turns in the data set's format, and two questions about it."""
    return [
        {
            "sample_id": "c",
            "conversation": {
                "session_2": [{"dia_id": "D2:1", "speaker": "B", "text": "chess"}],
                "session_1": [
                    {"dia_id": "D1:1", "speaker": "A", "text": "pottery", "blip_caption": "a bowl"},
                    {"dia_id": "D1:2", "speaker": "B", "text": "tea"},
                ],
                "session_1_date_time": "1:56 pm on 8 May, 2023",
            },
            "qa": [
                {"question": "What?", "answer": 7, "evidence": ["D1:1; D2:01", "D9:9", "D"], "category": 1},
                {"question": "Who?", "adversarial_answer": "B", "evidence": ["D1:2"], "category": 5},
            ],
        }
    ]


def read(tmp_path: Path) -> GoldSet:
    file = tmp_path / "gold.json"
    file.write_text(json.dumps(sample()))
    return read_gold(file)


def test_malformed_evidence_is_read_or_dropped(tmp_path: Path) -> None:
    """Several ids in one text are several, zeros do not matter, ids of no turn go."""
    first, second = read(tmp_path).golds
    assert first.evidence == ("D1:1", "D2:1")
    assert (first.answer, first.answerable, second.answerable) == ("7", True, False)


def test_units_come_in_the_order_of_sessions(tmp_path: Path) -> None:
    """Turns come session after session by number, pictures by their caption."""
    gold = read(tmp_path)
    assert list(gold.texts()["c"]) == ["D1:1", "D1:2", "D2:1"]
    assert gold.spoken("{speaker}: {text}")["c"]["D1:1"] == "A: pottery [shares an image: a bowl]"
