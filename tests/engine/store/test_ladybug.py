"""The fork `ladybug` passes the same tests through the same adapter, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SUITES = ("test_port.py", "test_database.py", "test_kuzu.py", "test_rows.py", "test_model.py", "test_scale.py")


def test_the_same_suites(driver: str) -> None:
    """Every suite that opens a database passes with ladybug in the place of kuzu."""
    if driver == "ladybug":
        return  # this is that run
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *(str(HERE / s) for s in SUITES)],
        env={**os.environ, "SELFIMPRINT_TEST_DRIVER": "ladybug"},
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert (passed := re.search(r"(\d+) passed", run.stdout)) is not None, run.stdout[-1000:]
    assert int(passed[1]) > 150


@pytest.mark.parametrize("second", ["kuzu", "ladybug"])
def test_one_driver_a_process(second: str) -> None:
    """The second driver of the family is refused in words, before it can take the process down."""
    first = "ladybug" if second == "kuzu" else "kuzu"
    code = (
        "import sys\n"
        "from selfimprint.engine.store.kuzu import KuzuStore\n"
        "from selfimprint.engine.store.port import StoreFailed\n"
        "store = KuzuStore(lambda: ([], [], 0), module=sys.argv[1])\n"
        "try:\n"
        "    KuzuStore(lambda: ([], [], 0), module=sys.argv[2])\n"
        "except StoreFailed as error:\n"
        "    print(store.count(), error)\n"
        "store.close()\n"
    )
    run = subprocess.run([sys.executable, "-c", code, first, second], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("(0, 0)") and f"{second} cannot be used" in run.stdout
