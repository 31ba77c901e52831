"""Twin of synx/keystore.py."""

import pytest
from selfimprint.synx.container import open_sealed
from selfimprint.synx.errors import Damaged, WrongKey
from selfimprint.synx.keystore import FileEntry, JournalKey, Keystore, new_key, open_keystore, seal_keystore

PROFILE_KEY, PROFILE = b"k" * 32, b"p" * 16


def entry(name: str, number: int) -> FileEntry:
    return FileEntry(
        logical_name=name,
        file_id=bytes([number]) * 16,
        generation=number,
        key_id=bytes([number + 1]) * 16,
        key=bytearray([number + 2]) * 32,
        digest=bytes([number + 3]) * 32,
        size=number * 1000,
    )


KEYSTORE = Keystore(
    profile_id="p",
    files={name: entry(name, n) for n, name in enumerate(["core", "domain/äß", "domain/x"])},
    journal_keys=(
        JournalKey(first_segment=1, key=bytearray(b"a" * 32)),
        JournalKey(first_segment=9, key=bytearray(b"b" * 32)),
    ),
    note={"text": "x\n#", "number": -5},
)


def sealed(keystore: Keystore = KEYSTORE) -> bytes:
    return seal_keystore(
        keystore, profile_key=PROFILE_KEY, profile=PROFILE, generation=4, file_id=b"f" * 16, salt=b"s" * 32
    )


def test_a_keystore_comes_back() -> None:
    """Entries, journal keys, profile id and note survive; keys come back as bytes that can be overwritten."""
    found = open_keystore(sealed(), profile_key=PROFILE_KEY, profile=PROFILE)
    assert found == KEYSTORE
    assert all(isinstance(item.key, bytearray) for item in [*found.files.values(), *found.journal_keys])


def test_it_opens_with_its_profile_alone() -> None:
    """Neither another profile key nor another profile, nor the profile key used raw."""
    with pytest.raises(WrongKey):
        open_keystore(sealed(), profile_key=b"x" * 32, profile=PROFILE)
    with pytest.raises(WrongKey):
        open_keystore(sealed(), profile_key=PROFILE_KEY, profile=b"q" * 16)
    with pytest.raises(WrongKey):
        open_sealed(sealed(), key=PROFILE_KEY, profile_id=PROFILE, logical_name="keystore")


def test_a_segment_finds_the_newest_key_not_after_it() -> None:
    """Ids before a key's first segment use the key before it; before the first there is none."""
    assert [KEYSTORE.journal_key(n) for n in (1, 8, 9, 100)] == [b"a" * 32, b"a" * 32, b"b" * 32, b"b" * 32]
    with pytest.raises(Damaged):
        KEYSTORE.journal_key(0)


def test_keys_do_not_show_and_have_one_length() -> None:
    """No repr holds key bytes; a data key has 32."""
    assert "a" * 32 not in repr(KEYSTORE) and "\\x04" * 3 not in repr(KEYSTORE.files["domain/x"])
    with pytest.raises(ValueError, match="32"):
        new_key(b"short")


def test_a_wiped_keystore_holds_no_key() -> None:
    """Every file's and every journal key's bytes are overwritten in place, for whoever else holds them."""
    found = open_keystore(sealed(), profile_key=PROFILE_KEY, profile=PROFILE)
    keys = [item.key for item in (*found.files.values(), *found.journal_keys)]
    found.wipe()
    assert len(keys) == 5 and all(key == bytes(32) for key in keys)
