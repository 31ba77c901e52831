"""Strict JSON: what Python's own reader lets through and a memory must not."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfimprintd.strictjson import BadJson, JsonLimits, parse

LIMITS = JsonLimits()
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4))


@given(values, st.booleans())
def test_every_proper_value_reads_back_exactly(value: Any, escaped: bool) -> None:
    """Whatever JSON can say properly is read as it was written, escaped or not."""
    assert parse(json.dumps(value, ensure_ascii=escaped).encode(), LIMITS) == value


@given(st.binary(max_size=200))
@settings(max_examples=300)
def test_any_bytes_end_in_a_value_or_a_refusal(body: bytes) -> None:
    """Nothing else is ever raised, and no refusal repeats the body."""
    try:
        parse(body, LIMITS)
    except BadJson as refusal:
        assert len(body) < 12 or body.decode("latin-1") not in str(refusal)


@given(st.text(alphabet='[]{}",:\\u0d8N1aé ', max_size=60))
@settings(max_examples=500)
def test_what_passes_passes_pythons_reader_too(text: str) -> None:
    """Strict means a subset: nothing passes that is not JSON at all."""
    try:
        value = parse(text.encode(), LIMITS)
    except BadJson:
        return
    assert json.loads(text) == value


@given(st.integers(1, 200))
def test_depth_is_bounded_exactly(depth: int) -> None:
    """64 levels pass and 65 do not; brackets within strings do not count."""
    body = b"[" * depth + b'"[[{{\\"[["' + b"]" * depth
    if depth <= LIMITS.depth:
        parse(body, LIMITS)
    else:
        with pytest.raises(BadJson, match="64 levels"):
            parse(body, LIMITS)


@given(values.filter(lambda value: isinstance(value, dict)), texts)
def test_a_doubled_key_is_refused_at_any_depth(value: dict[str, Any], key: str) -> None:
    """The second of two equal keys would silently win."""
    name = json.dumps(key)
    with pytest.raises(BadJson, match="only once"):
        parse(f'{{"outer": [{json.dumps(value)}, {{{name}: 1, {name}: 2}}]}}'.encode(), LIMITS)


@given(texts, st.integers(0xD800, 0xDFFF), texts)
def test_a_lone_surrogate_is_refused_and_a_pair_is_a_character(before: str, half: int, after: str) -> None:
    """Half a character cannot be stored; both halves are one."""
    escaped = json.dumps(before)[:-1] + f"\\u{half:04x}" + json.dumps(after)[1:]
    with pytest.raises(BadJson, match="stands alone"):
        parse(f'{{"content": {escaped}}}'.encode(), LIMITS)
    assert parse(b'["\\ud83d\\ude00"]', LIMITS) == ["\N{GRINNING FACE}"]


def test_an_escaped_backslash_before_u_is_text() -> None:
    """Only real escapes are judged: a person may write \\u0000 in words."""
    assert parse(b'["\\\\u0000 \\\\ud800"]', LIMITS) == ["\\u0000 \\ud800"]


@pytest.mark.parametrize("number", ["9223372036854775808", "-9223372036854775809", "1e999", "9" * 5000, "-1e400"])
def test_numbers_past_64_bits_are_refused(number: str) -> None:
    """They would be stored as something else."""
    with pytest.raises(BadJson, match="64 bits"):
        parse(f"[{number}]".encode(), LIMITS)


@pytest.mark.parametrize("number", ["9223372036854775807", "-9223372036854775808", "1e308", "5e-324", "-0.0"])
def test_numbers_within_64_bits_are_kept(number: str) -> None:
    """The ends of the range are inside it."""
    found = parse(f"[{number}]".encode(), LIMITS)[0]
    assert found == float(number) or found == int(number)
    assert math.isfinite(found)


@pytest.mark.parametrize(
    "body", [b"[" + b"1," * 100 + b"1]", b'[{"a":1},' * 1 + b'{"b":2}' + b",{}" * 100 + b"]", b'"' * 400]
)
def test_the_number_of_values_is_bounded(body: bytes) -> None:
    """A small body of very many values is refused before anything is built."""
    with pytest.raises(BadJson, match="at most 20 values"):
        parse(body, JsonLimits(values=20))


def test_a_string_without_its_end_is_read_once() -> None:
    """A megabyte of escapes after an open quote is refused at once, not tried from each of them."""
    for body in (b'{"a": "' + b'\\"' * 500_000, b'"' + b"\\" * 999_999, b'["' + b"\\u" * 400_000):
        with pytest.raises(BadJson):
            parse(body, LIMITS)


def test_a_byte_order_mark_and_other_encodings_are_refused() -> None:
    """UTF-8 and nothing before it."""
    for body in (b"\xef\xbb\xbf{}", "{}".encode("utf-16"), "{}".encode("utf-32"), b'"\xff"', b'"\xc0\xaf"'):
        with pytest.raises(BadJson):
            parse(body, LIMITS)
