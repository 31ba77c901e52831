from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import quality

SAID = (
    ("Liis", "I started learning pottery in March."),
    ("Maarja", "My laptop fell off the table."),
    ("Liis", "We moved from Tartu to Tallinn last week."),
)


def files(tmp_path: Path) -> list[str]:
    units: list[dict[str, Any]] = []
    for conv in ("a", "b"):
        for number, (speaker, text) in enumerate(SAID):
            said = text if conv == "a" else text.replace("pottery", "chess")
            units.append(
                {"conv": conv, "id": number, "session": "1", "time": "8 May 2023", "speaker": speaker, "text": said}
            )
    units.append({"conv": "b", "id": 9, "text": ""})
    questions = [
        {"qid": f"{conv}:q", "conv": conv, "question": f"Who is learning {what}?"}
        for conv, what in (("a", "pottery"), ("b", "chess"))
    ]
    found = []
    for name, rows in (("u", units), ("q", questions)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows))
        found.append(str(path))
    return found


def test_conversations_are_told_asked_and_written_down(tmp_path: Path) -> None:
    """Two conversations go through a real daemon, each a profile of its own, and the three files come out."""
    units, questions = files(tmp_path)
    out = tmp_path / "out"
    status = quality.main(
        ["--units", units, "--questions", questions, "--out", str(out), "--embedder", "none", "--me", "Maarja"]
    )
    assert status == 0
    read = {name: json.loads((out / f"{name}.json").read_text()) for name in ("ranked", "contexts", "confidence")}
    assert read["ranked"]["a:q"][0] == read["ranked"]["b:q"][0] == "0"
    assert "pottery" in read["contexts"]["a:q"]
    assert "pottery" not in read["contexts"]["b:q"]
    assert all(0.0 <= doubt <= 1.0 for doubt in read["confidence"].values())


def test_a_bad_file_is_an_error_and_not_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there ends with status 1 and its name."""
    status = quality.main(["--units", str(tmp_path / "none"), "--questions", "q", "--out", str(tmp_path)])
    assert status == 1
    assert "none" in capsys.readouterr().err
