"""How fast is it? The rows of design §11 that exist, each beside its floor or a SQLite + numpy baseline.

    python benchmarks/speed.py [--sizes 1k 10k] [--large] [--repetitions 15] [--out benchmarks/results]

Medians of repetitions taken in turns with their baselines, so that both meet the same noise. Writes `speed.md` and,
where matplotlib is installed (it is not part of the product), `speed.png`.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import daemon_rows
import memory_rows
from fixture import SIZES, make_home
from measuring import Row, markdown, plot

BOUNDS = {"10k": 15.0, "100k": 150.0}
"""Context for one message, milliseconds (design §11)."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", default=["1k", "10k"], choices=sorted(SIZES))
    parser.add_argument("--large", action="store_true", help="100k too: half an hour more")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--messages", type=int, default=200, help="of each client, for ingest")
    parser.add_argument("--idle-s", type=float, default=20.0, help="how long an idle daemon is watched")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    args = parser.parse_args(argv)
    began, load = time.perf_counter(), os.getloadavg()[0]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="selfimprint-speed-") as folder:
        for size in [*args.sizes, *(["100k"] if args.large else [])]:
            rows += _of_size(Path(folder) / size, size, args)
        _say("an empty daemon")
        rows += daemon_rows.empty(Path(folder) / "empty", args.repetitions, args.idle_s)
    head = _head(time.perf_counter() - began, load, args.repetitions)
    text = f"{head}\n{markdown(rows)}"
    args.out.mkdir(parents=True, exist_ok=True)
    if plot(rows, args.out / "speed.png"):
        text += "\n![the same as a picture](speed.png)\n"
    (args.out / "speed.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


def _of_size(home: Path, size: str, args: argparse.Namespace) -> list[Row]:
    settings = SIZES[size]
    _say(f"{size}: making the profile")
    daemon = make_home(home, settings)
    _say(f"{size}: in one process")
    rows = memory_rows.rows(home, size, settings, args.repetitions, must_context_ms=BOUNDS.get(size))
    _say(f"{size}: over HTTP")
    return rows + daemon_rows.ingest(daemon, home, size, args.messages, args.repetitions)


def _head(seconds: float, load: float, repetitions: int) -> str:
    cpu = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return (
        f"Measured {datetime.now(UTC):%Y-%m-%d} in {seconds / 60:.0f} minutes on {cpu}; load average {load:.1f} before "
        f"and {os.getloadavg()[0]:.1f} after. Medians of {repetitions} repetitions, in turns with their baselines. "
        "A load above the benchmark's own (about 1) says that others were working on the machine: then the wall clock "
        "runs high, and the columns CPU (this process's processor time, ms) and ratio say more.\n"
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
