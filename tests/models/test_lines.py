"""The training lines: what may stand in them, and the two ways of typing them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from selfimprint.models.lines import (
    ABOUTS,
    MODALITIES,
    TYPES,
    BadLine,
    Line,
    joined,
    read_lines,
    restyled,
    training_messages,
)

GOOD = {"t": "moved to Graz", "g": "a", "w": 1, "ty": "event", "ab": "self", "m": "stated", "v": 0.25, "i": 0.6}


def folder_with(tmp_path: Path, *lines: dict[str, Any] | str, name: str = "de.jsonl") -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    return tmp_path


def line(text: str, language: str = "en", modality: str = "stated") -> Line:
    return Line(
        text=text,
        group="g",
        language=language,
        worth=True,
        type="fact",
        about="self",
        modality=modality,
        valence=0.0,
        importance=0.5,
    )


def test_a_line_is_read_with_the_files_language_unless_it_names_its_own(tmp_path: Path) -> None:
    """The file's name is the language; a line's `l` outdoes it."""
    lines = read_lines(folder_with(tmp_path, GOOD, {**GOOD, "t": "trasloco a Graz", "l": "it"}))
    assert [one.language for one in lines] == ["de", "it"]
    assert lines[0] == Line(
        text="moved to Graz",
        group="a",
        language="de",
        worth=True,
        type="event",
        about="self",
        modality="stated",
        valence=0.25,
        importance=0.6,
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"w": 2}, "w is 0 or 1"),
        ({"ty": "none"}, "does not go with w 1"),
        ({"w": 0}, "does not go with w 0"),
        ({"ty": "person"}, "does not go with w 1"),
        ({"ab": "you"}, "unknown ab"),
        ({"m": "sung"}, "or m 'sung'"),
        ({"v": -1.5}, "v is a number"),
        ({"i": -0.1}, "i is a number"),
        ({"i": True}, "i is a number"),
        ({"t": "  "}, "non-empty"),
        ({"g": ""}, "non-empty"),
        ({"x": 1}, "exactly the keys"),
    ],
)
def test_a_mislabelled_line_is_named_with_file_and_number(
    tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    """Every broken field raises BadLine with the place and the reason."""
    with pytest.raises(BadLine, match=r"^de\.jsonl:2") as raised:
        read_lines(folder_with(tmp_path, GOOD, {**GOOD, "t": "other", **change}))
    assert complaint in str(raised.value)


def test_a_missing_key_bad_json_and_a_repeated_text_are_refused(tmp_path: Path) -> None:
    """Each of the three raises BadLine."""
    missing = {key: value for key, value in GOOD.items() if key != "v"}
    for second, complaint in ((missing, "exactly the keys"), ("{", "not JSON"), (GOOD, r"same text as de\.jsonl:1")):
        with pytest.raises(BadLine, match=complaint):
            read_lines(folder_with(tmp_path, {**GOOD} if second == GOOD else {**GOOD, "t": "first"}, second))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (line("i moved, i'm tired"), "I moved, I'm tired."),
        (line("i tre amici miei", language="it"), "I tre amici miei."),
        (line("kui kaua sibulat praadida", language="et", modality="question"), "Kui kaua sibulat praadida?"),
        (line("我对花生过敏", language="zh"), "我对花生过敏。"),
        (line("так рада 🎉", language="ru"), "Так рада 🎉"),
        (line("Ich wohne in Graz.", language="de"), "ich wohne in Graz"),
        (line("Wo bin ich?", language="de"), "wo bin ich?"),
    ],
)
def test_restyling_changes_how_a_line_is_typed_and_nothing_else(before: Line, after: str) -> None:
    """A capital and a closing mark come or go; the labels stay."""
    changed = restyled(before)
    assert changed.text == after
    assert (changed.group, changed.type, changed.modality) == (before.group, before.type, before.modality)


def test_the_projects_own_lines_are_well_formed_and_cover_what_the_heads_must_tell_apart() -> None:
    """At least 3,000 lines in six languages and others, every label used, and as many to leave as to keep, nearly."""
    lines = read_lines()
    assert len(lines) >= 3_000
    languages = Counter(one.language for one in lines)
    assert all(languages[name] >= 400 for name in ("en", "de", "ru", "et", "es", "fr")) and len(languages) > 10
    assert {one.type for one in lines if one.worth} == set(TYPES)
    assert {one.about for one in lines} == set(ABOUTS) and {one.modality for one in lines} == set(MODALITIES)
    assert 0.4 < sum(one.worth for one in lines) / len(lines) < 0.6


def test_a_joined_message_keeps_the_labels_of_the_line_worth_keeping_and_stays_with_its_author() -> None:
    """Every joined message holds text of its group; it is worth keeping exactly when it holds a line that is."""
    lines = read_lines()
    messages = joined(lines)
    assert len(messages) > len(lines) / 4 and all(message.joined for message in messages)
    assert messages == joined(lines)
    kept = {(one.group, one.type, one.about, one.importance) for one in lines if one.worth}
    openings: dict[str, list[str]] = {}
    for one in lines:
        openings.setdefault(one.group, []).append(one.text.strip()[1:].lower().rstrip(".。।"))
    for message in messages:
        assert not message.worth or (message.group, message.type, message.about, message.importance) in kept
        assert message.text[1:].lower().startswith(tuple(openings[message.group]))
        assert "\n" not in message.text or message.worth
    shares = [sum(one.worth for one in some) / len(some) for some in (lines, messages)]
    assert abs(shares[0] - shares[1]) < 0.1


def test_all_messages_are_the_lines_in_both_styles_and_the_joined_ones() -> None:
    """Nothing is lost, and every message keeps a group of the lines, so that a split by group holds for all."""
    lines = read_lines()
    messages = training_messages(lines)
    assert messages[: len(lines)] == lines and len(messages) == 2 * len(lines) + len(joined(lines))
    assert {one.group for one in messages} == {one.group for one in lines}


def test_in_both_styles_capitals_tell_nothing_of_worth() -> None:
    """Over all messages the share that begins with a capital differs little between those to keep and the others."""
    lines = training_messages(read_lines())
    shares = []
    for worth in (True, False):
        some = [one for one in lines if one.worth is worth]
        shares.append(sum(one.text.strip()[0].isupper() for one in some) / len(some))
    assert abs(shares[0] - shares[1]) < 0.12
