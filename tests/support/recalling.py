"""Small conversations for the tests of recall."""

from __future__ import annotations

from typing import Any

import numpy as np
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.rank import Query, Ranking, rank

DAY_US = 86_400_000_000
START_US = 1_700_000_000_000_000


def turn(key: str, text: str, speaker: str = "Anna", *, position: int = 0, **fields: Any) -> Item:
    given: dict[str, Any] = {"role": "person", "session": "s1", "at_us": START_US + position, "language": "en"}
    return Item(key=key, kind="turn", text=text, speaker=speaker, position=position, **{**given, **fields})


def node(key: str, text: str, *, turn_key: str = "", **fields: Any) -> Item:
    given: dict[str, Any] = {
        "role": "person", "session": "s1", "at_us": START_US, "language": "en", "node_type": "fact", "speaker": "Anna",
        "subject": "Anna",
    }  # fmt: skip
    return Item(key=key, kind="node", text=text, turn_key=turn_key, **{**given, **fields})


def index_of(*items: Item) -> HotIndex:
    index = HotIndex()
    index.add(items)
    return index


def asked(index: HotIndex, text: str, **fields: Any) -> Ranking:
    vector = fields.pop("vector", None)
    options = {name: fields.pop(name) for name in ("preset", "now_day") if name in fields}
    query = Query(text=text, **{"language": "en", "asked_at_us": START_US + DAY_US, **fields}, vector=vector)
    return rank(index, query, **options)


def keys(ranking: Ranking) -> list[str]:
    return [hit.key for hit in ranking.hits]


def unit(*values: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    vector = np.array(values, np.float32)
    return vector / np.float32(np.linalg.norm(vector))
