"""An embedder in a child process: questions go before background work, its death is survived, its memory given back."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selfimprint.models.backends import Backend, clean
from selfimprint.models.frames import read_frame, read_json, write_json

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessSettings:
    idle_unload_s: float = 300.0
    backoff_s: tuple[float, ...] = (0.0, 0.5, 2.0, 10.0, 60.0)
    start_s: float = 60.0
    answer_s: float = 120.0


@dataclass(order=True)
class _Job:
    rank: tuple[int, int]
    texts: list[str] = field(compare=False)
    kind: str = field(compare=False)
    done: Future[Rows] = field(compare=False)


class EmbedderGone(OSError):
    """The worker died or answered garbage; the text was not embedded and may be tried again."""


class EmbedderProcess:
    """Fits the engine's Embedder port. Thread-safe; one worker, started at the first text and ended when idle."""

    def __init__(
        self,
        backend: Backend,
        settings: ProcessSettings | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        command: Sequence[str] | None = None,
    ) -> None:
        self._backend = backend
        self._settings = settings or ProcessSettings()
        self._monotonic = monotonic
        self._command = list(command or (sys.executable, "-P", "-m", "selfimprint.models.worker", backend.name))
        self._jobs: queue.PriorityQueue[_Job] = queue.PriorityQueue()
        self._order = itertools.count()
        self._child: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._retry_at = 0.0
        self._last_error = ""
        self._closed = False
        self._thread: threading.Thread | None = None
        self._start_lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        return self._backend.fingerprint()

    @property
    def width(self) -> int:
        return self._backend.width

    def embed(self, texts: Sequence[str], kind: str, deadline_s: float | None = None) -> Rows:
        """Rows for the texts; TimeoutError past the deadline (the work is dropped if not begun), EmbedderGone else."""
        if not texts:
            return np.zeros((0, self.width), dtype=np.float32)
        urgent = 0 if kind == "query" else 1
        job = _Job((urgent, next(self._order)), [clean(t) for t in texts], kind, Future())
        with self._start_lock:
            if self._closed:
                raise EmbedderGone("the embedder is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="embedder", daemon=True)
                self._thread.start()
            self._jobs.put(job)
        try:
            return job.done.result(timeout=deadline_s)
        except TimeoutError:
            job.done.cancel()
            raise

    def state(self) -> dict[str, Any]:
        """For the status page: running, failures in a row, the last error, jobs waiting."""
        return {
            "embedder": self.fingerprint,
            "running": self._child is not None,
            "failures": self._failures,
            "last_error": self._last_error,
            "waiting": self._jobs.qsize(),
        }

    def pid(self) -> int | None:
        return self._child.pid if self._child is not None else None

    def close(self) -> None:
        """End the worker and fail what waits. May be called twice."""
        with self._start_lock:
            self._closed = True
            self._jobs.put(_Job((-1, -1), [], "stop", Future()))
        if self._thread is not None:
            self._thread.join(timeout=5)
        self._end_child()

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=self._settings.idle_unload_s)
            except queue.Empty:
                self._end_child()  # idle: its memory goes back to the system
                continue
            if job.kind == "stop":
                self._fail_waiting()
                return
            if not job.done.set_running_or_notify_cancel():
                continue
            try:
                rows = self._ask(job)
            except Exception as error:  # whatever a broken worker answers: this thread must outlive it
                self._failed(error)
                job.done.set_exception(EmbedderGone(f"the embedder failed: {type(error).__name__}"))
            else:
                self._failures = 0
                job.done.set_result(rows)

    def _fail_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job.done.set_running_or_notify_cancel():
                    job.done.set_exception(EmbedderGone("the embedder is closed"))

    def _ask(self, job: _Job) -> Rows:
        child = self._running_child()
        assert child.stdin is not None and child.stdout is not None
        # a worker that hangs is ended by the timer, which the read below then sees as a closed pipe
        timer = threading.Timer(self._settings.answer_s, child.kill)
        timer.daemon = True
        timer.start()
        try:
            write_json(child.stdin, {"texts": job.texts, "kind": job.kind})
            head = read_json(child.stdout)
            if "error" in head:
                raise ValueError(head["error"])
            rows = np.frombuffer(read_frame(child.stdout), dtype="<f4").reshape(head["rows"], self.width)
        finally:
            timer.cancel()
        if len(rows) != len(job.texts):
            raise ValueError("the worker answered for another number of texts")
        if not np.isfinite(rows).all():
            raise ValueError("the worker answered with numbers that are not finite")
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(norms > 0, norms, 1.0), dtype=np.float32)

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self._end_child()
        if self._monotonic() < self._retry_at:
            raise EmbedderGone("the embedder failed lately; waiting before the next start")
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
        child = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self._child = child
        assert child.stdout is not None
        timer = threading.Timer(self._settings.start_s, child.kill)
        timer.daemon = True
        timer.start()
        try:
            head = read_json(child.stdout)
        finally:
            timer.cancel()
        if head.get("width") != self.width:
            raise ValueError("the worker loaded another model")
        return child

    def _failed(self, error: Exception) -> None:
        if isinstance(error, EmbedderGone):
            return  # still waiting: the last error is the one it waits for
        self._last_error = type(error).__name__
        self._end_child()
        steps = self._settings.backoff_s
        self._retry_at = self._monotonic() + steps[min(self._failures, len(steps) - 1)]
        self._failures += 1

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        for stream in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        try:
            child.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
