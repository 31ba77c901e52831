"""Twin of engine/errors.py: a short tree with stable codes."""

from __future__ import annotations

import pytest
from selfimprint.engine.errors import DeltaRefused, EngineError, MalformedRecord, UnknownId


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (EngineError, "engine"),
        (MalformedRecord, "malformed-record"),
        (DeltaRefused, "delta-refused"),
        (UnknownId, "unknown-id"),
    ],
)
def test_codes_are_stable(error: type[EngineError], code: str) -> None:
    """Clients go by the codes, and whoever catches EngineError catches them all."""
    assert error.code == code and issubclass(error, EngineError)


def test_a_refusal_says_every_reason() -> None:
    """The reasons stay apart for programs and stand together in the message."""
    error = DeltaRefused(("a node is added twice", "an edge ends at an unknown node"))
    assert error.reasons == ("a node is added twice", "an edge ends at an unknown node")
    assert all(reason in str(error) for reason in error.reasons)
