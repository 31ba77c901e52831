"""Old conversations: JSONL and plain text, with keys that make a second import harmless."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfimprintd.transcripts import BadTranscript, Turn, read_turns

CHAT = """\
[2026-03-01 09:30] Anna: Morning! Did you sleep?
[2026-03-01 09:31] Me: Barely.
Note: the baby cried all night.
[09:40] Anna: Oh no

[2026-03-02T20:00:00.5+02:00] Me: Better today
[20:05] Anna:
"""


def seen(turns: list[Turn]) -> list[tuple[str, str, str, str, str]]:
    return [(t.role, t.speaker, t.session, t.at, t.content) for t in turns]


def test_a_plain_chat_is_read_with_its_times_sessions_and_long_turns() -> None:
    """A line without a known name goes on with the turn before; a blank line begins a session."""
    assert seen(read_turns(CHAT, timezone="Europe/Tallinn")) == [
        ("person", "Anna", "session 1", "2026-03-01T09:30:00+02:00", "Morning! Did you sleep?"),
        ("user", "", "session 1", "2026-03-01T09:31:00+02:00", "Barely.\nNote: the baby cried all night."),
        ("person", "Anna", "session 1", "2026-03-01T09:40:00+02:00", "Oh no"),
        ("user", "", "session 2", "2026-03-02T20:00:00.500000+02:00", "Better today"),
    ]


def test_a_date_line_dates_what_follows_and_begins_a_session() -> None:
    """Diaries and exports put the day on a line of its own."""
    text = "# 2026-01-05\nUser: hi\nAssistant: hello\n== 2026-01-06 ==\n10:00 - User: again\n"
    assert seen(read_turns(text, label="diary", timezone="UTC")) == [
        ("user", "", "diary 1", "", "hi"),
        ("assistant", "", "diary 1", "", "hello"),
        ("user", "", "diary 2", "2026-01-06T10:00:00+00:00", "again"),
    ]


def test_me_names_the_owner_and_everybody_else_is_a_person() -> None:
    """With --me a speaker called User is somebody else."""
    turns = read_turns("Liis: hi\nUser: hello\nLiis: bye\n", me="liis")
    assert [(t.role, t.speaker) for t in turns] == [("user", ""), ("person", "User"), ("user", "")]


def test_json_lines_are_read_with_every_field() -> None:
    """Roles follow from speakers where they are not given; naive times get the zone."""
    rows = [
        {"role": "user", "content": "a", "session": "s", "at": "2026-07-01T10:00:00", "id": 7},
        {"speaker": "Bob", "text": "b", "timestamp": "2026-07-01T10:00:00Z"},
        {"content": "c\nd", "role": "tool", "speaker": "search"},
    ]
    turns = read_turns("\n".join(map(json.dumps, rows)) + "\n\n", timezone="Europe/Tallinn")
    assert seen(turns) == [
        ("user", "", "s", "2026-07-01T10:00:00+03:00", "a"),
        ("person", "Bob", "", "2026-07-01T10:00:00+00:00", "b"),
        ("tool", "search", "", "", "c\nd"),
    ]
    assert turns[0].key == "import:7"
    assert turns[0].message("import") == {
        "role": "user", "content": "a", "session": "s", "at": "2026-07-01T10:00:00+03:00", "key": "import:7",
        "app": "import",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ('{"role": "user", "content": "x"}\n{broken', "line 2 is not JSON"),
        ('{"role": "boss", "content": "x"}', "line 1: role has to be one of"),
        ('{"role": "user"}', "line 1: content is missing"),
        ('{"role": "user", "content": ["x"]}', "line 1: content has to be text"),
        ('{"role": "user", "content": "x", "mood": 1}', "line 1: unknown field 'mood'"),
        ('{"role": "user", "content": "x", "at": "soon"}', "line 1: write the time like"),
        ('[{"role": "user", "content": "x"}, 2]', "line 2: write an object"),
        ("[{", "the list is not JSON"),
        ("just some words\n", "line 1: begin with a name"),
        ("[2026-13-45 10:00] Anna: hi", "line 1: write the time like"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, advice: str) -> None:
    """The line's number, and how it should look."""
    with pytest.raises(BadTranscript, match=advice):
        read_turns(text)


@given(st.lists(st.sampled_from(["hi", "ok", "see: this", "10:30 then"]), min_size=1, max_size=12), st.integers(1, 12))
def test_keys_differ_within_a_file_and_stay_when_it_grows(words: list[str], cut: int) -> None:
    """The same words twice are two turns; a longer file begins with the same keys."""
    lines = [f"{'Anna' if n % 2 else 'Me'}: {word}" for n, word in enumerate(words)]
    keys = [turn.key for turn in read_turns("\n".join(lines))]
    assert len(set(keys)) == len(keys) == len(lines)
    part = lines[: max(1, min(cut, len(lines)))]
    assert [turn.key for turn in read_turns("\n".join(part))] == keys[: len(part)]


def test_a_list_of_objects_reads_like_a_line_for_each() -> None:
    """Exports are often one JSON list."""
    rows = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert read_turns(json.dumps(rows, indent=1)) == read_turns("\n".join(map(json.dumps, rows)))


def test_labels_and_clock_times_within_a_turn_are_no_speakers() -> None:
    """`PS:`, a link and a lower-case word before a colon belong to the turn."""
    turns = read_turns("Anna: list\nPS: milk\nhttps://example.org\nsee: below\n10:30 train\nMe: ok\n")
    assert [turn.content for turn in turns] == ["list\nPS: milk\nhttps://example.org\nsee: below\n10:30 train", "ok"]


def test_windows_line_ends_and_a_byte_order_mark_are_no_content() -> None:
    """Files from elsewhere read the same."""
    plain = read_turns("Anna: hi\nMe: hello\n")
    assert read_turns("\ufeffAnna: hi\r\nMe: hello\r\n") == plain
