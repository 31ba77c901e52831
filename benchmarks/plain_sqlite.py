"""The baseline of the speed table: what a plain program with SQLite and numpy needs for the same work, unencrypted."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.graph import Edge, EdgeType, Message

_WORD = re.compile(r"\w+")
_SCHEMA = """
create table turn (id text primary key, session text, speaker text, at integer, content text);
create virtual table words using fts5(content, tokenize='porter unicode61');
create table link (later text, earlier text);
create index link_later on link (later);
create table vector (row integer primary key, data blob);
"""
_CHAIN = """
with recursive chain(id, depth) as (
    select ?, 0
    union
    select link.earlier, depth + 1 from chain join link on link.later = chain.id where depth < 12
) select id, max(depth) from chain group by id
"""


class PlainMemory:
    """Turns in a table and an FTS5 index, vectors in a matrix, causes in a table; one file, every commit synced."""

    def __init__(self, path: Path) -> None:
        is_new = not path.exists()
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, check_same_thread=False)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")
        if is_new:
            self._db.executescript(_SCHEMA)
        rows = self._db.execute("select data from vector order by row").fetchall()
        held = np.frombuffer(b"".join(r[0] for r in rows), dtype=np.float32)
        self.matrix = held.reshape(len(rows), -1) if rows else held.reshape(0, 0)

    def fill(self, messages: Iterable[Message], edges: Iterable[Edge], matrix: NDArray[np.float32]) -> None:
        """Rows of the matrix belong to the turns in order; what is beyond them counts for the product only."""
        with self._db:
            for message in messages:
                self._insert(message.id, message.session, message.speaker, message.at, message.content)
            causes = [(e.from_id, e.to_id) for e in edges if e.type is EdgeType.CAUSED_BY]
            self._db.executemany("insert into link values (?, ?)", causes)
            rows = ((number, row.tobytes()) for number, row in enumerate(matrix))
            self._db.executemany("insert into vector values (?, ?)", rows)
        self.matrix = matrix

    def _insert(self, id: str, session: str, speaker: str, at: int, content: str) -> None:
        self._db.execute("insert into turn values (?, ?, ?, ?, ?)", (id, session, speaker, at, content))
        self._db.execute("insert into words (rowid, content) values (last_insert_rowid(), ?)", (content,))

    def add(self, id: str, session: str, at: int, content: str) -> None:
        """One turn, durable and searchable when this returns; from any thread."""
        with self._lock, self._db:
            self._insert(id, session, "", at, content)

    def context(self, question: str, vector: NDArray[np.float32], top: int = 20) -> str:
        """The best turns by words and by cosine, ranks added up, joined."""
        query = " OR ".join(f'"{w}"' for w in _WORD.findall(question))
        found = self._db.execute(
            "select rowid from words where words match ? order by bm25(words) limit 100", (query,)
        ).fetchall()
        scores = self.matrix @ vector
        near = np.argpartition(-scores, 100)[:100]
        near = near[np.argsort(-scores[near])]
        points: dict[int, float] = {}
        for ranking in ([r[0] for r in found], [int(n) + 1 for n in near]):
            for rank, row in enumerate(ranking):
                points[row] = points.get(row, 0.0) + 1.0 / (60 + rank)
        best = sorted(points, key=lambda row: -points[row])[:top]
        marks = ",".join("?" * len(best))
        rows = self._db.execute(f"select speaker, content from turn where rowid in ({marks})", best).fetchall()
        return "\n".join(f"{speaker}: {content}" for speaker, content in rows)

    def chain(self, id: str) -> Sequence[tuple[str, int]]:
        """What caused it, directly or through other causes."""
        return self._db.execute(_CHAIN, (id,)).fetchall()

    def close(self) -> None:
        self._db.close()
