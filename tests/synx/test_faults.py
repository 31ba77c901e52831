"""What the vault promises under crash, power loss, a full disk and failing calls (twin of the whole of `synx/`)."""

import errno
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from memory_files import Crash, Fault, MemoryFiles
from selfimprint.synx.errors import DiskFull, ReadOnly, VaultError
from selfimprint.synx.vault import Vault
from vault_fixtures import create_vault, open_vault


@dataclass
class Model:
    """What a reader must see."""

    contents: dict[str, bytes] = field(default_factory=dict)
    records: list[tuple[int, bytes]] = field(default_factory=list)
    through_seq: int = 0

    def copy(self) -> "Model":
        return Model(dict(self.contents), list(self.records), self.through_seq)


Step = Callable[["Run"], None]


class Run:
    """A vault, the model of what it acknowledged, and the model of what it may have done besides."""

    def __init__(self, files: MemoryFiles) -> None:
        self.files = files
        self.now = Model()
        self.maybe = Model()
        self.vault: Vault | None = None

    def create(self) -> None:
        self.vault = create_vault(self.files)

    def append(self, payload: bytes) -> None:
        assert self.vault is not None
        self.maybe = self.now.copy()
        self.maybe.records.append((self.vault.last_seq + 1, payload))
        self.vault.append(payload)
        self.now = self.maybe

    def checkpoint(self, changed: dict[str, bytes | None], back: int = 0) -> None:
        assert self.vault is not None
        self.maybe = self.now.copy()
        for name, content in changed.items():
            if content is None:
                self.maybe.contents.pop(name, None)
            else:
                self.maybe.contents[name] = content
        through = self.vault.last_seq - back
        self.maybe.through_seq = through
        self.maybe.records = [(seq, payload) for seq, payload in self.maybe.records if seq > through]
        self.vault.checkpoint(changed, through_seq=through, note={"n": through})
        self.now = self.maybe

    def rewrite(self, names: list[str]) -> None:
        assert self.vault is not None
        self.maybe = self.now
        self.vault.rewrite(names)

    def reopen(self) -> None:
        assert self.vault is not None
        self.maybe = self.now
        self.vault.close()
        self.vault = open_vault(self.files)


def seen(vault: Vault) -> Model:
    return Model({name: vault.read(name) for name in vault.names()}, list(vault.replay()), vault.through_seq)


SCRIPT: list[Step] = [
    Run.create,
    lambda run: run.append(b"one"),
    lambda run: run.append(b"two" * 100),
    lambda run: run.checkpoint({"core": b"C1", "domain/x": b"X1", "domain/y": b"Y1"}, back=1),
    lambda run: run.append(b"three"),
    lambda run: run.reopen(),
    lambda run: run.append(b"four"),
    lambda run: run.checkpoint({"core": b"C2", "domain/y": None, "sessions/2026-11": b"S" * 70000}),
    lambda run: run.rewrite(["domain/x"]),
    lambda run: run.append(b"five"),
    lambda run: run.append(b"six"),
]


def play(run: Run, script: list[Step] = SCRIPT) -> None:
    for step in script:
        step(run)


def calls_in_script() -> int:
    run = Run(MemoryFiles())
    play(run)
    return run.files.calls


def crashing_at(number: int) -> Fault:
    return lambda at, call, path: Crash() if at == number else None


CALLS = calls_in_script()


def test_the_script_reaches_every_kind_of_call() -> None:
    """The fault tests below stop at every call the port has."""
    run = Run(MemoryFiles())
    play(run)
    kinds = {call for call, _ in run.files.log}
    assert kinds == {"read", "size", "names", "create", "reopen", "replace", "unlink", "make_folder", "sync_folder"} | {
        "lock",
        "write",
        "sync",
    }


def check_found(files: MemoryFiles, run: Run) -> None:
    """The directory opens undamaged at the acknowledged state or at that after the interrupted step, and goes on."""
    try:
        vault = open_vault(files)
    except VaultError as error:
        assert run.vault is None, f"an acknowledged vault does not open: {error}"
        again = Run(files)
        again.create()
        return
    assert vault.damage == () and vault.read_only is None
    found = seen(vault)
    assert found in (run.now, run.maybe)
    seq = vault.append(b"after")
    assert seq == max([run_seq for run_seq, _ in found.records], default=found.through_seq) + 1
    vault.checkpoint({"later": b"L"}, through_seq=seq, note={})
    vault.close()
    again_opened = open_vault(files)
    assert again_opened.read("later") == b"L" and list(again_opened.replay()) == []
    left = [path for path in files.entries if path.name.endswith(".tmp")]
    assert left == []


@pytest.mark.parametrize("number", range(1, CALLS + 1))
def test_a_kill_at_any_call_leaves_before_or_after(number: int) -> None:
    """Whatever call the process dies in, the state found is that before or after the step it was in."""
    run = Run(MemoryFiles(fault=crashing_at(number)))
    with pytest.raises(Crash):
        play(run)
    check_found(run.files.after_kill(), run)


@pytest.mark.parametrize("seed", range(120))
def test_a_power_loss_loses_nothing_acknowledged(seed: int) -> None:
    """Unsynced bytes dropped, torn or zeroed, unsynced names old or new: what was acknowledged stays."""
    chance = random.Random(seed)
    run = Run(MemoryFiles(fault=crashing_at(chance.randrange(1, CALLS + 1))))
    with pytest.raises(Crash):
        play(run)
    check_found(run.files.after_power_loss(chance), run)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES])
@pytest.mark.parametrize("number", range(1, CALLS + 1))
def test_a_call_that_fails_once_acknowledges_nothing_false(number: int, code: int) -> None:
    """A failing call is a VaultError or harmless; reads go on; a full disk heals without restart, the rest with."""

    def fault(at: int, call: str, path: Path) -> OSError | None:
        return OSError(code, "injected") if at == number else None

    run = Run(MemoryFiles(fault=fault))
    for step in SCRIPT:
        try:
            step(run)
        except VaultError as error:
            refused = error
            break
    else:
        assert seen(run.vault) == run.now  # type: ignore[arg-type]  # created by the first step
        check_found(run.files.after_kill(), run)
        return
    vault = run.vault
    if vault is not None and not vault._closed:
        assert seen(vault) in (run.now, run.maybe)
        if isinstance(refused, DiskFull) and vault.read_only is None:
            run.append(b"again")
            assert (vault.last_seq, b"again") in list(vault.replay())
        elif vault.read_only is not None:
            with pytest.raises(ReadOnly):
                vault.append(b"never")
    check_found(run.files.after_kill(), run)
