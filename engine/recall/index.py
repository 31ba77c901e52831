"""The derived hot index: everything that ranking reads, held in arrays and kept current item by item.

It follows the graph and the traces and can always be rebuilt from them. The result of any ranking depends only on the set of
items present, never on the order of arrival; a removed item leaves nothing behind.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from selfimprint.engine.recall import analyze
from selfimprint.engine.recall.columns import Column
from selfimprint.engine.recall.cues import turn_features
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.postings import Postings, PostingSettings
from selfimprint.engine.recall.window import WindowSettings

Matrix = NDArray[np.float32]

HAS_TIME, HAS_NUMBER, HAS_QUESTION, ONLY_QUESTION, IS_TURN, ABOUT_SELF, ABOUT_LISTENER, BY_ASSISTANT = 1, 2, 4, 8, 16, 32, 64, 128
_NONE = -1
_LONG_TURN_WORDS = 60


def length_signal(words: int) -> float:
    """How much room for content a text has: logarithmic, 1 from 60 words on."""
    return math.log1p(min(words, _LONG_TURN_WORDS)) / math.log1p(_LONG_TURN_WORDS)


class Names:
    """Small integers for strings that repeat, with a count of the live items that use each."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.names: list[str] = []
        self.uses = Column(np.int32)

    def take(self, name: str) -> int:
        """The number of a name, used once more."""
        number = self.ids.get(name)
        if number is None:
            number = self.ids[name] = len(self.names)
            self.names.append(name)
            self.uses.append(0)
        self.uses.view[number] += 1
        return number

    def drop(self, number: int) -> None:
        """One use less; a name without any is forgotten."""
        self.uses.view[number] -= 1
        if self.uses.view[number] == 0:
            del self.ids[self.names[number]]
            self.names[number] = ""


