"""Twin of synx/names.py (grammar of logical names through the vault: test_vault.py)."""

from pathlib import Path

import pytest
from selfimprint.synx.errors import BadName
from selfimprint.synx.names import check_name, folder_of, profile_tag, sealed_path


def test_the_path_shows_folder_id_and_generation_only() -> None:
    """Whatever follows the slash stays out of the path."""
    path = sealed_path(Path("/d"), "domain/Anna's illness", file_id=b"\x01" * 16, generation=10)
    assert path == Path("/d/domain/" + "01" * 16 + ".000000000000000a")
    assert sealed_path(Path("/d"), "core", file_id=b"\x01" * 16, generation=1).parent == Path("/d")
    assert (folder_of("a/b"), folder_of("a")) == ("a", "")


@pytest.mark.parametrize("name", ["core", "vectors/0003", "a-1/b", "domain/" + "x" * 193])
def test_plain_names_pass(name: str) -> None:
    """A word, or a folder and one printable part, up to 200 bytes."""
    assert check_name(name) == name
    with pytest.raises(BadName):
        check_name(name + "x" * 200)


def test_profiles_have_a_tag_each() -> None:
    """16 bytes, different for different ids; ids that could be paths are refused."""
    assert len(profile_tag("default")) == 16 and profile_tag("a") != profile_tag("b")
    for profile_id in ("", "../x", "a b", "é", ".hidden", "a" * 65, "a/b"):
        with pytest.raises(BadName):
            profile_tag(profile_id)
