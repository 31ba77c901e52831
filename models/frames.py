"""Frames between the daemon and a model worker: u32 length, then a JSON head or raw float32 rows."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

MAX_FRAME_BYTES = 64 * 1024 * 1024


def write_frame(stream: IO[bytes], body: bytes) -> None:
    stream.write(struct.pack("<I", len(body)) + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes:
    """One frame. Raises EOFError when the other side is gone, ValueError for a frame over the limit."""
    (length,) = struct.unpack("<I", _exactly(stream, 4))
    if length > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {length} bytes is over the limit")
    return _exactly(stream, length)


def write_json(stream: IO[bytes], value: Any) -> None:
    write_frame(stream, json.dumps(value, ensure_ascii=True).encode())


def read_json(stream: IO[bytes]) -> Any:
    return json.loads(read_frame(stream))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    parts: list[bytes] = []
    while count:
        part = stream.read(count)
        if not part:
            raise EOFError("the other side closed the pipe")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
