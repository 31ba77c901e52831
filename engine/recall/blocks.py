"""The index as blocks of bytes, cut so that adding a message changes only the last few of them.

A block is `SIX1`, the length of a JSON header (uint32, little-endian), the header, then the arrays it names, one
after the other. A block longer than 4 MiB is continued in parts named `<name>+1`, `<name>+2`, …; the part without a
suffix is the first.

head            versions, settings, and how many slots, terms and vectors there are
items/N         2,048 slots: items, columns and the forward index
strengths/N     32,768 slots: node strengths
vocabulary/N    16,384 terms by id
vectors/N       as many rows as fit into 3 MiB, a power of two
words           word vectors
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.engine.recall.columns import Column
from selfimprint.engine.recall.names import Names
from selfimprint.engine.recall.near import NearTerms
from selfimprint.engine.recall.vectors import Vectors

if TYPE_CHECKING:
    from selfimprint.engine.recall.index import HotIndex

MAX_BLOCK_BYTES = 4 * 1024 * 1024
ANALYSIS_VERSION = 1
"""Raised when analysis changes what is stored of a text: an index of another version is rebuilt."""

_MAGIC = b"SIX1"
_ITEM_SLOTS, _STRENGTH_SLOTS, _TERMS = 2048, 32_768, 16_384
_VECTOR_BYTES = 3 * 1024 * 1024
_NAMES = ("people", "languages", "node_types", "sessions")


class StaleBlocksError(ValueError):
    """The blocks are damaged, incomplete or of another version: rebuild the index from graph and traces."""


def items_block(slot: int) -> str:
    """The block that holds a slot."""
    return f"items/{slot // _ITEM_SLOTS:06d}"


def strengths_block(slot: int) -> str:
    """The block that holds a slot's strengths."""
    return f"strengths/{slot // _STRENGTH_SLOTS:06d}"


def vocabulary_block(term: int) -> str:
    """The block that holds a term."""
    return f"vocabulary/{term // _TERMS:06d}"


