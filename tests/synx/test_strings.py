"""Twin of synx/strings.py."""

import pytest
import synx_native
from hypothesis import given, settings
from hypothesis import strategies as st
from selfimprint.synx import strings
from selfimprint.synx.errors import Damaged

NASTY = st.text(
    st.sampled_from("ab/ \\#;\"'\n\r\t\x00\x85\xa0\u2028\ufeff\u1680\ud800\udc00\U0001f600é:-!$@%|,[]{}()`~^&*=<>?un0")
)
ANY_TEXT = st.one_of(st.text(), st.text(st.characters()), NASTY)


@given(ANY_TEXT)
@settings(max_examples=600, deadline=None)
def test_any_text_comes_back(text: str) -> None:
    """Every string, lone surrogates included, survives encoding and decoding."""
    assert strings.decode_string(strings.encode_string(text)) == text


@given(ANY_TEXT)
@settings(max_examples=400, deadline=None)
def test_any_text_survives_upstream_as_value_and_as_list_item(text: str) -> None:
    """What upstream writes and parses is the same string, with nothing beside it."""
    encoded = strings.encode_string(text)
    document = {"after": 1, "item": [encoded, encoded], "value": encoded}
    assert synx_native.parse(synx_native.stringify(document)) == document


@given(ANY_TEXT)
@settings(max_examples=300, deadline=None)
def test_an_encoded_string_is_one_printable_line(text: str) -> None:
    """No newline, no control, no blank at either end, no bare mark of comment or field."""
    body = strings.encode_string(text)[1:]
    assert body.splitlines() in ([], [body]) and body.strip() == body
    assert not set(body) & set("#;\"'") and "//" not in body and "  " not in body


@pytest.mark.parametrize(
    "scalar",
    ["", "text", "b64:AAAA", "~\\", "~\\x", "~\\u00", "~\\u0041", "~\\u000A", "~\\uD800", "~\\u005c", "~a\\\\\\"],
)
def test_the_decoder_refuses_what_the_encoder_never_writes(scalar: str) -> None:
    """A missing mark, an unknown or needless escape, upper-case digits or a dangling backslash is damage."""
    with pytest.raises(Damaged):
        strings.decode_string(scalar)


@given(st.binary())
def test_bytes_come_back(data: bytes) -> None:
    """Bytes survive, and their text holds nothing that could start a comment."""
    encoded = strings.encode_bytes(data)
    assert strings.decode_bytes(encoded) == data and "/" not in encoded


@pytest.mark.parametrize("scalar", ["~AAAA", "b64:AAA", "b64:AA-/", "b64:AA==\n", "b64:AB==", "b64:é"])
def test_bytes_have_one_spelling(scalar: str) -> None:
    """Anything but the canonical base64 of the bytes is damage."""
    with pytest.raises(Damaged):
        strings.decode_bytes(scalar)
