"""Frames between the daemon and a worker: a length and a body, read whole or refused."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.models.frames import MAX_FRAME_BYTES, read_frame, read_json, write_frame, write_json

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


class Dripping(io.RawIOBase):
    """A pipe that gives at most one byte a read."""

    def __init__(self, data: bytes) -> None:
        self.data = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self.data.read(min(size, 1))


@given(st.lists(st.binary(max_size=300), max_size=5))
def test_frames_come_out_as_they_went_in(bodies: list[bytes]) -> None:
    """Frames written one after another are read one by one, even when the pipe drips."""
    stream = io.BytesIO()
    for body in bodies:
        write_frame(stream, body)
    for source in (io.BytesIO(stream.getvalue()), Dripping(stream.getvalue())):
        assert [read_frame(source) for _ in bodies] == bodies  # type: ignore[arg-type]
        with pytest.raises(EOFError):
            read_frame(source)  # type: ignore[arg-type]


@given(json_values)
def test_json_comes_out_as_it_went_in(value: object) -> None:
    """Any JSON value survives, text of every script included, in ASCII bytes."""
    stream = io.BytesIO()
    write_json(stream, value)
    assert stream.getvalue()[4:].isascii()
    stream.seek(0)
    assert read_json(stream) == value


@given(st.binary(min_size=1, max_size=50), st.data())
def test_a_cut_frame_is_the_end(body: bytes, data: st.DataObject) -> None:
    """A pipe that closes within a frame raises EOFError, wherever it was cut."""
    stream = io.BytesIO()
    write_frame(stream, body)
    cut = stream.getvalue()[: data.draw(st.integers(0, len(stream.getvalue()) - 1))]
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(cut))


def test_a_frame_over_the_limit_is_refused_before_it_is_read() -> None:
    """A length above the limit raises ValueError and reads nothing more."""
    stream = io.BytesIO(struct.pack("<I", MAX_FRAME_BYTES + 1) + b"rest")
    with pytest.raises(ValueError, match="over the limit"):
        read_frame(stream)
    assert stream.read() == b"rest"


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe\x00", b"nope"])
def test_a_frame_that_is_no_json_is_refused(body: bytes) -> None:
    """Bytes that are no JSON raise ValueError."""
    stream = io.BytesIO()
    write_frame(stream, body)
    stream.seek(0)
    with pytest.raises(ValueError):
        read_json(stream)
