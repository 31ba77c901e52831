"""An embedder in a child process: its death, silence and nonsense are survived, its memory is given back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from selfimprint.models.process import EmbedderGone, EmbedderProcess
from workers import WIDTH, Asking, Notes, script, tiny_command, tiny_process, until

READY = f'frame(b\'{{"ready":true,"width":{WIDTH}}}\')\n'
Start = Callable[..., EmbedderProcess]


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return Notes(tmp_path)


@pytest.fixture
def start(notes: Notes) -> Iterator[Start]:
    """Starts embedders on the tiny worker, or on the given command, and closes them in the end."""
    opened: list[EmbedderProcess] = []

    def open_one(command: list[str] | None = None, **settings: object) -> EmbedderProcess:
        opened.append(tiny_process(command or tiny_command(notes), **settings))  # type: ignore[arg-type]
        return opened[-1]

    yield open_one
    for process in opened:
        notes.go()
        process.close()


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_rows_are_unit_vectors_in_the_order_of_the_texts(start: Start) -> None:
    """Each text has its row of length 1, in float32."""
    rows = start().embed(["a", "bb", "ccc"], "passage")
    assert rows.shape == (3, WIDTH)
    assert rows.dtype == np.float32
    assert np.allclose(rows[:, 1] / rows[:, 0], [1, 2, 3])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)


def test_no_text_needs_no_worker(start: Start) -> None:
    """An empty list is answered without starting anything; nothing starts before the first text."""
    process = start()
    assert process.embed([], "query").shape == (0, WIDTH)
    assert process.pid() is None
    assert process.state()["running"] is False


def test_one_worker_serves_many_calls(start: Start, notes: Notes) -> None:
    """The model is loaded once."""
    process = start()
    for _ in range(3):
        process.embed(["x"], "query")
    assert notes.lines() == ["loaded", "x", "x", "x"]
    assert process.state() == {
        "embedder": process.fingerprint, "running": True, "failures": 0, "last_error": "", "waiting": 0,
    }  # fmt: skip


def test_a_killed_worker_is_replaced(start: Start, notes: Notes) -> None:
    """A worker that dies within a call fails that call, and the next one has a new worker."""
    process = start(backoff_s=(0.0,))
    process.embed(["x"], "query")
    first = process.pid()
    with pytest.raises(EmbedderGone):
        process.embed(["die"], "query")
    assert process.state()["failures"] == 1
    assert process.embed(["y"], "query").shape == (1, WIDTH)
    assert process.pid() != first
    assert process.state()["failures"] == 0
    assert notes.lines() == ["loaded", "x", "die", "loaded", "y"]


def test_between_failures_it_waits_longer_each_time(notes: Notes) -> None:
    """After a failure no worker starts before its pause is over; pauses grow to the last one; a success resets them."""
    clock = [0.0]
    process = tiny_process(tiny_command(notes), monotonic=lambda: clock[0], backoff_s=(1.0, 5.0))

    def starts() -> int:
        return notes.lines().count("loaded")

    try:
        for pause, loaded in ((1.0, 1), (5.0, 2), (5.0, 3)):
            with pytest.raises(EmbedderGone):
                process.embed(["die"], "query")
            assert starts() == loaded
            clock[0] += pause - 0.01
            with pytest.raises(EmbedderGone):
                process.embed(["x"], "query")
            assert starts() == loaded
            assert process.state()["last_error"] == "EOFError"
            clock[0] += 0.02
        process.embed(["x"], "query")
        with pytest.raises(EmbedderGone):
            process.embed(["die"], "query")
        clock[0] += 1.01
        assert process.embed(["x"], "query").shape == (1, WIDTH)
    finally:
        process.close()


def test_past_the_deadline_the_caller_goes_on(start: Start, notes: Notes) -> None:
    """A call past its deadline raises TimeoutError; work that had not begun is dropped; later calls are answered."""
    process = start()
    waiting = Asking(process, "wait", "passage")
    until(lambda: "wait" in notes.lines())
    with pytest.raises(TimeoutError):
        process.embed(["too late"], "query", deadline_s=0.01)
    notes.go()
    waiting.join(20)
    assert process.embed(["after"], "query").shape == (1, WIDTH)
    assert notes.lines() == ["loaded", "wait", "after"]


def test_questions_go_before_background_work(start: Start, notes: Notes) -> None:
    """Queries overtake waiting passages; within a kind the order is that of arrival."""
    process = start()
    asked = [Asking(process, "wait", "passage")]
    until(lambda: "wait" in notes.lines())
    for waiting, (text, kind) in enumerate((("p1", "passage"), ("p2", "passage"), ("q1", "query"), ("q2", "query")), 1):
        asked.append(Asking(process, text, kind))
        until(lambda waiting=waiting: process.state()["waiting"] == waiting)
    notes.go()
    for one in asked:
        one.join(20)
    assert notes.lines() == ["loaded", "wait", "q1", "q2", "p1", "p2"]


def test_a_worker_that_hangs_is_ended(start: Start) -> None:
    """A worker that does not answer in time is killed, and the call fails instead of waiting for ever."""
    process = start(answer_s=2.0, backoff_s=(0.0,))
    process.embed(["x"], "query")
    hanging = process.pid()
    with pytest.raises(EmbedderGone):
        process.embed(["hang"], "query")
    assert hanging is not None
    until(lambda: not alive(hanging))


@pytest.mark.parametrize(
    "source",
    [
        'out.write(b"garbage")',
        'out.write(struct.pack("<I", 2**31) + b"x")',
        'frame(b"17")',
        'frame(b"[]")',
        "frame(b'{\"width\":9}')",
        "sys.exit(1)",
        READY + 'frame(b"7")',
        READY + 'frame(b"[]")\nframe(b"")',
        READY + 'frame(b"null")',
        READY + "frame(b'{\"rows\":-1}')\nframe(b'')",
        READY + "frame(b'{\"rows\":1}')\nframe(b'abc')",
        READY + "frame(b'{\"rows\":2}')\nframe(bytes(32))",
        READY + "frame(b'{\"rows\":1}')\nframe(bytes([255] * 16))",
        READY + 'frame(b\'{"rows":"plenty"}\')\nframe(bytes(16))',
        READY + 'frame(b\'{"error":"Boom"}\')',
    ],
)
def test_a_worker_that_answers_nonsense_is_ended_and_survived(start: Start, source: str) -> None:
    """Whatever bytes a worker writes, the call fails as EmbedderGone, and so does the next: nothing hangs."""
    process = start(
        script(f"{source}\nout.flush()\nsys.stdin.buffer.read()"), backoff_s=(0.0,), start_s=1.0, answer_s=1.0
    )
    for failures in (1, 2):
        with pytest.raises(EmbedderGone):
            process.embed(["x"], "query", deadline_s=20)
        until(lambda failures=failures: process.state()["failures"] == failures)
    assert process.pid() is None


def test_a_command_that_cannot_start_is_a_failure(start: Start) -> None:
    """A missing program fails the call and is counted."""
    process = start(["/nonexistent/worker"], backoff_s=(0.0,))
    with pytest.raises(EmbedderGone):
        process.embed(["x"], "query")
    assert process.state()["last_error"] == "FileNotFoundError"


def test_an_idle_worker_is_unloaded(start: Start, notes: Notes) -> None:
    """After the idle time the child is gone, and the next text starts another."""
    process = start(idle_unload_s=0.05)
    process.embed(["x"], "query")
    until(lambda: process.pid() is None)
    process.embed(["y"], "query")
    assert notes.lines() == ["loaded", "x", "loaded", "y"]


def test_close_ends_the_child_and_refuses_more(start: Start) -> None:
    """After close the child is gone and further texts are refused; closing again is harmless."""
    process = start()
    process.embed(["x"], "query")
    pid = process.pid()
    process.close()
    process.close()
    assert pid is not None
    until(lambda: not alive(pid))
    with pytest.raises(EmbedderGone):
        process.embed(["x"], "query")
    start().close()


def test_close_lets_nobody_wait_for_ever(start: Start, notes: Notes) -> None:
    """Calls that wait when the embedder closes fail as EmbedderGone."""
    process = start()
    busy = Asking(process, "wait", "query")
    until(lambda: "wait" in notes.lines())
    waiting = Asking(process, "later", "passage")
    until(lambda: process.state()["waiting"] == 1)
    closing = threading.Thread(target=process.close, daemon=True)
    closing.start()
    until(lambda: process.state()["waiting"] == 2)
    notes.go()
    for thread in (closing, busy, waiting):
        thread.join(20)
    assert isinstance(busy.outcome, np.ndarray)
    assert isinstance(waiting.outcome, EmbedderGone)


def test_texts_are_cleaned_on_the_way(start: Start, notes: Notes) -> None:
    """NUL, lone surrogates and emptiness never reach the native tokenizer."""
    start().embed(["a\0b", "\ud800", ""], "passage")
    assert notes.lines() == ["loaded", "a b", "?", " "]
