"""What Linux tells of a running process: its memory and how often it wakes."""

from __future__ import annotations

import time
from pathlib import Path


def resident_mib(pid: int) -> float:
    return _field(Path(f"/proc/{pid}/status"), "VmRSS") / 1024


def wakeups_a_second(pid: int, seconds: float) -> float:
    """Voluntary switches of all its threads: each is a wait that ended."""
    before = _switches(pid)
    time.sleep(seconds)
    return (_switches(pid) - before) / seconds


def _switches(pid: int) -> int:
    return sum(_field(task / "status", "voluntary_ctxt_switches") for task in Path(f"/proc/{pid}/task").iterdir())


def _field(path: Path, name: str) -> int:
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise LookupError(f"{path} says nothing of {name}")
