"""The wheel holds what the tree holds: no module or data file is left behind."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = {"engine": "selfimprint/engine", "synx": "selfimprint/synx", "models": "selfimprint/models"}
KEPT_OUT = {"__pycache__", ".mypy_cache"}


def test_the_wheel_has_every_file_of_the_packages(tmp_path: Path) -> None:
    """Built from the tree, each source and data file is in the wheel under its import name, and nothing else is."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(tmp_path),
        ".",
    ]
    subprocess.run(command, cwd=_copied(tmp_path / "tree"), check=True, capture_output=True)
    (wheel,) = tmp_path.glob("selfimprint-*.whl")
    inside = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    expected = {
        f"{FOLDERS.get(folder, folder)}/{p.relative_to(ROOT / folder).as_posix()}"
        for folder in (*FOLDERS, "selfimprintd")
        for p in (ROOT / folder).rglob("*")
        if p.is_file() and not KEPT_OUT & set(p.parts)
    }
    assert inside == expected


def _copied(target: Path) -> Path:
    """The tracked and new files, so that building leaves no trace in the tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    for name in listed:
        source = ROOT / name
        if source.is_file() and not source.is_symlink():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(source.read_bytes())
    return target
