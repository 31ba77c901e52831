"""Twin of synx/uncollected.py: the cycle collector waits, and is always given back as it was."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from selfimprint.synx.uncollected import uncollected


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector as it was before the test, whatever becomes of it there."""
    before = gc.isenabled()
    gc.enable()
    yield
    if not before:
        gc.disable()


def test_nothing_is_collected_until_the_last_is_done() -> None:
    """The collector stands still in the outer and in the inner block, and runs again after both."""
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_failure_gives_the_collector_back() -> None:
    """What is raised inside passes, and the collector runs again."""
    with pytest.raises(ValueError, match="inside"), uncollected():
        raise ValueError("inside")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    """Whoever switched it off before switches it on again, nobody else."""
    gc.disable()
    with uncollected():
        assert not gc.isenabled()
    assert not gc.isenabled()
    gc.enable()


def test_threads_wait_for_one_another() -> None:
    """A thread that is done first leaves the collector off for the one that still reads."""
    inside, leave = threading.Event(), threading.Event()

    def read() -> None:
        with uncollected():
            inside.set()
            leave.wait(10)

    reader = threading.Thread(target=read)
    reader.start()
    assert inside.wait(10)
    with uncollected():
        pass
    assert not gc.isenabled()
    leave.set()
    reader.join()
    assert gc.isenabled()
