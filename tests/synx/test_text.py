"""Twin of synx/text.py."""

import gc
import json

import pytest
import synx_native
from hypothesis import given, settings
from hypothesis import strategies as st
from selfimprint.synx import text
from selfimprint.synx.errors import BadName, Damaged, LimitExceeded, Unwritable
from selfimprint.synx.values import TextLimits

KEYS = st.sampled_from(["a", "b", "null", "true", "join", "list", "some_key", "e", "inf", "x9"])
STRINGS = st.one_of(
    st.text(st.characters()),
    st.text(st.sampled_from("ab/ \\#;\"'\n\r\t\x00\x85\xa0\u2028\ufeff\ud800é:-!$@%|,[]{}()`~^&*=<>?un0\U0001f600")),
    st.sampled_from(
        ["", "null", "true", "1", "-0.0", "1e5", "!active", ":env", "x\n!fields a", "- a", "a\n  b: c", "2020-01-01"]
    ),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    STRINGS,
    st.binary(max_size=20),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(SCALARS, max_size=3),
        st.dictionaries(KEYS, inner, max_size=3),
        st.lists(st.one_of(SCALARS, st.dictionaries(KEYS, inner, max_size=3)), max_size=3),
        st.lists(st.dictionaries(KEYS, inner, max_size=3), max_size=3),
    ),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=5)
COLUMNS = ["a", "b", "join", "null", "some_key"]


def exactly(value) -> str:
    """A form in which 1, 1.0 and true, 0.0 and -0.0, text and bytes differ."""
    return json.dumps(value, sort_keys=True, default=lambda data: {"bytes": data.hex()})


@given(DOCUMENTS)
@settings(max_examples=200, deadline=None)
def test_any_document_comes_back(value) -> None:
    """Every value of the model survives with its type; nothing is refused."""
    assert exactly(text.decode_document(text.encode_document(value))) == exactly(value)


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, VALUES)), max_size=4))
@settings(max_examples=120, deadline=None)
def test_any_table_comes_back(records) -> None:
    """Every row survives, in order, whatever mixture its columns hold."""
    assert exactly(text.decode_records(text.encode_records(records, COLUMNS))) == exactly(records)


def test_missing_columns_are_null_and_foreign_ones_refused() -> None:
    """A table has the columns it was told, no more."""
    assert text.decode_records(text.encode_records([{"a": 1}], ["a", "b"])) == [{"a": 1, "b": None}]
    with pytest.raises(Unwritable):
        text.encode_records([{"c": 1}], ["a"])
    with pytest.raises(Unwritable):
        text.encode_records([], ["a", "a"])
    with pytest.raises(BadName):
        text.encode_records([], ["A"])


def test_hostile_text_in_lists_adds_no_key_and_no_record() -> None:
    """The injections measured against raw upstream stay one string."""
    hostile = "x\n!active\nstolen:env HOME\n!fields evil\nrow"
    document = {"items": [hostile], "kept": True}
    assert text.decode_document(text.encode_document(document)) == document
    records = [{"a": [hostile, "y"]}, {"a": "z"}]
    assert text.decode_records(text.encode_records(records, ["a"])) == records


@pytest.mark.parametrize(
    "written",
    ["!active\na ~x\n", "a ~x\n!include y\n", "a plain\n", "a ~x\\q\n", "a\n  - ~x\n  - y\n", "A ~x\n", "a:env HOME\n"],
)
def test_documents_we_would_not_write_are_refused(written: str) -> None:
    """Directives, markers, unmarked strings and foreign keys are damage."""
    with pytest.raises(Damaged):
        text.decode_document(written)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "a\n",
        "!fields a\n~x\n",
        "!synxl 1\n~x\n",
        "!synxl 1\n!fields a\n~x\n!fields b\n~y\n",
        "!synxl 1\n!fields a\nx\n",
        "!synxl 1\n!fields a; b\n~x; ~y; ~z\n",
        "!synxl 2\n!fields a\n~x\n",
        "!synxl 1\n!active\n!fields a\n~x\n",
    ],
)
def test_tables_we_would_not_write_are_refused(written: str) -> None:
    """A missing head, another directive, a diagnostic or an unmarked string is damage."""
    with pytest.raises(Damaged):
        text.decode_records(written)


def test_sizes_are_bounded_both_ways() -> None:
    """A document and a single record have a limit in bytes, on write and on read."""
    limits = TextLimits(document_bytes=4000, record_bytes=500, records=20)
    with pytest.raises(LimitExceeded):
        text.encode_document({"a": "x" * 4000}, limits=limits)
    with pytest.raises(LimitExceeded):
        text.decode_document("a ~" + "é" * 2000, limits=limits)
    with pytest.raises(LimitExceeded):
        text.encode_records([{"a": "x"}, {"a": "x" * 600}], ["a"], limits=limits)
    with pytest.raises(LimitExceeded):
        text.encode_records([{"a": ["é" * 100] * 3}, {"a": "x"}], ["a"], limits=limits)
    with pytest.raises(LimitExceeded):
        text.encode_records([{"a": 1}] * 21, ["a"], limits=limits)
    fits = [{"a": ["x" * 100] * 4} for _ in range(8)]
    assert text.decode_records(text.encode_records(fits, ["a"], limits=limits), limits=limits) == fits


def test_decoding_leaves_the_collector_as_it_was() -> None:
    """The cycle collector is held back during a table and on again after it, and stays off if it was."""
    table = text.encode_records([{"a": 1}], ["a"])
    text.decode_records(table)
    assert gc.isenabled()
    with pytest.raises(Damaged):
        text.decode_records("x")
    assert gc.isenabled()
    gc.disable()
    try:
        text.decode_records(table)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_upstream_still_casts_as_the_encoding_assumes() -> None:
    """Canary: what unmarked scalars become, what lists lose and tables drop."""
    assert synx_native.parse("a 1\nb 1.0\nc true\nd null\ne ~1\nf 1e5\ng 007\nh\n") == {
        "a": 1,
        "b": 1.0,
        "c": True,
        "d": None,
        "e": "~1",
        "f": "1e5",
        "g": 7,
        "h": {},
    }
    assert synx_native.parse(synx_native.stringify({"a": [{}]})) == {"a": {}}
    assert synx_native.parse(synx_native.stringify({"a": [{"b": [1]}, {"b": [2]}]})) != {"a": [{"b": [1]}, {"b": [2]}]}
    assert synx_native.synxl_parse(synx_native.synxl_write([{"a": []}], ["a"])).records == []
    assert synx_native.parse(synx_native.stringify({"a": ["x\nb 1"]})) != {"a": ["x\nb 1"]}
    assert synx_native.parse("a x # y\nb ~x\\u0023\n")["b"] == "~x\\u0023"
    assert synx_native.SYNXL_VERSION == 1
