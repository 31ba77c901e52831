"""Model workers for tests: the real worker loop around a tiny embedder, and workers that misbehave.

The tiny embedder's rows have four numbers: 1, the text's length, and what the texts below ask for."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from selfimprint.models.backends import Backend
from selfimprint.models.process import EmbedderProcess, ProcessSettings

WIDTH = 4
_TINY = """
import os, sys, time
import numpy as np
from selfimprint.models import backends, worker

notes = {notes!r}

def note(line):
    with open(notes, "a") as file:
        file.write(line + "\\n")

def embed(texts, kind):
    for text in texts:
        note(text)
        if text == "print":
            print("noise on stdout", flush=True)
            os.write(1, b"raw noise on descriptor 1")
        if text == "die":
            os._exit(3)
        if text == "raise":
            raise RuntimeError("cannot")
        if text == "hang":
            time.sleep(600)
        if text == "wait":
            while not os.path.exists(notes + ".go"):
                time.sleep(0.005)
        if text == "one row less":
            return np.ones((len(texts) - 1, 4))
        if text == "nan":
            return np.full((len(texts), 4), np.nan)
    return np.asarray([[1.0, len(t), 0.0, 2.0 * (kind == "query")] for t in texts])

def load():
    note("loaded")
    return embed

backends.BACKENDS["tiny"] = backends.Backend(name="tiny", module="json", distribution="pytest", width=4, load=load)
raise SystemExit(worker.main("tiny"))
"""


_PRELUDE = """
import sys, struct

out = sys.stdout.buffer

def frame(body):
    out.write(struct.pack("<I", len(body)) + body)

"""


def tiny_backend() -> Backend:
    def load() -> Callable[[Sequence[str], str], np.ndarray]:  # type: ignore[type-arg]
        raise AssertionError("the daemon itself never loads a model")

    return Backend(name="tiny", module="json", distribution="pytest", width=WIDTH, load=load)


class Notes:
    """What the worker did, in order, and the signal that lets a text "wait" go on."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notes"

    def lines(self) -> list[str]:
        return self.path.read_text().splitlines() if self.path.exists() else []

    def go(self) -> None:
        Path(f"{self.path}.go").touch()


def tiny_command(notes: Notes) -> list[str]:
    """The real worker loop around the tiny embedder."""
    return [sys.executable, "-c", _TINY.format(notes=str(notes.path))]


def script(source: str) -> list[str]:
    """A worker that is any Python text; `out` is its raw standard output, `frame` writes one frame."""
    return [sys.executable, "-c", f"{_PRELUDE}{source}"]


def tiny_process(
    command: list[str], monotonic: Callable[[], float] = time.monotonic, **settings: object
) -> EmbedderProcess:
    return EmbedderProcess(
        tiny_backend(),
        ProcessSettings(**settings),
        monotonic=monotonic,
        command=command,  # type: ignore[arg-type]
    )


def until(condition: Callable[[], object], patience_s: float = 20.0) -> None:
    """Wait for what another thread or process is about to do."""
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, "what should have happened did not"
        time.sleep(0.005)


class Asking(threading.Thread):
    """A call of `embed` in a thread of its own; `outcome` is its rows or what it raised."""

    def __init__(self, process: EmbedderProcess, text: str, kind: str) -> None:
        super().__init__(daemon=True)
        self.process, self.text, self.kind = process, text, kind
        self.outcome: object = None
        self.start()

    def run(self) -> None:
        try:
            self.outcome = self.process.embed([self.text], self.kind)
        except Exception as error:
            self.outcome = error
