"""Twin of synx/journal.py."""

import errno
import random
import threading
from pathlib import Path

import pytest
from memory_files import MemoryFiles
from selfimprint.synx.errors import DiskFull, LimitExceeded, Locked, ReadOnly
from selfimprint.synx.journal import Journal
from selfimprint.synx.recovery import Recovered

FOLDER = Path("/j")


class SlowSync(MemoryFiles):
    """Holds the first sync of a record until released, so that others gather behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.armed = False
        self.entered, self.release = threading.Event(), threading.Event()

    def step(self, call: str, path: Path) -> BaseException | None:
        if call == "sync" and self.armed:
            self.armed = False
            self.entered.set()
            assert self.release.wait(10)
        return super().step(call, path)


def journal(files: MemoryFiles, recovered: Recovered | None = None) -> Journal:
    files.make_folder(FOLDER)
    made = Journal(
        FOLDER,
        files=files,
        recovered=recovered or Recovered(),
        key_for=lambda segment_id: b"k" * 32,
        profile=b"p" * 16,
        randomness=random.Random(1).randbytes,
        record_bytes=1000,
    )
    made.start()
    return made


def syncs(files: MemoryFiles) -> int:
    return sum(1 for call, path in files.log if call == "sync" and path.suffix == ".seg")


def test_an_idle_journal_syncs_every_record_at_once() -> None:
    """One thread alone pays one sync a record and waits for nothing else."""
    files = MemoryFiles()
    made = journal(files)
    assert [made.append(b"a"), made.append(b"b")] == [1, 2]
    assert syncs(files) == 2 and made.last_seq == 2
    assert list(made.replay(0)) == [(1, b"a"), (2, b"b")] and list(made.replay(1)) == [(2, b"b")]


def test_records_that_arrive_during_a_sync_share_the_next() -> None:
    """Twenty threads behind one running sync need one more, and each gets its own number."""
    files = SlowSync()
    made = journal(files)
    files.armed = True
    numbers: list[int] = []
    threads = [threading.Thread(target=lambda n=n: numbers.append(made.append(b"%d" % n))) for n in range(21)]
    threads[0].start()
    assert files.entered.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(made._batch.parts) < 20:
        pass
    assert made.last_seq == 0
    files.release.set()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 22))
    assert syncs(files) == 2
    assert sorted(payload for _, payload in made.replay(0)) == sorted(b"%d" % n for n in range(21))


def test_many_threads_lose_and_repeat_nothing() -> None:
    """Acknowledged numbers are unique, without gap, and replay gives each thread's payload under its number."""
    files = MemoryFiles()
    made = journal(files)
    acknowledged: dict[int, bytes] = {}

    def work(name: int) -> None:
        for n in range(50):
            payload = b"%d-%d" % (name, n)
            acknowledged[made.append(payload)] = payload
            if n % 20 == name:
                made.rotate()

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dict(made.replay(0)) == acknowledged and sorted(acknowledged) == list(range(1, 401))


def failing(call: str, code: int, after: int = 0) -> MemoryFiles:
    """Fails the calls of one kind on segments, once `armed` is set, `after` more of them having passed."""
    files = MemoryFiles()
    state = {"armed": False, "left": after}

    def fault(number: int, kind: str, path: Path) -> OSError | None:
        if not state["armed"] or kind != call or path.suffix != ".seg":
            return None
        state["left"] = int(state["left"]) - 1
        if state["left"] >= 0:
            return None
        state["armed"] = False
        return OSError(code, "injected")

    files.fault = fault
    files.arm = lambda: state.update(armed=True)  # type: ignore[attr-defined]  # a handle for the test
    return files


def test_a_full_disk_refuses_the_record_and_heals() -> None:
    """DiskFull is not acknowledged; the next append takes its number in a new segment, and nothing of the old shows."""
    files = failing("write", errno.ENOSPC)
    made = journal(files)
    made.append(b"kept")
    files.arm()
    with pytest.raises(DiskFull):
        made.append(b"refused" * 10)
    assert made.failed is None
    assert made.append(b"next") == 2
    assert list(made.replay(0)) == [(1, b"kept"), (2, b"next")]


