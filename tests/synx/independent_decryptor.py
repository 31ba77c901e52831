"""A second reading of docs/format.md §3, sharing no code with `synx/`: opens a test vector by the page alone.

python tests/synx/independent_decryptor.py FILE…   prints what each vector's head promises and whether it came true.
"""

import hashlib
import hmac
import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def hkdf(key: bytes, salt: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-256, one block."""
    extracted = hmac.new(salt, key, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def decrypt(sealed: bytes, key: bytes, profile_tag: bytes, logical_name: str) -> bytes:
    """The plaintext; ValueError with the expected result's word for what is wrong."""
    header, mac, body = sealed[:88], sealed[88:120], sealed[120:]
    if len(header) < 88 or header[:8] != b"SIMPRNT\0":
        raise ValueError("damaged")
    if header[8:12] != b"\x01\x00\x01\x00" or header[44:48] != (65536).to_bytes(4, "little"):
        raise ValueError("too-new")
    if len(mac) < 32 or len(body) < 16:
        raise ValueError("damaged")
    salt = header[56:88]
    expected = hmac.new(hkdf(key, salt, b"selfimprint container v1 header mac"), header, hashlib.sha256).digest()
    if expected != mac:
        raise ValueError("wrong-key")
    cipher_key = hkdf(key, salt, b"selfimprint container v1 encryption")
    associated = hashlib.sha256(header + profile_tag + logical_name.encode("utf-8")).digest()
    pieces = [body[at : at + 65552] for at in range(0, len(body), 65552)]
    if len(pieces) > 1 and len(pieces[-1]) <= 16:
        raise ValueError("damaged")
    plaintext = b""
    for number, piece in enumerate(pieces):
        nonce = number.to_bytes(11, "big") + bytes([number == len(pieces) - 1])
        context = Cipher(algorithms.AES(cipher_key), modes.GCM(nonce, piece[-16:])).decryptor()
        context.authenticate_additional_data(associated)
        plaintext += context.update(piece[:-16])
        try:
            context.finalize()
        except Exception as error:
            raise ValueError("damaged") from error
    return plaintext


def read_vector(path: Path) -> tuple[dict[str, str], bytes]:
    """Text head (`name: value` lines up to an empty line) and the sealed bytes after it."""
    head, _, sealed = path.read_bytes().partition(b"\n\n")
    return dict(line.split(": ", 1) for line in head.decode("utf-8").splitlines()), sealed


def outcome(fields: dict[str, str], sealed: bytes) -> str:
    """`ok <SHA-256 of the plaintext>` or the word of the error."""
    try:
        plain = decrypt(sealed, bytes.fromhex(fields["key"]), bytes.fromhex(fields["profile"]), fields["name"])
    except ValueError as error:
        return str(error)
    return "ok " + hashlib.sha256(plain).hexdigest()


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        found_fields, found_sealed = read_vector(Path(argument))
        print(f"{argument}: expected {found_fields['expect']}, got {outcome(found_fields, found_sealed)}")
