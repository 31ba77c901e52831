"""Twin of synx/values.py."""

import math

import pytest
from selfimprint.synx.errors import BadName, Damaged, LimitExceeded, Unwritable
from selfimprint.synx.values import check_key, decode_rows, encode_column, encode_packed, encode_value


def decoded(encoded):
    row = {"value": encoded}
    decode_rows([row], 16)
    return row["value"]


def test_plain_values_stay_native() -> None:
    """Scalars, lists of scalars, dicts and lists of flat dicts are written as upstream's own nesting."""
    value = {"a": [1, None, "x"], "b": {"c": [{"d": 1.5, "e": "y"}]}}
    assert encode_value(value, 16) == {"a": [1, None, "~x"], "b": {"c": [{"d": 1.5, "e": "~y"}]}}


@pytest.mark.parametrize(
    "value",
    [[{}], [{}, 1], [{"a": [1]}], [{"a": {}}], [{"a": {"b": [{"c": 'q"`'}]}}, {"a": 1}], ["x", {"a": b"\x00"}]],
)
def test_shapes_that_upstream_loses_are_packed_and_come_back(value) -> None:
    """Irregular lists hold packed strings, and the way back gives the value itself."""
    encoded = encode_value(value, 16)
    assert encoded != value and "^" in repr(encoded)
    assert decoded(encoded) == value
    assert decoded(encode_packed(value, 16)) == value


def test_empty_containers_are_packed_only_as_columns() -> None:
    """A column of empty lists would be read as nulls; inside a document an empty list is safe."""
    assert encode_column([], 16) == "^[]" and encode_column({}, 16) == "^{}"
    assert encode_value({"a": []}, 16) == {"a": []}


@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, math.nan, 2**63, -(2**63) - 1, {1}, object(), [[1]], [[{"a": 1}]]]
)
def test_values_outside_the_model_are_refused(value) -> None:
    """Infinities, big integers, foreign types and lists in lists are Unwritable."""
    with pytest.raises(Unwritable):
        encode_value(value, 16)


@pytest.mark.parametrize("key", ["", "A", "1a", "a b", "a\n", "é", "a" * 64, "_a", 3, None])
def test_keys_outside_the_grammar_are_refused(key) -> None:
    """Keys are never escaped by upstream, so only safe ones pass, also deep inside and inside packed values."""
    for value in ({key: 1}, {"a": [{key: 1}]}, {"a": [{"b": {key: 1}}]}):
        with pytest.raises(BadName):
            encode_value(value, 16)
    with pytest.raises(BadName):
        check_key(key)


@pytest.mark.parametrize("scalar", ["plain", "^{", "^[1", '^{"A":1}', "^" + "[" * 100000, "^`~", "^{`A`:1}", "^[`x`]"])
def test_unmarked_and_malformed_strings_are_damage(scalar) -> None:
    """A string the encoder would not write, packed ones included, does not decode."""
    with pytest.raises(Damaged):
        decoded(scalar)


def test_depth_is_bounded_both_ways() -> None:
    """Nesting past the bound is refused when written and when read."""
    deep: object = 1
    for _ in range(20):
        deep = {"a": deep}
    with pytest.raises(LimitExceeded):
        encode_value(deep, 16)
    with pytest.raises(Damaged):
        decode_rows([deep], 16)
    with pytest.raises(LimitExceeded):
        encode_packed(deep, 16)


def test_rows_of_unequal_keys_and_types_are_decoded_each_by_itself() -> None:
    """Column-wise decoding does not depend on rows looking alike."""
    rows = [{"a": "~x"}, {"a": "~y\\n", "b": None}, {"b": ["~z"], "a": 3}, {"c": {"d": "b64:AA=="}}]
    decode_rows(rows, 16)
    assert rows == [{"a": "x"}, {"a": "y\n", "b": None}, {"b": ["z"], "a": 3}, {"c": {"d": b"\x00"}}]


def test_a_bare_nul_cannot_pass_as_plain_text() -> None:
    """A raw NUL followed by a mark inside one value does not fool the fast path into taking it for two."""
    rows = [{"a": "~x\0~y"}, {"a": "no mark"}]
    with pytest.raises(Damaged):
        decode_rows(rows, 16)
