from __future__ import annotations

from pathlib import Path

from extraction_lines import Line, Verdict, judge, read_lines
from selfimprint.engine.extraction.extract import extract

AT = 1_700_000_000_000_000
LINES = read_lines(Path(__file__).with_name("german_lines.txt"))
VERDICTS = [(line, judge(line, extract(line.text, at_us=AT, offset_minutes=120, language="de"))) for line in LINES]


def _share(part: list[tuple[Line, Verdict]]) -> float:
    wishes = sum(len(v.found) + len(v.missed) for _, v in part)
    return sum(len(v.found) for _, v in part) / wishes


def test_the_german_development_lines_are_read_as_they_ask() -> None:
    """At least 95 % of the wishes are met and at most 2 % of the lines yield a fact nobody asked for."""
    missed = [(line.text, v.missed) for line, v in VERDICTS if v.missed]
    extra = [(line.text, v.extra) for line, v in VERDICTS if v.extra]
    assert len(LINES) >= 100
    assert _share(VERDICTS) >= 0.95, missed
    assert len(extra) <= 0.02 * len(LINES), extra


def test_small_talk_and_look_alikes_stay_silent_in_german() -> None:
    """Of the lines that must yield nothing, at most 2 % yield something."""
    silent = [(line, v) for line, v in VERDICTS if line.wants == ("none",)]
    assert len(silent) >= 20
    assert _share(silent) >= 0.98, [line.text for line, v in silent if v.missed]


def test_content_is_the_span_of_the_german_message() -> None:
    """Every candidate's content is what stands between its offsets, also where a subject was left out."""
    for line in LINES:
        for c in extract(line.text, at_us=AT, offset_minutes=120, language="de").candidates:
            assert line.text[c.start : c.end].strip(" ,") == c.content, line.text
