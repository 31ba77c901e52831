"""One canonical encoding of records, deltas and views: JSON with sorted keys, no blanks, UTF-8, fields at their default
left out. Equal values have equal bytes, so bytes can be hashed, compared and signed."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any

from selfimprint.engine import delta as delta_records
from selfimprint.engine.delta import GraphDelta, Operation, View
from selfimprint.engine.errors import MalformedRecord

T = typing.TypeVar("T")

OPERATIONS: dict[str, type] = {
    "put_message": delta_records.PutMessage,
    "add_node": delta_records.AddNode,
    "add_edge": delta_records.AddEdge,
    "set_node": delta_records.SetNode,
    "set_edge": delta_records.SetEdge,
    "remove_node": delta_records.RemoveNode,
    "remove_edge": delta_records.RemoveEdge,
}
_OPERATION_NAMES = {kind: name for name, kind in OPERATIONS.items()}
_CHANGES = frozenset({"set_node", "set_edge"})


def to_plain(record: Any) -> Any:
    """A record as dicts, lists and scalars; `Operation`s carry their name under `op`.

    Of a SetNode or SetEdge the after-image holds the fields that differ from the before-image, None for a field that
    went back to its default."""
    return _writer(typing.cast(typing.Hashable, type(record)))(record)


def from_plain(kind: type[T], plain: object) -> T:
    """The record again, strictly: unknown or missing fields and wrong types raise MalformedRecord."""
    try:
        return typing.cast(T, _reader(typing.cast(typing.Hashable, kind))(plain))
    except MalformedRecord:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise MalformedRecord(f"not a {kind.__name__}: {error}") from error


def from_stored(kind: type[T], stored: object) -> T:
    """The record from its plain form, or from that form as JSON text."""
    return from_plain(kind, _parse(stored) if isinstance(stored, str) else stored)


def encode(record: Any) -> bytes:
    """Canonical bytes of a record, a delta or a view."""
    text = json.dumps(to_plain(record), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise MalformedRecord("text holds half of a surrogate pair") from error


def decode_delta(data: bytes) -> GraphDelta:
    return from_plain(GraphDelta, _parse(data))


def decode_view(data: bytes) -> View:
    return from_plain(View, _parse(data))


def _parse(data: bytes | str) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MalformedRecord("not canonical JSON") from error


@cache
def _writer(kind: Any) -> Callable[[Any], Any]:
    """How a value of this declared type is made plain; built once a type."""
    origin = typing.get_origin(kind)
    if kind == Operation:
        return to_plain
    if origin is tuple:
        args = typing.get_args(kind)
        if len(args) == 2 and args[1] is Ellipsis:
            item = _writer(args[0])
            return lambda value: [item(x) for x in value]
        writers = [_writer(arg) for arg in args]
        return lambda value: [write(x) for write, x in zip(writers, value, strict=True)]
    if origin is types.UnionType:
        (inner,) = (arg for arg in typing.get_args(kind) if arg is not type(None))
        write_inner = _writer(inner)
        return lambda value: None if value is None else write_inner(value)
    if dataclasses.is_dataclass(kind):
        return _record_writer(typing.cast(type, kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value: value.value
    return _write_float if kind is float else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value


def _write_float(value: Any) -> float:
    if not math.isfinite(value):
        raise MalformedRecord("a number is not finite")
    return float(value) + 0.0  # 1 and 1.0, 0.0 and -0.0 are equal values: one spelling for each


def _record_writer(kind: type) -> Callable[[Any], Any]:
    hints = typing.get_type_hints(kind)
    parts = [(f.name, f.default, _writer(hints[f.name])) for f in dataclasses.fields(kind)]
    operation = _OPERATION_NAMES.get(kind)

    def write(record: Any) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, default, write_part in parts:
            value = getattr(record, name)
            if default is dataclasses.MISSING or value != default:
                plain[name] = write_part(value)
        if operation is not None:
            plain["op"] = operation
            if operation in _CHANGES:
                plain["after"] = _difference(plain["before"], plain["after"])
        return plain

    return write


def _difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {key: after.get(key) for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def _applied(before: Any, difference: Any) -> Any:
    """The after-image's plain form; anything but mappings is left for the reader to refuse."""
    if not isinstance(before, Mapping) or not isinstance(difference, Mapping):
        return difference
    return {k: v for k, v in {**before, **difference}.items() if not (v is None and k in difference)}


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    origin = typing.get_origin(kind)
    if kind == Operation:
        return _read_operation
    if origin is tuple:
        args = typing.get_args(kind)
        if len(args) == 2 and args[1] is Ellipsis:
            item = _reader(args[0])
            return lambda value: tuple([item(x) for x in _listed(value)])
        readers = [_reader(arg) for arg in args]
        return lambda value: tuple([r(x) for r, x in zip(readers, _listed(value), strict=True)])
    if origin is types.UnionType:
        (inner,) = (arg for arg in typing.get_args(kind) if arg is not type(None))
        read = _reader(inner)
        return lambda value: None if value is None else read(value)
    if dataclasses.is_dataclass(kind):
        return _record_reader(typing.cast(type, kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if kind is float:
        return _read_float
    if kind is str:
        return _read_text
    return _scalar_reader(kind)


def _scalar_reader(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise MalformedRecord(f"expected {kind.__name__}, found {type(value).__name__}")
        return value

    return read


def _read_float(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise MalformedRecord("expected a finite number")
    return float(value)


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise MalformedRecord(f"expected str, found {type(value).__name__}")
    if not value.isascii():
        value.encode()  # half of a surrogate pair could never be written again
    return value


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise MalformedRecord("expected a list")
    return value


def _record_reader(kind: type) -> Callable[[Any], Any]:
    hints = typing.get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(kind)}
    is_operation = kind in _OPERATION_NAMES

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise MalformedRecord(f"expected a {kind.__name__}")
        return kind(**{name: readers[name](x) for name, x in value.items() if not (is_operation and name == "op")})

    return read


def _read_operation(value: Any) -> Any:
    if not isinstance(value, Mapping) or value.get("op") not in OPERATIONS:
        raise MalformedRecord("unknown operation")
    if value["op"] in _CHANGES:
        value = {**value, "after": _applied(value.get("before"), value.get("after"))}
    return _reader(OPERATIONS[value["op"]])(value)
