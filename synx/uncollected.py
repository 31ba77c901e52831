"""Holding the cycle collector back while many records are read: they live long, make no cycle, and each pass would walk
them all."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_waits = 0


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection until the last of those who asked for it is done; a collector that somebody else has switched off
    stays off."""
    global _waits
    with _lock:
        held = _waits > 0 or gc.isenabled()
        if held:
            _waits += 1
            gc.disable()
    try:
        yield
    finally:
        if held:
            with _lock:
                _waits -= 1
                if _waits == 0:
                    gc.enable()
