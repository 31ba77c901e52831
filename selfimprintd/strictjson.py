"""JSON as strictly as we take it: UTF-8, bounded depth and count, no doubled keys, NaN, NUL or half characters (R5).

`refusal` costs a small multiple of the body in memory whatever the body holds, because depth and count are bounded on
the bytes before anything is built."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn

# A string (without its end: up to the end of the body, so that no byte is read twice) or a mark between values.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)
_OPENING, _CLOSING = b"[{", b"]}"
_TOKENS_A_VALUE = 3  # a key, a value, a comma
_RISKY_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_INT64 = 2**63
_LONGEST_INTEGER = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLimits:
    depth: int = 64
    values: int = 20_000


class BadJson(ValueError):
    """A body that is not strict JSON; the message says what to change and repeats nothing of it."""


def parse(body: bytes, limits: JsonLimits) -> Any:
    """The value of the body; BadJson when it is anything but strict JSON within the limits."""
    _check_shape(body, limits)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson("Encode the body as UTF-8.") from error
    if text.startswith("\ufeff"):
        raise BadJson("Send the body without a byte order mark.")
    try:
        value = json.loads(
            text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        raise BadJson(f"The body is not JSON: line {error.lineno}, column {error.colno} cannot be read.") from error
    except RecursionError as error:
        raise BadJson(f"Nest at most {limits.depth} levels deep.") from error
    if _RISKY_ESCAPE.search(body):
        _check_text(value)
    return value


def _check_shape(body: bytes, limits: JsonLimits) -> None:
    """Depth and number of values, read off the bytes token by token, up to the first one too many."""
    depth, left = 0, limits.values * _TOKENS_A_VALUE
    for token in _TOKEN.finditer(body):
        left -= 1
        first = body[token.start()]
        depth += (first in _OPENING) - (first in _CLOSING)
        if depth > limits.depth:
            raise BadJson(f"Nest at most {limits.depth} levels deep.")
        if left < 0:
            raise BadJson(f"Send at most {limits.values} values in one body.")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadJson("Give each key of an object only once.")
    return value


def _constant(name: str) -> NoReturn:
    raise BadJson("NaN and Infinity are no JSON numbers; leave the field out or send null.")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise BadJson("A number is too large; send one that fits 64 bits.")
    return value


def _integer(text: str) -> int:
    value = int(text) if len(text) <= _LONGEST_INTEGER else _INT64
    if not -_INT64 <= value < _INT64:
        raise BadJson("A number is too large; send one that fits 64 bits.")
    return value


def _check_text(value: Any) -> None:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += item.keys()
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, str):
            if "\x00" in item:
                raise BadJson("Remove the NUL characters (\\u0000).")
            if _HALF_CHARACTER.search(item):
                raise BadJson("A \\uD800-\\uDFFF escape stands alone; write the whole pair or the character itself.")