@pytest.mark.parametrize("call, code", [("write", errno.EIO), ("sync", errno.EIO), ("sync", errno.ENOSPC)])
def test_an_io_error_is_final(call: str, code: int) -> None:
    """After a failed sync, or any other failed write, nothing is acknowledged again; reading goes on."""
    files = failing(call, code)
    made = journal(files)
    made.append(b"kept")
    files.arm()
    with pytest.raises(ReadOnly):
        made.append(b"refused")
    with pytest.raises(ReadOnly):
        made.append(b"again")
    with pytest.raises(ReadOnly):
        made.rotate()
    assert made.failed is not None and list(made.replay(0)) == [(1, b"kept")]


def test_everyone_behind_a_failed_sync_is_told() -> None:
    """Those who gathered while the failing sync ran are refused too: their numbers follow a lost one."""
    files = SlowSync()
    made = journal(files)
    files.armed = True
    files.fault = lambda number, call, path: OSError(errno.EIO, "injected") if files.entered.is_set() else None
    refused: list[str] = []

    def work() -> None:
        try:
            made.append(b"x")
        except ReadOnly as error:
            refused.append(error.code)

    threads = [threading.Thread(target=work) for _ in range(5)]
    threads[0].start()
    assert files.entered.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(made._batch.parts) < 4:
        pass
    files.release.set()
    for thread in threads:
        thread.join()
    assert refused == ["read-only"] * 5 and made.last_seq == 0


def test_no_nonce_is_used_twice() -> None:
    """Every segment has its own salt, also when a number is used again after a full disk."""
    files = failing("write", errno.ENOSPC)
    made = journal(files)
    files.arm()
    with pytest.raises(DiskFull):
        made.append(b"x" * 100)
    made.append(b"y" * 100)
    made.rotate()
    salts = [bytes(inode.data[16:48]) for path, inode in files.entries.items() if path.suffix == ".seg"]
    assert len(salts) == len(set(salts)) == 3


def test_dropping_keeps_what_is_asked_and_what_is_newer() -> None:
    """Segments before the checkpoint's go unless kept; a segment closed later stays."""
    files = MemoryFiles()
    made = journal(files)
    made.append(b"a")
    named = made.rotate()
    kept = made.kept_after(1)
    made.append(b"b")
    made.rotate()
    made.drop(kept, before=named)
    assert kept == [named] and list(made.replay(0)) == [(2, b"b")]
    assert made.size_bytes == sum(len(i.data) for path, i in files.entries.items() if path.suffix == ".seg")


def test_limits_pause_and_end() -> None:
    """Too long a record is refused, a paused journal makes appends wait, a closed one is Locked."""
    made = journal(MemoryFiles())
    with pytest.raises(LimitExceeded):
        made.append(b"x" * 1001)
    waiting = threading.Thread(target=made.append, args=(b"w",))
    with made.paused():
        waiting.start()
        waiting.join(0.05)
        assert waiting.is_alive() and made.settled() == 0
    waiting.join()
    made.close()
    with pytest.raises(Locked):
        made.append(b"x")


def test_segment_ids_do_not_run_past_a_key_change() -> None:
    """More segments than ids before the next key is refused rather than sealed under the wrong key."""
    made = journal(MemoryFiles())
    made.rotate()
    with pytest.raises(ReadOnly):
        made.advance_to(2)


def test_closing_writes_what_still_waits() -> None:
    """Threads whose records gathered when the journal is closed are acknowledged, later ones are Locked."""
    files = SlowSync()
    made = journal(files)
    files.armed = True
    numbers: list[int] = []
    threads = [threading.Thread(target=lambda: numbers.append(made.append(b"x"))) for _ in range(4)]
    threads[0].start()
    assert files.entered.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(made._batch.parts) < 3:
        pass
    closing = threading.Thread(target=made.close)
    closing.start()
    files.release.set()
    for thread in [*threads, closing]:
        thread.join()
    assert sorted(numbers) == [1, 2, 3, 4] and len(list(made.replay(0))) == 4
    with pytest.raises(Locked):
        made.append(b"late")
