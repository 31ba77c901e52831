"""Each source file has its twin test: the same path under tests/, named test_ before it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("engine", "synx", "models", "selfimprintd")
WITHOUT = {
    "selfimprintd/facade.py",  # protocols and frozen inputs: nothing in it runs
    "engine/extraction/packs/build.py",  # tests/engine/extraction/test_packs.py reads what it builds
    "engine/extraction/packs/model.py",  # so it does the shapes
    "engine/extraction/packs/literals.py",  # tests/engine/extraction/test_literals.py
}


def sources(folder: str) -> list[str]:
    found = (ROOT / folder).rglob("*.py")
    return sorted(p.relative_to(ROOT).as_posix() for p in found if p.name != "__init__.py")


def twin_of(source: str) -> Path:
    path = Path(source)
    return ROOT / "tests" / path.parent / f"test_{path.name}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_source_file_has_its_twin(folder: str) -> None:
    """A file whose test nobody finds is a file nobody tests."""
    found = sources(folder)
    assert found
    assert [s for s in found if s not in WITHOUT and not twin_of(s).exists()] == []


def test_what_has_no_twin_exists_and_has_none() -> None:
    """The exceptions do not outlive their reasons."""
    assert [s for s in sorted(WITHOUT) if not (ROOT / s).exists() or twin_of(s).exists()] == []
