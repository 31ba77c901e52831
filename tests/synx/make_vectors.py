"""Writes tests/synx/vectors/ from fixed keys; run once per format version, the files are committed."""

import hashlib
from pathlib import Path

from selfimprint.synx.container import seal

KEY = hashlib.sha256(b"vector key").digest()
PROFILE = hashlib.sha256(b"vector profile").digest()[:16]
FOLDER = Path(__file__).parent / "vectors"


def sealed(plaintext: bytes, name: str = "domain/x") -> bytes:
    """One file under the vectors' key."""
    return seal(
        plaintext,
        key=KEY,
        key_id=b"k" * 16,
        file_id=b"f" * 16,
        generation=7,
        salt=hashlib.sha256(b"vector salt").digest(),
        profile_id=PROFILE,
        logical_name=name,
    )


def flip(data: bytes, at: int) -> bytes:
    """One bit changed."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def write(
    title: str, expect: str, data: bytes, *, key: bytes = KEY, profile: bytes = PROFILE, name: str = "domain/x"
) -> None:
    """One vector: text head, empty line, sealed bytes."""
    head = f"title: {title}\nexpect: {expect}\nkey: {key.hex()}\nprofile: {profile.hex()}\nname: {name}\n\n"
    (FOLDER / (title.replace(" ", "-") + ".vector")).write_bytes(head.encode("utf-8") + data)


def main() -> None:
    """All vectors."""
    small, whole, two = b"A short secret.", b"w" * 65536, b"t" * 65537
    for title, plaintext in (("empty", b""), ("short", small), ("one whole chunk", whole), ("two chunks", two)):
        write(title, "ok " + hashlib.sha256(plaintext).hexdigest(), sealed(plaintext))
    write("bit flip in the body", "damaged", flip(sealed(small), 125))
    write("bit flip in the header", "wrong-key", flip(sealed(small), 60))
    write("cut at a chunk", "damaged", sealed(two)[: 120 + 65552])
    write("cut short", "damaged", sealed(small)[:130])
    write("appended", "damaged", sealed(small) + b"x")
    body = sealed(two + whole)[120:]
    write("chunks swapped", "damaged", sealed(two)[:120] + body[65552 : 2 * 65552] + body[:65552] + body[2 * 65552 :])
    write("another version", "too-new", flip(sealed(small), 8))
    write("another suite", "too-new", flip(sealed(small), 10))
    write("a flag", "too-new", flip(sealed(small), 11))
    write("another key", "wrong-key", sealed(small), key=bytes(32))
    write("another profile", "damaged", sealed(small), profile=bytes(16))
    write("another name", "damaged", sealed(small), name="domain/y")
    write("not a container", "damaged", b"hello" * 40)


if __name__ == "__main__":
    main()
