"""The value model between Python and SYNX: what may be written, and the exact way back.

Format: docs/format.md, "Values". Upstream merges or drops some shapes inside lists (measured: an empty dict as a list
element, a list or dict inside a dict inside a list); those are *packed* into one marked string, the rest is native.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from selfimprint.synx import strings
from selfimprint.synx.errors import BadName, Damaged, LimitExceeded, Unwritable

Scalar = None | bool | int | float | str | bytes
_I64_MIN, _I64_MAX = -(2**63), 2**63 - 1
_KEY = re.compile(r"[a-z][a-z0-9_]{0,62}")
_ROWS_IN_CACHE = 128  # a column of more rows is walked through main memory once a key
_SWAP = str.maketrans({'"': "`", "`": '"'})


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLimits:
    """Bounds of SECURITY §1, checked on write and on read; sizes count UTF-8 bytes of the SYNX text."""

    document_bytes: int = 8 << 20
    record_bytes: int = 1 << 20
    depth: int = 16
    records: int = 1_000_000


DEFAULT_LIMITS = TextLimits()


def check_key(key: object) -> str:
    """The key itself if it fits `[a-z][a-z0-9_]{0,62}`, else BadName: upstream never escapes keys."""
    if not isinstance(key, str) or _KEY.fullmatch(key) is None:
        raise BadName("a key outside [a-z][a-z0-9_]{0,62}")
    return key


def _encode_scalar(value: Any) -> Any:
    """The parser's scalar for a value; Unwritable for anything that is not one."""
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return strings.encode_string(str(value))
    if isinstance(value, int):
        if not _I64_MIN <= value <= _I64_MAX:
            raise Unwritable("an integer outside 64 bits")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Unwritable("a float that is not finite")
        return float(value)
    if isinstance(value, bytes | bytearray):
        return strings.encode_bytes(bytes(value))
    raise Unwritable(f"a value of type {type(value).__name__}")


def _pack(value: Any, depth: int) -> str:
    # JSON's quotes would all be escaped; swapped with the back-tick they are not.
    text = json.dumps(_jsonable(value, depth), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return strings.PACKED_MARK + strings.escape(text.translate(_SWAP))


def _jsonable(value: Any, depth: int) -> Any:
    if depth < 0:
        raise LimitExceeded("values nested too deep")
    if isinstance(value, Mapping):
        return {check_key(key): _jsonable(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if any(isinstance(item, list | tuple) for item in value):
            raise Unwritable("a list directly inside a list")
        return [_jsonable(item, depth - 1) for item in value]
    if isinstance(value, str):
        return strings.TEXT_MARK + value
    return _encode_scalar(value)


def _is_container(value: Any) -> bool:
    return isinstance(value, list | tuple | Mapping)


def _encode_element(item: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    return {
        check_key(key): _pack(value, depth - 1) if _is_container(value) else _encode_scalar(value)
        for key, value in item.items()
    }


def encode_value(value: Any, depth: int) -> Any:
    """What upstream writes for `value`; at most `depth` levels of lists and dicts below it."""
    if depth < 0:
        raise LimitExceeded("values nested too deep")
    if isinstance(value, Mapping):
        return {check_key(key): encode_value(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if not any(_is_container(item) for item in value):
            return [_encode_scalar(item) for item in value]
        if all(isinstance(item, Mapping) and item for item in value):
            return [_encode_element(item, depth - 1) for item in value]
        return _pack(value, depth)
    return _encode_scalar(value)


def encode_column(value: Any, depth: int) -> Any:
    """A record's column: as `encode_value`, but an empty list or dict is packed (upstream may lose it)."""
    return _pack(value, depth) if _is_container(value) and not value else encode_value(value, depth)


def encode_packed(value: Any, depth: int) -> Any:
    """As `encode_value` with every list and dict packed."""
    return _pack(value, depth) if _is_container(value) else _encode_scalar(value)


def _unpack(scalar: str) -> Any:
    try:
        value = json.loads(strings.unescape(scalar[1:]).translate(_SWAP))
    except (ValueError, RecursionError) as error:
        raise Damaged("malformed packed value") from error
    return _from_json(value)


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {_known_key(key): _from_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_from_json(item) for item in value]
    if isinstance(value, str):
        if value.startswith(strings.TEXT_MARK):
            return value[1:]
        return strings.decode_bytes(value)
    return value


def _known_key(key: str) -> str:
    if _KEY.fullmatch(key) is None:
        raise Damaged("a key outside its grammar")
    return key


def _decode_string(scalar: str) -> Any:
    mark = scalar[:1]
    if mark == strings.TEXT_MARK:
        return scalar[1:] if "\\" not in scalar else strings.unescape(scalar[1:])
    if mark == strings.PACKED_MARK:
        return _unpack(scalar)
    return strings.decode_bytes(scalar)


def decode_rows(rows: list[dict[str, Any]], depth: int) -> None:
    """Replace every encoded value of parsed dicts, in place, by what was written; Damaged below `depth` levels.

    Works column by column over rows of equal keys: three times faster than value by value.
    """
    if depth < 0:
        raise Damaged("values nested too deep")
    for start in range(0, len(rows), _ROWS_IN_CACHE):
        groups: defaultdict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
        for row in rows[start : start + _ROWS_IN_CACHE]:
            groups[tuple(row)].append(row)
        for keys, group in groups.items():
            for key in keys:
                _decode_column(_known_key(key), group, depth)


def _decode_column(key: str, rows: list[dict[str, Any]], depth: int) -> None:
    column = [row[key] for row in rows]
    kinds = set(map(type, column))
    if kinds == {str} and _is_plain(column):
        for row, value in zip(rows, column, strict=True):
            row[key] = value[1:]
    elif kinds & {str, list, dict}:
        nested: list[dict[str, Any]] = []
        for row, value in zip(rows, column, strict=True):
            kind = type(value)
            if kind is str:
                row[key] = _decode_string(value)
            elif kind is dict:
                nested.append(value)
            elif kind is list:
                _decode_list(value, nested)
        if nested:
            decode_rows(nested, depth - 1)


def _is_plain(column: list[str]) -> bool:
    """Every string is marked text without an escape (a bare NUL would be one that had to be escaped)."""
    joined = "\0".join(column)
    return (
        "\\" not in joined
        and joined.startswith(strings.TEXT_MARK)
        and joined.count("\0" + strings.TEXT_MARK) == joined.count("\0") == len(column) - 1
    )


def _decode_list(items: list[Any], nested: list[dict[str, Any]]) -> None:
    for index, item in enumerate(items):
        kind = type(item)
        if kind is dict:
            nested.append(item)
        elif kind is str:
            items[index] = _decode_string(item)
        elif kind is list:
            raise Damaged("a list directly inside a list")
