"""Twin of engine/delta.py: the one currency for change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest
from graphs import make_edge, make_node
from records import make_delta, make_message
from selfimprint.engine.delta import (
    AddEdge,
    AddNode,
    Cause,
    GraphDelta,
    Operation,
    PutMessage,
    RemoveEdge,
    RemoveNode,
    SetEdge,
    SetNode,
)


def test_a_change_carries_what_was_there_before() -> None:
    """Each operation that changes or removes something holds its before-image: without it nothing could be undone."""
    images = {kind: {field.name for field in fields(kind)} for kind in get_args(Operation)}
    assert images == {
        PutMessage: {"message"},
        AddNode: {"node"},
        AddEdge: {"edge"},
        SetNode: {"before", "after"},
        SetEdge: {"before", "after"},
        RemoveNode: {"before"},
        RemoveEdge: {"before"},
    }


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        (PutMessage(message=make_message()), "message"),
        (AddNode(node=make_node("n")), "node"),
        (RemoveEdge(before=make_edge("e", "a", "b")), "before"),
        (make_delta(), "operations"),
    ],
)
def test_nothing_of_a_delta_can_be_changed(operation: Operation | GraphDelta, name: str) -> None:
    """Deltas and operations are frozen, and equal ones are the same value."""
    with pytest.raises(FrozenInstanceError):
        setattr(operation, name, None)
    assert hash(operation) == hash(type(operation)(**{f.name: getattr(operation, f.name) for f in fields(operation)}))


def test_causes_keep_the_names_that_journals_hold() -> None:
    """A cause is stored by its value: renaming one would make journals unreadable."""
    assert {cause.value for cause in Cause} >= {
        "ingest", "heads", "enrichment", "sleep", "compaction", "correction", "retirement", "import", "undo",
    }  # fmt: skip
