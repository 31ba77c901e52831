"""Where files lie, and that nobody else can read them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from selfimprintd.paths import find_paths, make_private, write_private


def test_a_home_holds_everything() -> None:
    """--home wins over $SELFIMPRINT_HOME, which wins over XDG."""
    paths = find_paths("/a", {"SELFIMPRINT_HOME": "/b", "XDG_DATA_HOME": "/c"})
    assert (paths.config_file, paths.data, paths.state, paths.runtime) == (
        Path("/a/config.toml"), Path("/a/data"), Path("/a/state"), Path("/a/runtime"),
    )  # fmt: skip
    assert find_paths(None, {"SELFIMPRINT_HOME": "/b"}).data == Path("/b/data")


def test_without_a_home_the_xdg_directories_are_used() -> None:
    """Relative XDG values are ignored, as the specification says; without a runtime directory the state's is used."""
    paths = find_paths(None, {"HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "relative"})
    assert paths.data == Path("/d/selfimprint")
    assert paths.state == Path("/h/.local/state/selfimprint")
    assert paths.runtime == Path("/h/.local/state/selfimprint/runtime")
    assert find_paths(None, {"HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1"}).runtime == Path("/run/user/1/selfimprint")


def test_a_directory_too_long_for_a_socket_has_none() -> None:
    """The daemon then listens on its port alone."""
    assert find_paths("/" + "x" * 120, {}).socket is None
    assert find_paths("/short", {}).socket == Path("/short/runtime/daemon.sock")


def test_directories_are_closed_to_others(tmp_path: Path) -> None:
    """New ones are made 0700, old ones are closed."""
    (tmp_path / "open").mkdir(mode=0o755)
    for name in ("open", "new"):
        make_private(tmp_path / name)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o700


def test_a_private_file_is_0600_from_its_first_moment_and_replaced_whole(tmp_path: Path) -> None:
    """No leftovers, no following of links, whatever the umask."""
    path, outside = tmp_path / "secret", tmp_path / "outside"
    outside.write_text("untouched")
    path.symlink_to(outside)
    mask = os.umask(0)
    try:
        write_private(path, b"one")
        write_private(path, b"two")
    finally:
        os.umask(mask)
    assert path.read_bytes() == b"two"
    assert not path.is_symlink() and outside.read_text() == "untouched"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["outside", "secret"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """A directory in the way is an error, not a loss."""
    (tmp_path / "there").mkdir()
    with pytest.raises(OSError):
        write_private(tmp_path / "there", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["there"]
