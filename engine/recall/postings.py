"""Which items hold a term, and how strongly: BM25's term part, precomputed at ingest.

The part uses a fixed pivot length in place of the average, so that it never changes once written and the order of
arrival does not matter; a length beyond `max_length_ratio` pivots counts as that, because a long message is long by
covering more, not by repeating itself. One frozen CSR plus a small mutable tail that is merged into it now and then.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall.columns import Column

Slots = NDArray[np.int32]
Parts = NDArray[np.float32]

_NO_SLOTS: Slots = np.empty(0, np.int32)
_NO_PARTS: Parts = np.empty(0, np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostingSettings:
    """BM25's k1 and b as measured on LoCoMo; the pivot is a chat turn's usual number of content words."""

    k1: float = 0.9
    b: float = 0.4
    pivot_terms: float = 11.0
    max_length_ratio: float = 4.0
    merge_after_items: int = 512
    merge_after_share: float = 0.0625


def term_part(counts: NDArray[np.float64], length: int, settings: PostingSettings) -> NDArray[np.float64]:
    """BM25's saturated term frequency for terms of one item of `length` terms."""
    ratio = min(length / settings.pivot_terms, settings.max_length_ratio)
    return counts * (settings.k1 + 1) / (counts + settings.k1 * (1 - settings.b + settings.b * ratio))


class Postings:
    """The inverted index over item slots; slots are given in ascending order of addition."""

    def __init__(self, settings: PostingSettings) -> None:
        self.settings = settings
        self.vocabulary: dict[str, int] = {}
        self.terms: list[str] = []
        self.document_frequency = Column(np.int32)
        self.forward_ends = Column(np.int64)
        self.forward_terms = Column(np.int32)
        self.forward_counts = Column(np.uint16)
        self._frozen_ends: NDArray[np.int64] = np.zeros(1, np.int64)
        self._frozen_slots: Slots = _NO_SLOTS
        self._frozen_parts: Parts = _NO_PARTS
        self._frozen_items = 0
        self._tail_slots: dict[int, array[int]] = {}
        self._tail_parts: dict[int, array[float]] = {}

    def term_id(self, term: str) -> int:
        """The id of a term, given on first sight."""
        known = self.vocabulary.get(term)
        if known is None:
            known = self.vocabulary[term] = len(self.terms)
            self.terms.append(term)
            self.document_frequency.append(0)
        return known

    def add(self, slot: int, counts: Mapping[str, int]) -> list[int]:
        """Index one item and say which term ids it holds; `slot` must be the number of items added so far."""
        assert slot == len(self.forward_ends)
        ids = np.array([self.term_id(term) for term in counts], np.int32)
        numbers = np.minimum(np.fromiter(counts.values(), np.int64, len(counts)), np.iinfo(np.uint16).max)
        self.forward_terms.extend(ids)
        self.forward_counts.extend(numbers.astype(np.uint16))
        self.forward_ends.append(len(self.forward_terms))
        self.document_frequency.view[ids] += 1
        parts = term_part(numbers.astype(np.float64), int(numbers.sum()), self.settings)
        for term, part in zip(ids.tolist(), parts.tolist(), strict=True):
            if term not in self._tail_slots:
                self._tail_slots[term], self._tail_parts[term] = array("i"), array("f")
            self._tail_slots[term].append(slot)
            self._tail_parts[term].append(part)
        tail = len(self.forward_ends) - self._frozen_items
        if tail > max(self.settings.merge_after_items, self._frozen_items * self.settings.merge_after_share):
            self.merge()
        added: list[int] = ids.tolist()
        return added

    def forward(self, slot: int) -> slice:
        """Where an item's terms lie in `forward_terms` and `forward_counts`."""
        ends = self.forward_ends.view
        return slice(int(ends[slot - 1]) if slot else 0, int(ends[slot]))

    def remove(self, slot: int) -> list[int]:
        """Take an item's words out for good; a word that no item holds any more is forgotten too (its ids are
        returned).
        """
        forgotten: list[int] = []
        span = self.forward(slot)
        counts = self.forward_counts.view
        ids = self.forward_terms.view[span][counts[span] > 0].tolist()
        counts[span] = 0
        for term in ids:
            if slot >= self._frozen_items:
                position = self._tail_slots[term].index(slot)
                self._tail_parts[term][position] = 0.0
            else:
                start, end = int(self._frozen_ends[term]), int(self._frozen_ends[term + 1])
                self._frozen_parts[start + int(np.searchsorted(self._frozen_slots[start:end], slot))] = 0.0
            self.document_frequency.view[term] -= 1
            if self.document_frequency.view[term] == 0:
                del self.vocabulary[self.terms[term]]
                self.terms[term] = ""
                forgotten.append(term)
        return forgotten

    def merge(self) -> None:
        """Rebuild the frozen part from the forward index and empty the tail."""
        counts = self.forward_counts.view
        lengths = np.diff(self.forward_ends.view, prepend=0)
        slots = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        present = counts > 0
        slots, terms, kept = slots[present], self.forward_terms.view[present], counts[present].astype(np.float64)
        totals = np.bincount(slots, weights=kept, minlength=len(lengths))
        s = self.settings
        ratio = np.minimum(totals / s.pivot_terms, s.max_length_ratio)[slots]
        parts = kept * (s.k1 + 1) / (kept + s.k1 * (1 - s.b + s.b * ratio))
        order = np.argsort(terms, kind="stable")
        self._frozen_slots = slots[order]
        self._frozen_parts = parts[order].astype(np.float32)
        self._frozen_ends = np.concatenate(([0], np.cumsum(np.bincount(terms, minlength=len(self.terms))))).astype(
            np.int64
        )
        self._frozen_items = len(lengths)
        self._tail_slots, self._tail_parts = {}, {}

    def load(self, terms: list[str], parts: list[dict[str, NDArray[Any]]]) -> None:
        """Fill an empty index with stored terms and forward parts, each with ends counted from its own start."""
        self.terms = terms
        self.vocabulary = {term: number for number, term in enumerate(terms) if term}
        for part in parts:
            start = len(self.forward_terms)
            self.forward_terms.extend(part["forward_terms"])
            self.forward_counts.extend(part["forward_counts"])
            self.forward_ends.extend(part["forward_ends"] + start)
        held = self.forward_terms.view[self.forward_counts.view > 0]
        self.document_frequency = Column.of(np.bincount(held, minlength=len(terms)).astype(np.int32))
        self.merge()

    def lookup(self, term: str) -> tuple[Slots, Parts]:
        """The slots that hold a term and their parts; a removed item has part 0."""
        known = self.vocabulary.get(term)
        if known is None:
            return _NO_SLOTS, _NO_PARTS
        slots, parts = _NO_SLOTS, _NO_PARTS
        if known + 1 < len(self._frozen_ends):
            span = slice(int(self._frozen_ends[known]), int(self._frozen_ends[known + 1]))
            slots, parts = self._frozen_slots[span], self._frozen_parts[span]
        if known in self._tail_slots:
            slots = np.concatenate((slots, np.array(self._tail_slots[known], np.int32)))
            parts = np.concatenate((parts, np.array(self._tail_parts[known], np.float32)))
        return slots, parts

    def frequency(self, term: str) -> int:
        """How many items hold a term."""
        known = self.vocabulary.get(term)
        return 0 if known is None else int(self.document_frequency.view[known])
