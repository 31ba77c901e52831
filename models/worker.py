"""The child process that holds an embedder. Run as `python -m selfimprint.models.worker NAME`; ends with its stdin."""

from __future__ import annotations

import os
import sys

import numpy as np
from selfimprint.models.backends import BACKENDS
from selfimprint.models.frames import read_json, write_frame, write_json


def main(name: str) -> int:
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a native library that prints must not break the frames
    embed = BACKENDS[name].load()
    write_json(target, {"ready": True, "width": BACKENDS[name].width})
    while True:
        try:
            request = read_json(source)
        except EOFError:
            return 0
        try:
            rows = np.ascontiguousarray(embed(request["texts"], request["kind"]), dtype="<f4")
            if rows.shape != (len(request["texts"]), BACKENDS[name].width) or not np.isfinite(rows).all():
                raise ValueError("the model answered with something else than finite rows")
        except (ValueError, TypeError, KeyError, RuntimeError, MemoryError) as error:
            write_json(target, {"error": type(error).__name__})
            continue
        write_json(target, {"rows": len(rows)})
        write_frame(target, rows.tobytes())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
