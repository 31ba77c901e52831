from __future__ import annotations

from asking import AskSettings, batches
from told import Turn


def test_batches_keep_order_and_bounds() -> None:
    """No call holds more messages or bytes than allowed, and together they are all turns in order."""
    turns = [Turn(unit=str(n), body={"content": "x" * (n * 10)}) for n in range(9)]
    found = list(batches(turns, AskSettings(batch_messages=4, batch_bytes=150)))
    assert [t for batch in found for t in batch] == turns
    assert all(len(batch) <= 4 for batch in found)
    assert len(found) > 3
