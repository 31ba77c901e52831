"""Documents (SYNX) and record tables (SYNXL) as text: safe to write, strict to read.

Format: docs/format.md. Only four functions of upstream are used: `parse`, `stringify`, `synxl_parse`, `synxl_write`;
the others execute directives or read files. Nothing is returned from a write that did not parse back to the same value.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import synx_native
from selfimprint.synx.errors import Damaged, LimitExceeded, Unwritable
from selfimprint.synx.uncollected import uncollected
from selfimprint.synx.values import (
    DEFAULT_LIMITS,
    TextLimits,
    check_key,
    decode_rows,
    encode_column,
    encode_packed,
    encode_value,
)

_PROLOGUE = "!synxl 1\n!fields "


def encode_document(value: Mapping[str, Any], *, limits: TextLimits = DEFAULT_LIMITS) -> str:
    """SYNX text of a mapping; LimitExceeded, BadName or Unwritable if it has none."""
    for encode in (encode_value, encode_packed):
        encoded = {check_key(key): encode(item, limits.depth) for key, item in value.items()}
        text: str = synx_native.stringify(encoded)
        _check_size(text, limits)
        if _canonical(synx_native.parse(text)) == _canonical(encoded):
            return text
    raise Unwritable("the document does not read back as it was written")


def decode_document(text: str, *, limits: TextLimits = DEFAULT_LIMITS) -> dict[str, Any]:
    """Exact inverse of `encode_document`; Damaged on anything it would not have written."""
    _check_size(text, limits)
    if text.startswith("!") or "\n!" in text:
        raise Damaged("a directive in a document")
    parsed = synx_native.parse(text)
    if not isinstance(parsed, dict):
        raise Damaged("a document that is not a mapping")
    decode_rows([parsed], limits.depth)
    return parsed


def encode_records(
    records: Iterable[Mapping[str, Any]], fields: Sequence[str], *, limits: TextLimits = DEFAULT_LIMITS
) -> str:
    """SYNXL text of records with these columns, in this order; a missing column is None, a foreign one Unwritable."""
    columns = [check_key(field) for field in fields]
    if not columns or len(set(columns)) != len(columns):
        raise Unwritable("columns must be named once each")
    known = frozenset(columns)
    rows = list(records)
    if not all(map(known.issuperset, rows)):
        raise Unwritable("a record with a column that was not named")
    if len(rows) > limits.records:
        raise LimitExceeded("too many records in one document")
    # Upstream drops a few rare mixtures of inline and nested values; those tables are written packed.
    for encode in (encode_column, encode_packed):
        encoded = [{column: encode(row.get(column), limits.depth) for column in columns} for row in rows]
        text: str = synx_native.synxl_write(encoded, columns)
        _check_size(text, limits)
        if _reads_back(text, encoded, limits):
            return text
    raise Unwritable("the records do not read back as they were written")


def _reads_back(text: str, encoded: list[dict[str, Any]], limits: TextLimits) -> bool:
    try:
        return _canonical(_parse_records(text, limits)) == _canonical(encoded)
    except Damaged:
        return False


def decode_records(text: str, *, limits: TextLimits = DEFAULT_LIMITS) -> list[dict[str, Any]]:
    """Exact inverse of `encode_records`; Damaged on anything it would not have written."""
    _check_size(text, limits)
    with uncollected():
        records = _parse_records(text, limits)
        decode_rows(records, limits.depth)
    return records


def _parse_records(text: str, limits: TextLimits) -> list[dict[str, Any]]:
    if not text.startswith(_PROLOGUE) or text.find("\n!", len(_PROLOGUE)) >= 0:
        raise Damaged("a record table without its two head lines, or with more directives")
    try:
        document = synx_native.synxl_parse(text)
    except synx_native.SynxlError as error:
        raise Damaged("a record table that does not parse") from error
    if document.diagnostics:
        raise Damaged("a record table that parses with diagnostics")
    if len(document) > limits.records:
        raise LimitExceeded("too many records in one document")
    _check_records(text, limits)
    records: list[dict[str, Any]] = document.records
    return records


def _check_records(text: str, limits: TextLimits) -> None:
    """No record past its limit; a table smaller than that limit needs no look."""
    data = text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")
    start = 0
    while len(data) - start > limits.record_bytes:
        # The last record that begins within one limit of here; it is then the next one to be measured.
        end = start + limits.record_bytes + 1
        begin = data.rfind("\n", start, end)
        while begin >= 0 and data[begin + 1 : begin + 2] == " ":
            begin = data.rfind("\n", start, begin)
        if begin < 0:
            raise LimitExceeded("a record past its size limit")
        start = begin + 1


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _check_size(text: str, limits: TextLimits) -> None:
    if _size(text) > limits.document_bytes:
        raise LimitExceeded("a document past its size limit")


def _canonical(value: Any) -> str:
    """Equal exactly for equal values of equal types: 1, 1.0 and true, 0.0 and -0.0 differ."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
