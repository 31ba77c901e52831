"""The derived hot index: everything that ranking reads, held in arrays and kept current item by item.

It follows the graph and the traces and can always be rebuilt from them. The result of any ranking depends only on
the set of items present, never on the order of arrival; a removed item leaves nothing behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall import analyze, blocks
from selfimprint.engine.recall.columns import Column
from selfimprint.engine.recall.cues import turn_features
from selfimprint.engine.recall.flags import flags_of, length_signal
from selfimprint.engine.recall.items import Item
from selfimprint.engine.recall.links import NONE, Links
from selfimprint.engine.recall.names import Names, release
from selfimprint.engine.recall.near import NearTerms
from selfimprint.engine.recall.postings import Postings, PostingSettings
from selfimprint.engine.recall.table import ItemTable
from selfimprint.engine.recall.vectors import Vectors
from selfimprint.engine.recall.window import WindowSettings

_POSTINGS = PostingSettings()
_WINDOW = WindowSettings()


class HotIndex:
    """Items, postings, neighbours, vectors and node strengths by slot."""

    def __init__(self, *, postings: PostingSettings = _POSTINGS, window: WindowSettings = _WINDOW) -> None:
        self.window = window
        self.postings = Postings(postings)
        self.items = ItemTable()
        self.slots: dict[str, int] = {}
        self.people, self.languages, self.node_types, self.sessions = Names(), Names(), Names(), Names()
        self.vectors = Vectors()
        self.near = NearTerms()
        self.dirty: set[str] = set()
        offsets = len(window.offsets())
        self.columns: dict[str, Column] = {
            "alive": Column(np.bool_),
            "flags": Column(np.uint8),
            "length": Column(np.float32),
            "at_us": Column(np.int64),
            "when_us": Column(np.int64, (2,)),
            "session": Column(np.int32),
            "position": Column(np.int32),
            "speaker": Column(np.int32),
            "subject": Column(np.int32),
            "language": Column(np.int32),
            "node_type": Column(np.int32),
            "turn": Column(np.int32, fill=NONE),
            "neighbours": Column(np.int32, (offsets,), fill=NONE),
            "discounts": Column(np.float32, (offsets,)),
        }
        self.strengths: dict[str, Column] = {
            "weight": Column(np.float32, fill=1.0),
            "coefficient": Column(np.float32, fill=1.0),
            "weight_day": Column(np.float64),
            "touched_day": Column(np.float64),
            "active": Column(np.bool_, fill=True),
            "retired": Column(np.bool_),
        }
        self._links = Links(self.columns, self.items, self.slots, window, self._mark)

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
        return self.items[self.slots[key]]

    def add(self, items: Sequence[Item]) -> None:
        """Add items. One whose key is present replaces it; vector and strength stay, the vector only if the text
        did.
        """
        for item in items:
            old = self.slots.get(item.key)
            if old is None:
                self._append(item)
            elif (before := self.items[old]) != item:
                vector = self.vectors.get(old) if before.text == item.text else None
                strengths = {name: column.view[old] for name, column in self.strengths.items()}
                self.remove([item.key])
                self._append(item)
                slot = self.slots[item.key]
                for name, value in strengths.items():
                    self.strengths[name].view[slot] = value
                if vector is not None:
                    self.set_vectors([item.key], vector[None])

    def _append(self, item: Item) -> None:
        slot = self.size
        language = analyze.resolve_language(item.text, item.language)
        counts = Counter(analyze.terms(f"{item.speaker}: {item.text}" if item.speaker else item.text, language))
        features = turn_features(item.text, language)
        self._mark_terms(self.postings.add(slot, counts))
        self.items.append(item)
        self.slots[item.key] = slot
        row = {
            "alive": True,
            "flags": flags_of(item, features),
            "length": length_signal(features.words),
            "at_us": item.at_us,
            "when_us": item.when_us or (0, 0),
            "session": self.sessions.take(item.session),
            "position": item.position,
            "speaker": self.people.take(item.speaker),
            "subject": self.people.take(item.subject or item.speaker),
            "language": self.languages.take(language),
            "node_type": self.node_types.take(item.node_type),
        }
        for name, value in row.items():
            self.columns[name].append(value)
        for column in (
            self.columns["turn"],
            self.columns["neighbours"],
            self.columns["discounts"],
            *self.strengths.values(),
        ):
            column.grow_to(slot + 1)
        self._mark(slot)
        self._mark_strength(slot)
        self._links.add(slot, item)

    def _mark(self, slot: int) -> None:
        self.dirty.add(blocks.items_block(slot))

    def _mark_strength(self, slot: int) -> None:
        self.dirty.add(blocks.strengths_block(slot))

    def _mark_terms(self, ids: Iterable[int]) -> None:
        self.dirty.update({blocks.vocabulary_block(term) for term in ids})

    def nodes_of(self, turn_key: str) -> Sequence[int]:
        """The slots of the nodes learned from a turn."""
        return self._links.nodes_of(turn_key)

    def remove(self, keys: Iterable[str]) -> None:
        """Take items out for good, with their words, vectors and what they lent to their neighbours; unknown keys
        pass.
        """
        for key in keys:
            slot = self.slots.get(key)
            if slot is None:
                continue
            item = self.items[slot]
            self._links.drop(slot, item)
            del self.slots[key]
            self._mark_terms(self.postings.remove(slot))
            self._mark_row(self.vectors.drop(slot))
            release(self._named_columns(), slot)
            for name, values in self.columns.items():
                values.view[slot] = NONE if name in ("turn", "neighbours") else 0
            self.strengths["retired"].view[slot] = False
            self.strengths["active"].view[slot] = True
            self.items.drop(slot)
            self._mark(slot)
            self._mark_strength(slot)
        self.near.keep(self.postings.vocabulary)

    def _named_columns(self) -> tuple[tuple[Names, Column], ...]:
        return (
            (self.sessions, self.columns["session"]),
            (self.people, self.columns["speaker"]),
            (self.people, self.columns["subject"]),
            (self.languages, self.columns["language"]),
            (self.node_types, self.columns["node_type"]),
        )

    def _mark_row(self, row: int) -> None:
        if row >= 0:
            self.dirty.add(blocks.vectors_block(row, self.vectors.width))

    def set_vectors(self, keys: Sequence[str], matrix: NDArray[np.float32]) -> None:
        """Set the vectors of items, one row a key, scaled to unit length here; unknown keys pass.

        The first call sets the width; another width is a ValueError (`clear_vectors` first: a new embedder). A
        vector of zeros or of anything not finite counts as none.
        """
        matrix = np.asarray(matrix, np.float32)
        if matrix.ndim != 2 or len(matrix) != len(keys):
            raise ValueError(f"expected one vector a key, got shape {matrix.shape} for {len(keys)} keys")
        for position, key in enumerate(keys):
            if key in self.slots:
                self._mark_row(self.vectors.set(self.slots[key], matrix[position]))

    def clear_vectors(self) -> None:
        """Drop all vectors, those of words too: another embedder is about to fill them."""
        self.vectors, self.near = Vectors(), NearTerms(self.near.settings)

    def without_vector(self, keys: Iterable[str]) -> list[str]:
        """Those of the keys that are present and have no vector."""
        return [key for key in keys if key in self.slots and self.slots[key] not in self.vectors]

    def set_word_vectors(self, words: Mapping[str, NDArray[np.float32]], language: str) -> None:
        """Let questions match near words too: single words of a language with the embedder's vector of each.

        Words that no item holds pass. `words_to_embed` tells which are worth it.
        """
        terms = [analyze.stem(word.casefold(), language) for word in words]
        known = [row for row, term in enumerate(terms) if term in self.postings.vocabulary]
        if known:
            vectors = list(words.values())
            self.near.set([terms[row] for row in known], np.stack([vectors[row] for row in known]))

    def words_to_embed(self, language: str, *, limit: int = 4096, least_items: int = 2) -> list[str]:
        """Words of a language whose term has no word vector yet, the most frequent first: each term's commonest
        form.
        """
        forms: dict[str, Counter[str]] = {}
        for slot in self.slots.values():
            if self.languages.names[int(self.columns["language"].view[slot])] == language:
                for word in analyze.words(self.items[slot].text):
                    if not analyze.is_stopword(word, language) and not word.isdigit():
                        forms.setdefault(analyze.stem(word, language), Counter())[word] += 1
        wanted = [t for t in forms if t not in self.near and self.postings.frequency(t) >= least_items]
        wanted.sort(key=lambda term: (-self.postings.frequency(term), term))
        return [min(forms[term], key=lambda word: (-forms[term][word], word)) for term in wanted[:limit]]

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
        """Set node strengths, arrays aligned to `keys`, unknown keys pass; days are on the caller's decay clock.

        A node's weight on day d is `weight * coefficient ** (d - at_day)`, exact until its next touch or piece.
        `touched_day` is the day of its last touch, `active` false for an archived node, `retired` true for what
        holds no longer. None keeps what was; new items are active, weigh 1 and were touched on day 0.
        """
        present = np.array([key in self.slots for key in keys], np.bool_)
        slots = np.array([self.slots[key] for key in keys if key in self.slots], np.intp)
        if not len(slots):
            return
        given = {
            "weight": weight,
            "coefficient": coefficient,
            "weight_day": at_day,
            "touched_day": touched_day,
            "active": active,
            "retired": retired,
        }
        for name, values in given.items():
            if values is not None:
                self.strengths[name].view[slots] = np.broadcast_to(np.asarray(values), present.shape)[present]
        self.dirty.update({blocks.strengths_block(slot) for slot in slots.tolist()})

    def to_blocks(self, *, changed_only: bool = False) -> dict[str, bytes]:
        """The index as named blocks of at most 4 MiB; with `changed_only` those that changed since the last call,
        and "head".
        """
        return blocks.to_blocks(self, changed_only=changed_only)

    @classmethod
    def from_blocks(cls, stored: Mapping[str, bytes]) -> HotIndex:
        """The index as it was; `blocks.StaleBlocksError` where it must be rebuilt instead."""
        index = cls()
        blocks.fill(index, stored)
        index._links.forget()
        return index
