from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from told import BadInput, conversations, instants, read_lines, read_time, role_of


def unit(text: str, **fields: object) -> dict[str, object]:
    return {"conv": "a", "id": 1, "session": "s", "time": "", "speaker": "user", "text": text, **fields}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("2023-05-20T02:21:00+02:00", datetime(2023, 5, 20, 2, 21, tzinfo=timezone(timedelta(hours=2)))),
        ("1684549260", datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("March-15-2024", datetime(2024, 3, 15, tzinfo=UTC)),
        ("29.12.2023, 23:07:38", datetime(2023, 12, 29, 23, 7, 38, tzinfo=UTC)),
    ],
)
def test_times_are_read_in_the_formats_that_data_sets_use(written: str, expected: datetime) -> None:
    """A written time becomes its instant, UTC where it names no offset."""
    assert read_time(written) == expected


def test_no_time_is_none() -> None:
    """What is no time is None and not today."""
    assert read_time("later") is None


def test_turns_of_one_time_are_told_apart() -> None:
    """Turns that share a written time follow ten seconds after one another; one without a time takes the next place."""
    first = datetime(2024, 3, 15, tzinfo=UTC)
    ten = timedelta(seconds=10)
    found = instants(["March-15-2024", "March-15-2024", None, "March-16-2024"])
    assert found == [first, first + ten, first + 2 * ten, first + timedelta(days=1)]


def test_nothing_has_a_time() -> None:
    """Without any time there is none to send."""
    assert instants([None, "", None]) == [None, None, None]


@pytest.mark.parametrize(
    ("speaker", "expected"),
    [
        ("user", ("user", "")),
        ("Assistant", ("assistant", "")),
        ("Liis", ("person", "Liis")),
        ("Maarja", ("user", "")),
        ("", ("user", "")),
    ],
)
def test_speakers_become_roles(speaker: str, expected: tuple[str, str]) -> None:
    """`user` and `assistant` are roles, `me` is the owner, anybody else a person with a name."""
    assert role_of(speaker, "maarja") == expected


def test_a_conversation_keeps_ids_and_order_and_leaves_out_what_is_empty() -> None:
    """Unit ids become text, empty turns go, ids may repeat in another conversation, keys never do."""
    units = [unit("one", id=7), unit(" "), unit("two", id="7"), unit("three", conv="b", id=7)]
    first, second = conversations(units, [{"qid": 1, "conv": "b", "question": "what?"}])
    assert [(t.unit, t.body["content"]) for t in first.turns] == [("7", "one"), ("7", "two")]
    assert second.questions == (("1", "what?"),)
    keys = [t.body["key"] for c in (first, second) for t in c.turns]
    assert len(set(keys)) == len(keys)


def test_a_question_of_no_conversation_is_named() -> None:
    """A question whose conversation has no unit is refused with its number."""
    with pytest.raises(BadInput, match=r"question 1.*'b'"):
        conversations([unit("one")], [{"qid": "q", "conv": "b", "question": "what?"}])


def test_a_missing_field_is_named() -> None:
    """A unit without a conversation is refused with the field's name."""
    with pytest.raises(BadInput, match="'conv'"):
        conversations([{"text": "one"}], [])


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    """A line that is no JSON object is refused with its number."""
    file = tmp_path / "u.jsonl"
    file.write_text('{"a": 1}\n\n[1]\n')
    with pytest.raises(BadInput, match="line 3"):
        read_lines(file)
