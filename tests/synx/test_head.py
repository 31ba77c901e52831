"""Twin of synx/head.py."""

import pytest
from selfimprint.synx.errors import Damaged, TooNew, VaultError
from selfimprint.synx.head import Head, parse_head

KEY = bytearray(b"k" * 32)
HEAD = Head(profile=b"p" * 16, generation=3, through_seq=9, first_segment=4, segment=5, keystore_hash=b"h" * 32)


def test_a_head_comes_back() -> None:
    """Every field survives."""
    assert parse_head(HEAD.to_bytes(KEY), KEY, profile=b"p" * 16) == HEAD


def test_every_changed_bit_and_length_is_noticed() -> None:
    """Neither a flip nor a cut nor an addition passes."""
    data = HEAD.to_bytes(KEY)
    changes = [data[:n] for n in range(len(data))] + [data + b"\0"]
    for at in range(len(data) * 8):
        changes.append(data[: at // 8] + bytes([data[at // 8] ^ 1 << at % 8]) + data[at // 8 + 1 :])
    for changed in changes:
        with pytest.raises(VaultError):
            parse_head(changed, KEY, profile=b"p" * 16)


def test_another_key_profile_or_version_is_refused() -> None:
    """Each with its own error."""
    data = HEAD.to_bytes(KEY)
    with pytest.raises(Damaged):
        parse_head(data, bytearray(32), profile=b"p" * 16)
    with pytest.raises(Damaged):
        parse_head(data, KEY, profile=b"q" * 16)
    with pytest.raises(TooNew):
        parse_head(data[:8] + b"\x02" + data[9:], KEY, profile=b"p" * 16)
