"""The worker process: one model, requests in, finite rows out, whatever the model prints or raises."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from selfimprint.models.frames import read_frame, read_json, write_frame, write_json
from workers import WIDTH, Notes, tiny_command


class Talk:
    """Both ends of a worker's pipes."""

    def __init__(self, command: list[str]) -> None:
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.child.stdin is not None and self.child.stdout is not None
        self.to, self.back = self.child.stdin, self.child.stdout
        self.head = read_json(self.back)

    def ask(self, *texts: str, kind: str = "passage") -> dict[str, object]:
        write_json(self.to, {"texts": list(texts), "kind": kind})
        answer: dict[str, object] = read_json(self.back)
        return answer

    def rows(self) -> np.ndarray:  # type: ignore[type-arg]
        return np.frombuffer(read_frame(self.back), dtype="<f4").reshape(-1, WIDTH)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[[], Talk]]:
    opened: list[Talk] = []

    def start() -> Talk:
        opened.append(Talk(tiny_command(Notes(tmp_path))))
        return opened[-1]

    yield start
    for one in opened:
        one.to.close()
        one.back.close()
        one.child.kill()
        one.child.wait()


def test_a_conversation_with_a_worker(talk: Callable[[], Talk]) -> None:
    """The worker says when it is ready and how wide, and answers each request in turn until its input ends."""
    worker = talk()
    assert worker.head == {"ready": True, "width": WIDTH}
    assert worker.ask("hello", "hi", kind="query") == {"rows": 2}
    assert worker.rows().tolist() == [[1, 5, 0, 2], [1, 2, 0, 2]]
    worker.to.close()
    assert worker.child.wait(timeout=20) == 0


def test_what_the_model_prints_does_not_break_the_frames(talk: Callable[[], Talk]) -> None:
    """Prints on standard output, by Python or by native code, end elsewhere."""
    worker = talk()
    assert worker.ask("print") == {"rows": 1}
    assert worker.rows()[0, 1] == 5


@pytest.mark.parametrize(
    ("text", "error"), [("raise", "RuntimeError"), ("one row less", "ValueError"), ("nan", "ValueError")]
)
def test_a_model_that_fails_is_reported_and_goes_on(talk: Callable[[], Talk], text: str, error: str) -> None:
    """An error, a wrong shape and numbers that are not finite are answered with the error's kind, without content."""
    worker = talk()
    assert worker.ask(text) == {"error": error}
    assert worker.ask("hello") == {"rows": 1}
    assert worker.rows()[0, 1] == 5


@pytest.mark.parametrize("request_", [{}, {"texts": 3, "kind": "query"}, {"texts": ["x"]}, [], None])
def test_a_request_that_is_none_is_answered_with_an_error(talk: Callable[[], Talk], request_: object) -> None:
    """A JSON value that is no request is refused, and the next request is answered."""
    worker = talk()
    write_json(worker.to, request_)
    assert "error" in read_json(worker.back)
    assert worker.ask("hello") == {"rows": 1}


def test_garbage_on_its_input_ends_the_worker(talk: Callable[[], Talk]) -> None:
    """A frame that is no JSON ends the process: the other side is not ours."""
    worker = talk()
    write_frame(worker.to, b"garbage")
    assert worker.child.wait(timeout=20) != 0
