"""What a message becomes before anything is written: an id that makes retries harmless, a time, a session, parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from graphs import START
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.graph import Role
from selfimprint.engine.intake import MINUTE_US, SECOND_US, Incoming, Intake, Previous, digest, split, take_in
from selfimprint.engine.settings import EngineSettings, LimitSettings

HELLO = Incoming(role=Role.USER, content="hello there", session="s_1", at=START, app="chat")
BEFORE = Previous(session="s_0", at=START - MINUTE_US, at_given=True, language="en")


def taken(incoming: Incoming = HELLO, **fields: Any) -> Intake:
    values: dict[str, Any] = {
        "profile": "p", "previous": None, "position": 3, "now": START, "batch": False, "settings": EngineSettings(),
    }  # fmt: skip
    return take_in(incoming, **{**values, **fields})


def test_a_message_with_everything_given_is_taken_as_it_is() -> None:
    """Role, words, session, instant and position stay; nothing is assumed."""
    found = taken()
    (message,) = found.messages
    assert (message.content, message.session, message.at, message.position) == ("hello there", "s_1", START, 3)
    assert (message.at_given, message.parts, message.recorded_at) == (True, 1, START)
    assert found.warnings == ()


@pytest.mark.parametrize("later", [{"now": START + 99}, {"position": 9}, {"previous": BEFORE}, {"batch": True}])
def test_the_same_message_sent_again_has_the_same_id(later: dict[str, Any]) -> None:
    """A retry, whenever it comes and whatever came between, gives the same ids."""
    assert [m.id for m in taken(**later).messages] == [m.id for m in taken().messages]


@pytest.mark.parametrize(
    "other",
    [
        {"content": "hello, there"}, {"role": Role.PERSON}, {"speaker": "Anna"}, {"session": "s_2"}, {"app": "mail"},
        {"at": START + 1}, {"key": "k"},
    ],
)  # fmt: skip
def test_a_different_message_has_a_different_id(other: dict[str, Any]) -> None:
    """Anything that makes the message another one gives another id; so does another profile."""
    assert taken(replace(HELLO, **other)).messages[0].id != taken().messages[0].id
    assert taken(profile="q").messages[0].id != taken().messages[0].id


@pytest.mark.parametrize("change", [{"content": "edited"}, {"at": None}, {"at": START + 5}, {"session": ""}])
def test_the_idempotency_key_decides_alone(change: dict[str, Any]) -> None:
    """With a key, the same key in the same app is the same message, another key or app is not."""
    keyed = replace(HELLO, key="k-1")
    assert taken(replace(keyed, **change)).messages[0].id == taken(keyed).messages[0].id
    for other in ({"key": "k-2"}, {"app": "mail"}):
        assert taken(replace(keyed, **other)).messages[0].id != taken(keyed).messages[0].id


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_digests_tell_apart_how_parts_are_cut(one: list[str], other: list[str]) -> None:
    """Two lists of parts have the same digest only when they are equal."""
    assert (digest(*one) == digest(*other)) is (one == other)


def test_untimed_messages_with_the_same_words_are_two() -> None:
    """Without an instant or a key, two equal messages at different positions are both kept."""
    untimed = replace(HELLO, at=None)
    assert taken(untimed, position=3).messages[0].id != taken(untimed, position=4).messages[0].id


@pytest.mark.parametrize(
    ("batch", "previous", "at"),
    [(False, None, START), (True, None, START), (False, BEFORE, START), (True, BEFORE, BEFORE.at + SECOND_US)],
)
def test_a_missing_instant_is_assumed_and_flagged(batch: bool, previous: Previous | None, at: int) -> None:
    """In a batch an untimed message comes a second after the one before; alone it is now."""
    found = taken(replace(HELLO, at=None), batch=batch, previous=previous)
    assert (found.messages[0].at, found.messages[0].at_given) == (at, False)
    assert "time-assumed" in found.warnings


@pytest.mark.parametrize(("minutes", "joins"), [(0, True), (30, True), (30.001, False), (-30, True), (-31, False)])
def test_thirty_minutes_of_silence_start_a_session(minutes: float, joins: bool) -> None:
    """A message without a session joins the one before it unless more than thirty minutes lie between, either way."""
    at = BEFORE.at + round(minutes * MINUTE_US)
    (message,) = taken(replace(HELLO, session="", at=at), previous=BEFORE).messages
    assert (message.session == "s_0") is joins
    assert message.position == (3 if joins else 0)
    assert message.session


def test_a_given_session_is_kept_over_any_gap() -> None:
    """The client's session stands, however long the silence."""
    late = replace(HELLO, at=START + 10**12)
    assert taken(late, previous=BEFORE).messages[0].session == "s_1"


def test_a_long_message_is_split_into_numbered_parts() -> None:
    """Parts share session and role, count up, and are distinct messages of the same ids on every retry."""
    settings = EngineSettings(limits=LimitSettings(content_bytes=100))
    long = replace(HELLO, content="many words " * 40)
    found = taken(long, settings=settings)
    assert found.warnings == ("split",)
    assert "".join(m.content for m in found.messages) == long.content
    assert [m.part for m in found.messages] == list(range(len(found.messages)))
    assert {m.parts for m in found.messages} == {len(found.messages)}
    assert [m.position for m in found.messages] == [3 + i for i in range(len(found.messages))]
    assert len({m.id for m in found.messages}) == len(found.messages)
    assert sorted(found.messages, key=lambda m: m.at) == list(found.messages)
    assert [m.id for m in taken(long, settings=settings, now=START + 5).messages] == [m.id for m in found.messages]


@given(st.text(max_size=400), st.integers(4, 120))
def test_parts_join_to_the_content_within_the_limit(content: str, limit: int) -> None:
    """Whatever the text, its parts give it back and none is longer than the limit in UTF-8."""
    parts = split(content, limit)
    assert "".join(parts) == content
    assert all(len(part.encode()) <= limit for part in parts)
    assert len(parts) == 1 or all(parts)


@pytest.mark.parametrize("letter", ["a", "ж", "語", "👩", " ", "\n"])
def test_text_without_places_to_cut_is_cut_anyway(letter: str) -> None:
    """A run of one letter, of one to four bytes, is split within the limit."""
    parts = split(letter * 1_000, 64)
    assert "".join(parts) == letter * 1_000
    assert all(0 < len(part.encode()) <= 64 for part in parts)


def test_cuts_fall_on_white_space_where_there_is_some() -> None:
    """A text of words is cut between words."""
    parts = split("word " * 100, 64)
    assert all(part.endswith(" ") for part in parts)