class HotIndex:
    """Items, postings, neighbours, vectors and node strengths by slot."""

    def __init__(
        self, *, postings: PostingSettings = PostingSettings(), window: WindowSettings = WindowSettings()
    ) -> None:
        self.window = window
        self.postings = Postings(postings)
        self.items: list[Item | None] = []
        self.slots: dict[str, int] = {}
        self.people = Names()
        self.languages = Names()
        self.node_types = Names()
        self.sessions = Names()
        self.alive = Column(np.bool_)
        self.flags = Column(np.uint8)
        self.words = Column(np.int32)
        self.length = Column(np.float32)
        self.at_us = Column(np.int64)
        self.when_us = Column(np.int64, (2,))
        self.session = Column(np.int32)
        self.position = Column(np.int32)
        self.speaker = Column(np.int32)
        self.subject = Column(np.int32)
        self.language = Column(np.int32)
        self.node_type = Column(np.int32)
        self.turn = Column(np.int32, fill=_NONE)
        offsets = len(window.offsets())
        self.neighbours = Column(np.int32, (offsets,), fill=_NONE)
        self.discounts = Column(np.float32, (offsets,))
        self.weight = Column(np.float32)
        self.coefficient = Column(np.float32)
        self.weight_day = Column(np.float64)
        self.touched_day = Column(np.float64)
        self.active = Column(np.bool_)
        self.retired = Column(np.bool_)
        self.vector_row = Column(np.int32, fill=_NONE)
        self.vectors: Column | None = None
        self.vector_slots = Column(np.int32)
        self._free_rows: list[int] = []
        self._places: dict[tuple[int, int], list[int]] = {}
        self._nodes_of: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.slots)

    def __contains__(self, key: object) -> bool:
        return key in self.slots

    @property
    def size(self) -> int:
        """How many slots there are, dead ones included: the length of every array."""
        return len(self.items)

    def item(self, key: str) -> Item:
        """The item of a key; KeyError where there is none."""
        found = self.items[self.slots[key]]
        assert found is not None
        return found

    def item_at(self, slot: int) -> Item:
        """The live item of a slot."""
        found = self.items[slot]
        assert found is not None
        return found

    def add(self, items: Sequence[Item]) -> None:
        """Add items; one whose key is present replaces it (its vector and strength are dropped if the text changed)."""
        for item in items:
            old = self.slots.get(item.key)
            if old is not None:
                if self.items[old] == item:
                    continue
                kept = self._kept(old) if self.item_at(old).text == item.text else None
                self.remove([item.key])
                self._append(item)
                if kept is not None:
                    self._restore(self.slots[item.key], kept)
            else:
                self._append(item)

    def _append(self, item: Item) -> None:
        slot = len(self.items)
        language = analyze.resolve_language(item.text, item.language)
        counts = Counter(analyze.terms(f"{item.speaker}: {item.text}" if item.speaker else item.text, language))
        features = turn_features(item.text, language)
        self.postings.add(slot, counts)
        self.items.append(item)
        self.slots[item.key] = slot
        self.alive.append(True)
        self.flags.append(
            HAS_TIME * features.has_time
            | HAS_NUMBER * features.has_number
            | HAS_QUESTION * features.has_question
            | ONLY_QUESTION * features.only_question
            | IS_TURN * (item.kind == "turn")
            | ABOUT_SELF * features.about_self
            | ABOUT_LISTENER * features.about_listener
            | BY_ASSISTANT * (item.role == "assistant")
        )
        self.words.append(features.words)
        self.length.append(length_signal(features.words))
        self.at_us.append(item.at_us)
        self.when_us.append(item.when_us or (0, 0))
        self.session.append(self.sessions.take(item.session))
        self.position.append(item.position)
        self.speaker.append(self.people.take(item.speaker))
        self.subject.append(self.people.take(item.subject or item.speaker))
        self.language.append(self.languages.take(language))
        self.node_type.append(self.node_types.take(item.node_type))
        self.vector_row.append(_NONE)
        self.weight.append(1.0)
        self.coefficient.append(1.0)
        self.weight_day.append(0.0)
        self.touched_day.append(0.0)
        self.active.append(True)
        self.retired.append(False)
        self._link_evidence(slot, item)
        self.neighbours.grow_to(slot + 1)
        self.discounts.grow_to(slot + 1)
        if item.kind == "turn" and item.position >= 0:
            self._link_neighbours(slot)

    def _link_evidence(self, slot: int, item: Item) -> None:
        self.turn.append(_NONE)
        if item.kind == "turn":
            for node in self._nodes_of.get(item.key, ()):
                self.turn.view[node] = slot
        elif item.turn_key:
            self._nodes_of.setdefault(item.turn_key, []).append(slot)
            self.turn.view[slot] = self.slots.get(item.turn_key, _NONE)

    def _link_neighbours(self, slot: int) -> None:
        session, position = int(self.session.view[slot]), int(self.position.view[slot])
        self._places.setdefault((session, position), []).append(slot)
        for column, offset in enumerate(self.window.offsets()):
            there = self._places.get((session, position + offset), ())
            if there:
                self._set_neighbour(slot, min(there, key=self._order), column, offset)
            for source in self._places.get((session, position - offset), ()):
                receivers = self._places[(session, position)]
                self._set_neighbour(source, min(receivers, key=self._order), column, offset)

    def _order(self, slot: int) -> str:
        return self.item_at(slot).key

    def _set_neighbour(self, source: int, target: int, column: int, offset: int) -> None:
        asks = bool(self.flags.view[source] & HAS_QUESTION) and self.speaker.view[source] != self.speaker.view[target]
        self.neighbours.view[source, column] = target
        self.discounts.view[source, column] = self.window.discount(offset, asks_another=asks)

    def remove(self, keys: Iterable[str]) -> None:
        """Take items out for good, with their words, vectors and what they lent to their neighbours; unknown keys pass."""
        for key in keys:
            slot = self.slots.pop(key, None)
            if slot is None:
                continue
            item = self.item_at(slot)
            self.postings.remove(slot)
            self.alive.view[slot] = False
            self._unlink(slot, item)
            for names, column in (
                (self.sessions, self.session),
                (self.people, self.speaker),
                (self.people, self.subject),
                (self.languages, self.language),
                (self.node_types, self.node_type),
            ):
                names.drop(int(column.view[slot]))
            for column in (self.flags, self.words, self.length, self.at_us, self.when_us, self.position, self.weight, self.touched_day):
                column.view[slot] = 0
            self._drop_vector(slot)
            self.items[slot] = None

    def _unlink(self, slot: int, item: Item) -> None:
        if item.kind == "turn":
            for node in self._nodes_of.get(item.key, ()):
                self.turn.view[node] = _NONE
        elif item.turn_key:
            nodes = self._nodes_of[item.turn_key]
            nodes.remove(slot)
            if not nodes:
                del self._nodes_of[item.turn_key]
        if item.kind != "turn" or item.position < 0:
            return
        session, position = int(self.session.view[slot]), int(self.position.view[slot])
        place = self._places[(session, position)]
        place.remove(slot)
        if not place:
            del self._places[(session, position)]
        self.neighbours.view[slot] = _NONE
        self.discounts.view[slot] = 0.0
        for column, offset in enumerate(self.window.offsets()):
            for source in self._places.get((session, position - offset), ()):
                if place:
                    self._set_neighbour(source, min(place, key=self._order), column, offset)
                else:
                    self.neighbours.view[source, column] = _NONE
                    self.discounts.view[source, column] = 0.0

    def _kept(self, slot: int) -> tuple[NDArray[np.float32] | None, tuple[float, ...]]:
        row = int(self.vector_row.view[slot])
        vector = self.vectors.view[row].copy() if self.vectors is not None and row >= 0 else None
        return vector, tuple(float(column.view[slot]) for column in self._strength_columns())

    def _restore(self, slot: int, kept: tuple[NDArray[np.float32] | None, tuple[float, ...]]) -> None:
        vector, strengths = kept
        if vector is not None:
            self.set_vectors([self.item_at(slot).key], vector[None])
        for column, value in zip(self._strength_columns(), strengths, strict=True):
            column.view[slot] = value

    def _strength_columns(self) -> tuple[Column, ...]:
        return (self.weight, self.coefficient, self.weight_day, self.touched_day, self.active, self.retired)

    @property
    def vector_width(self) -> int:
        """How wide the vectors are, 0 while there are none."""
        return 0 if self.vectors is None else int(self.vectors.view.shape[1])

    def set_vectors(self, keys: Sequence[str], matrix: Matrix) -> None:
        """Set the vectors of items, one row a key, scaled to unit length here; unknown keys pass.

        The first call sets the width; another width is a ValueError (`clear_vectors` first: a new embedder). A vector of
        zeros or of anything not finite counts as none.
        """
        matrix = np.asarray(matrix, np.float32)
        if matrix.ndim != 2 or len(matrix) != len(keys):
            raise ValueError(f"expected one vector a key, got shape {matrix.shape} for {len(keys)} keys")
        if self.vectors is None:
            self.vectors = Column(np.float32, (matrix.shape[1],))
        if matrix.shape[1] != self.vector_width:
            raise ValueError(f"expected vectors {self.vector_width} wide, got {matrix.shape[1]}")
        norms = np.linalg.norm(matrix, axis=1)
        for position, key in enumerate(keys):
            slot = self.slots.get(key)
            if slot is None:
                continue
            if not np.isfinite(norms[position]) or norms[position] == 0:
                self._drop_vector(slot)
                continue
            row = int(self.vector_row.view[slot])
            if row < 0:
                row = self._free_rows.pop() if self._free_rows else len(self.vectors)
                self.vectors.grow_to(max(len(self.vectors), row + 1))
                self.vector_slots.grow_to(len(self.vectors))
                self.vector_slots.view[row] = slot
                self.vector_row.view[slot] = row
            self.vectors.view[row] = matrix[position] / norms[position]

    def _drop_vector(self, slot: int) -> None:
        row = int(self.vector_row.view[slot])
        if row >= 0 and self.vectors is not None:
            self.vectors.view[row] = 0.0
            self.vector_slots.view[row] = _NONE
            self.vector_row.view[slot] = _NONE
            self._free_rows.append(row)

    def cosines(self, unit: NDArray[np.float32]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The slots that have a vector and their cosines with a unit vector of the same width."""
        if self.vectors is None:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        slots: NDArray[np.int32] = self.vector_slots.view
        cosine: NDArray[np.float32] = self.vectors.view @ unit
        if self._free_rows:
            present = slots >= 0
            return slots[present], cosine[present]
        return slots, cosine

    def clear_vectors(self) -> None:
        """Drop all vectors: another embedder is about to fill them."""
        self.vectors, self.vector_slots, self._free_rows = None, Column(np.int32), []
        self.vector_row.view[:] = _NONE

    def without_vector(self, keys: Iterable[str]) -> list[str]:
        """Those of the keys that are present and have no vector."""
        return [key for key in keys if key in self.slots and self.vector_row.view[self.slots[key]] < 0]

    def nodes_of(self, turn_key: str) -> Sequence[int]:
        """The slots of the nodes learned from a turn."""
        return self._nodes_of.get(turn_key, ())

    def near_terms(self, term: str) -> tuple[tuple[str, float], ...]:
        """Other terms that mean much the same, each with its credit in [0, 1]."""
        return ()

    def update_weights(
        self,
        keys: Sequence[str],
        *,
        weight: NDArray[np.floating],
        coefficient: NDArray[np.floating] | float = 1.0,
        at_day: float = 0.0,
        touched_day: NDArray[np.floating] | None = None,
        active: NDArray[np.bool_] | None = None,
        retired: NDArray[np.bool_] | None = None,
    ) -> None:
        """Set node strengths, arrays aligned to `keys`; days are on the caller's decay clock.

        A node's weight on day d is `weight * coefficient ** (d - at_day)`, exact until its next touch or piece. `touched_day` is
        the day of its last touch, `active` false for an archived node, `retired` true for what holds no longer. None keeps what was.
        """
        present = np.array([key in self.slots for key in keys], np.bool_)
        slots = np.array([self.slots[key] for key in keys if key in self.slots], np.int64)
        if not len(slots):
            return
        self.weight.view[slots] = np.asarray(weight)[present]
        self.coefficient.view[slots] = np.broadcast_to(np.asarray(coefficient), present.shape)[present]
        self.weight_day.view[slots] = at_day
        for column, values in ((self.touched_day, touched_day), (self.active, active), (self.retired, retired)):
            if values is not None:
                column.view[slots] = np.asarray(values)[present]
