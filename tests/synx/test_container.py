"""Twin of synx/container.py."""

import importlib.util
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selfimprint.synx.container import CHUNK_BYTES, HEADER_BYTES, open_sealed, parse_header, seal
from selfimprint.synx.errors import Damaged, VaultError, WrongKey

HERE = Path(__file__).parent
VECTORS = sorted((HERE / "vectors").glob("*.vector"))
KEY, PROFILE, NAME = b"k" * 32, b"p" * 16, "domain/ü"


def decryptor():
    spec = importlib.util.spec_from_file_location("independent_decryptor", HERE / "independent_decryptor.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sealed(plaintext: bytes, name: str = NAME, profile: bytes = PROFILE, key: bytes = KEY) -> bytes:
    return seal(
        plaintext,
        key=key,
        key_id=b"i" * 16,
        file_id=b"f" * 16,
        generation=3,
        salt=random.Random(1).randbytes(32),
        profile_id=profile,
        logical_name=name,
    )


def opened(data: bytes, name: str = NAME, profile: bytes = PROFILE, key: bytes = KEY) -> bytes:
    return open_sealed(data, key=key, profile_id=profile, logical_name=name)


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_public_vectors_end_as_their_heads_say(path: Path) -> None:
    """Ours and an independent reading of the format page agree with every vector."""
    other = decryptor()
    fields, data = other.read_vector(path)
    assert other.outcome(fields, data) == fields["expect"]
    arguments = {"key": bytes.fromhex(fields["key"]), "profile": bytes.fromhex(fields["profile"])}
    try:
        plaintext = opened(data, fields["name"], **arguments)
    except VaultError as error:
        assert error.code == fields["expect"]
    else:
        assert other.outcome(fields, data) == "ok " + other.hashlib.sha256(plaintext).hexdigest()


def test_there_are_vectors_for_every_outcome() -> None:
    """Each result the format page names has at least one public vector."""
    other = decryptor()
    assert {other.read_vector(path)[0]["expect"].split(" ")[0] for path in VECTORS} == {
        "ok",
        "damaged",
        "too-new",
        "wrong-key",
    }


@given(
    size=st.sampled_from([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES]),
    byte=st.binary(min_size=1, max_size=1),
)
@settings(max_examples=20, deadline=None)
def test_what_was_sealed_is_opened(size: int, byte: bytes) -> None:
    """Any length around chunk borders comes back exactly, and an independent reader gets the same."""
    data = sealed(byte * size)
    assert opened(data) == byte * size == decryptor().decrypt(data, KEY, PROFILE, NAME)


def test_every_flipped_bit_is_noticed() -> None:
    """No single changed bit anywhere in a small file goes unnoticed."""
    data = sealed(b"secret")
    for at in range(len(data) * 8):
        changed = bytearray(data)
        changed[at // 8] ^= 1 << at % 8
        with pytest.raises(VaultError):
            opened(bytes(changed))


@pytest.mark.parametrize("size", [0, 5, CHUNK_BYTES, CHUNK_BYTES * 2 + 9])
def test_every_cut_and_append_is_noticed(size: int) -> None:
    """Cut at chunk borders and anywhere, or lengthened, a file does not open."""
    data = sealed(b"z" * size)
    cuts = {*range(min(len(data), 300)), *(120 + 65552 * n for n in range(1, 3)), len(data) - 1}
    for cut in sorted(cut for cut in cuts if cut < len(data)):
        with pytest.raises(VaultError):
            opened(data[:cut])
    for tail in (b"\0", b"x" * 16, data[120:]):
        with pytest.raises(VaultError):
            opened(data + tail)


def test_five_hundred_random_corruptions_are_noticed() -> None:
    """Bytes overwritten, removed, inserted or moved at random places never open."""
    chance = random.Random(4)
    data = sealed(b"q" * 900)
    for _ in range(500):
        at, length = chance.randrange(len(data)), chance.randrange(1, 40)
        changed = chance.choice(
            [
                data[:at] + chance.randbytes(length) + data[at + length :],
                data[:at] + data[at + length :],
                data[:at] + chance.randbytes(length) + data[at:],
                data[at:] + data[:at] if at else data[1:],
            ]
        )
        if changed != data:
            with pytest.raises(VaultError):
                opened(changed)


def test_a_file_belongs_to_its_name_profile_and_key() -> None:
    """Another name or profile is damage, another key is said to be one."""
    data = sealed(b"mine")
    with pytest.raises(Damaged):
        opened(data, name="domain/other")
    with pytest.raises(Damaged):
        opened(data, profile=b"q" * 16)
    with pytest.raises(WrongKey):
        opened(data, key=b"x" * 32)


def test_the_header_is_public_and_fixed() -> None:
    """88 bytes tell key id, file id, generation and salt."""
    header = parse_header(sealed(b""))
    assert HEADER_BYTES == 88
    assert (header.key_id, header.file_id, header.generation) == (b"i" * 16, b"f" * 16, 3)
    assert header.to_bytes() == sealed(b"")[:88]


def test_a_profile_id_of_another_length_is_refused() -> None:
    """The associated data stays unambiguous because the profile id has one length."""
    with pytest.raises(ValueError, match="16 bytes"):
        sealed(b"", profile=b"short")
