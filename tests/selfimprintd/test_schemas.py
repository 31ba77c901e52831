"""Twin of selfimprintd/schemas.py: what is wrong with an input is named by its place."""

from __future__ import annotations

from typing import Any

import pytest
from calling import send
from live import LiveServer


@pytest.mark.parametrize(
    ("path", "body", "field", "advice"),
    [
        ("/messages", {"role": "user", "content": "x", "at": "2026-03-01T09:30:00"}, "at", "add an offset like +02:00"),
        ("/messages", {"role": "user", "content": "x", "at": 5}, "at", "write the time as text"),
        ("/messages", {"role": "boss", "content": "x"}, "role", "'user', 'person'"),
        ("/messages", {"role": "user", "content": ""}, "content", "at least 1"),
        ("/messages", {"role": "user", "content": " \n"}, "body", "not a blank"),
        ("/messages", {"role": "user"}, "content", "required"),
        ("/messages", {"role": "user", "content": "x", "sesion": "y"}, "sesion", "did you mean session?"),
        ("/messages", {"messages": []}, "messages", "at least 1"),
        (
            "/messages",
            {"messages": [{"role": "user", "content": "x"}, {"role": "user"}]},
            "messages.1.content",
            "required",
        ),
        ("/messages", {"role": "user", "content": "x", "key": "k" * 201}, "key", "at most 200"),
        ("/context", {"message": "x", "budget": 0}, "budget", "greater than or equal to 1"),
        ("/context", {"message": "x", "budget": "400"}, "budget", "valid integer"),
        ("/context", {"message": "x", "as_of": "last year"}, "as_of", "ISO-8601"),
        ("/recall", {"query": "x", "mode": "magic"}, "mode", "'default', 'paper'"),
        ("/recall", {"query": "x", "types": ["fact", "lie"]}, "types.1", "'fact'"),
        ("/drain", {"timeout_s": 0}, "timeout_s", "greater than 0"),
    ],
)
def test_a_wrong_field_is_named_with_what_to_write(
    live: LiveServer, path: str, body: Any, field: str, advice: str
) -> None:
    """422 lists the fields by place, and says what belongs there."""
    problem = send(live, "POST", path, body, 422)
    assert problem["code"] == "invalid"
    assert any(error["field"] == field and advice in error["problem"] for error in problem["errors"]), problem
