"""How the files of a profile are named, and which files of history a checkpoint writes and drops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from selfimprint.engine.delta import GraphDelta
from selfimprint.engine.graph import DAY_US

from selfimprintd.documents import history_text
from selfimprintd.trace import INDEX

GRAPH_FILES = ("core-", "domain/", "archive/")
INDEX_FOLDERS = ("postings/", "vectors/")
HISTORY = "history/"

Recorded = tuple[int, GraphDelta, bytes]
"""A delta with its number and canonical bytes."""


def index_file(block: str) -> str:
    """The logical file of a block of the hot index: vectors apart, the rest among the postings."""
    return block if block.startswith("vectors/") else "postings/" + block.replace("/", ".")


def block_of(name: str) -> str:
    """The block that lies in a logical file."""
    return name if name.startswith("vectors/") else name.removeprefix("postings/").replace(".", "/")


def trace_index_files(names: Iterable[str]) -> list[str]:
    """The files of the trace's index, in order."""
    return sorted((n for n in names if n.startswith(INDEX + ".")), key=lambda name: int(name.rsplit(".", 1)[1]))


def history_newest_first(names: Iterable[str]) -> list[str]:
    return sorted((n for n in names if n.startswith(HISTORY)), reverse=True)


def history_files(
    recorded: Sequence[Recorded], names: Iterable[str], now: int, *, kept_days: int, most_bytes: int, most_deltas: int
) -> dict[str, bytes | None]:
    """New files for what was recorded since the last checkpoint, None for those older than is kept."""
    files: dict[str, bytes | None] = {}
    part: list[Recorded] = []
    size = 0
    for record in recorded:
        part.append(record)
        size += len(record[2])
        if size > most_bytes or len(part) >= most_deltas:
            files[_history_name(part)] = history_text(part)
            part, size = [], 0
    if part:
        files[_history_name(part)] = history_text(part)
    horizon = (now - kept_days * DAY_US) // DAY_US
    old = (n for n in names if n.startswith(HISTORY) and int(n.split("/")[1].split("-")[1]) < horizon)
    files.update(dict.fromkeys(old))
    return files


def _history_name(part: Sequence[Recorded]) -> str:
    return f"{HISTORY}{part[0][0]:012d}-{max(d.recorded_at for _, d, _ in part) // DAY_US}"