def _vector_rows(width: int) -> int:
    fitting = max(_VECTOR_BYTES // (4 * max(width, 1)), 1)
    return 1 << (fitting.bit_length() - 1)


def vectors_block(row: int, width: int) -> str:
    """The block that holds a row of vectors."""
    return f"vectors/{row // _vector_rows(width):06d}"


def pack(values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """One block: plain values and arrays by name."""
    named = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    described = [[name, array.dtype.newbyteorder("<").str, list(array.shape)] for name, array in named.items()]
    header = json.dumps({"values": values, "arrays": described}, ensure_ascii=False, separators=(",", ":"))
    encoded = header.encode("utf-8", "surrogatepass")
    body = b"".join(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in named.values())
    return _MAGIC + struct.pack("<I", len(encoded)) + encoded + body


def unpack(block: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What `pack` was given; `StaleBlocksError` for anything else."""
    try:
        if block[:4] != _MAGIC:
            raise ValueError("expected the mark SIX1")
        (length,) = struct.unpack_from("<I", block, 4)
        at = 8 + length
        header = json.loads(block[8:at].decode("utf-8", "surrogatepass"))
        arrays: dict[str, NDArray[Any]] = {}
        for name, dtype, shape in header["arrays"]:
            kind = np.dtype(dtype)
            count = int(np.prod(shape, dtype=np.int64))
            arrays[name] = np.frombuffer(block, kind, count, at).reshape(shape)
            at += count * kind.itemsize
        if at != len(block):
            raise ValueError(f"expected {at} bytes, got {len(block)}")
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise StaleBlocksError(f"not a block of the index: {error}") from error
    return header["values"], arrays


def _settings(index: HotIndex) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(
        json.dumps({"postings": asdict(index.postings.settings), "window": asdict(index.window)})
    )
    return plain


def _ranges(total: int, step: int) -> Iterator[tuple[int, int]]:
    return ((start, min(start + step, total)) for start in range(0, total, step))


def _items(index: HotIndex, start: int, end: int) -> bytes:
    arrays = {name: column.view[start:end] for name, column in index.columns.items()}
    postings = index.postings
    ends = postings.forward_ends.view[start:end]
    first = int(postings.forward_ends.view[start - 1]) if start else 0
    span = slice(first, int(ends[-1]))
    arrays |= {
        "forward_ends": ends - first,
        "forward_terms": postings.forward_terms.view[span],
        "forward_counts": postings.forward_counts.view[span],
    }
    return pack(index.items.chunk(start, end), arrays)


def _words(index: HotIndex) -> bytes:
    return pack({"terms": index.near.terms}, {"matrix": index.near.matrix.astype(np.float16)})


def to_blocks(index: HotIndex, *, changed_only: bool) -> dict[str, bytes]:
    """Every block, or those marked as changed; marks are cleared. "head" lists all block names."""
    size, terms, width = index.size, index.postings.terms, index.vectors.width
    made: dict[str, Any] = {}
    for start, end in _ranges(size, _ITEM_SLOTS):
        made[items_block(start)] = (_items, (index, start, end))
    for start, end in _ranges(size, _STRENGTH_SLOTS):
        arrays = {name: column.view[start:end] for name, column in index.strengths.items()}
        made[strengths_block(start)] = (pack, ({}, arrays))
    for start, end in _ranges(len(terms), _TERMS):
        made[vocabulary_block(start)] = (pack, ({"terms": terms[start:end]}, {}))
    if index.vectors.rows is not None:
        for start, end in _ranges(len(index.vectors.rows), _vector_rows(width)):
            arrays = {"rows": index.vectors.rows.view[start:end], "slots": index.vectors.slots.view[start:end]}
            made[vectors_block(start, width)] = (pack, ({}, arrays))
    if index.near.terms:
        made["words"] = (_words, (index,))
    chosen = [name for name in made if not changed_only or name in index.dirty or name == "words"]
    blocks: dict[str, bytes] = {}
    parts: dict[str, int] = {}
    for name in chosen:
        make, arguments = made[name]
        whole = make(*arguments)
        cuts = [whole[start:end] for start, end in _ranges(len(whole), MAX_BLOCK_BYTES)]
        blocks |= {name if part == 0 else f"{name}+{part}": cut for part, cut in enumerate(cuts)}
        parts[name] = len(cuts)
    names = {group: {"names": n.names, "uses": n.uses} for group in _NAMES for n in (getattr(index, group),)}
    head = {"version": ANALYSIS_VERSION, "settings": _settings(index), "blocks": list(made), "names": names}
    blocks["head"] = pack(head, {})
    index.dirty.clear()
    return blocks


def _joined(stored: Mapping[str, bytes], name: str) -> bytes:
    if name not in stored:
        raise StaleBlocksError(f"block {name} is missing")
    parts = [stored[name]]
    while (following := f"{name}+{len(parts)}") in stored:
        parts.append(stored[following])
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _concatenated(columns: dict[str, Column], parts: list[dict[str, NDArray[Any]]]) -> None:
    for name, column in columns.items():
        if parts:
            column.extend(np.concatenate([part[name] for part in parts]))


def fill(index: HotIndex, stored: Mapping[str, bytes]) -> None:
    """Fill an empty index from its blocks."""
    head, _ = unpack(_joined(stored, "head"))
    if head.get("version") != ANALYSIS_VERSION or head.get("settings") != _settings(index):
        raise StaleBlocksError("the blocks are of another version or were made with other settings")
    try:
        _fill(index, head, stored)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise StaleBlocksError(f"the blocks do not fit together: {error}") from error


def _fill(index: HotIndex, head: dict[str, Any], stored: Mapping[str, bytes]) -> None:
    read = {name: unpack(_joined(stored, name)) for name in sorted(head["blocks"]) if name != "words"}
    item_parts = [part for name, part in read.items() if name.startswith("items/")]
    for values, _ in item_parts:
        index.items.load(values)
    _concatenated(index.columns, [arrays for _, arrays in item_parts])
    _concatenated(index.strengths, [arrays for name, (_, arrays) in read.items() if name.startswith("strengths/")])
    keys = [key for values, _ in item_parts for key in values["key"]]
    index.slots.update((key, slot) for slot, key in enumerate(keys) if key is not None)
    terms = [term for name, (values, _) in read.items() if name.startswith("vocabulary/") for term in values["terms"]]
    index.postings.load(terms, [arrays for _, arrays in item_parts])
    for group in _NAMES:
        setattr(index, group, Names(head["names"][group]["names"], head["names"][group]["uses"]))
    vector_parts = [arrays for name, (_, arrays) in read.items() if name.startswith("vectors/")]
    if vector_parts:
        rows = np.concatenate([part["rows"] for part in vector_parts])
        index.vectors = Vectors.of(rows, np.concatenate([part["slots"] for part in vector_parts]))
    if "words" in head["blocks"]:
        values, arrays = unpack(_joined(stored, "words"))
        index.near = NearTerms(index.near.settings)
        index.near.set(values["terms"], arrays["matrix"].astype(np.float32))
    if not len(index.items) == len(keys) == len(index.columns["alive"]) == len(index.strengths["weight"]):
        raise ValueError("the blocks disagree on the number of slots")
