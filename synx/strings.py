"""The safe string encoding: any text becomes one SYNX scalar that upstream neither casts, cuts nor executes.

Format: docs/format.md, "Strings". Every encoded string starts with a mark (`~` text, `b64:` bytes, `^` packed value):
no content can look like a number, a literal, a directive or a comment to the parser behind it.
"""

import base64
import binascii
import re

from selfimprint.synx.errors import Damaged

TEXT_MARK = "~"
BYTES_MARK = "b64:"
PACKED_MARK = "^"

# Controls, blanks that upstream trims or splits on, lone surrogates.
_UNPRINTABLE = (
    *((0x00, 0x1F), (0x7F, 0xA0), (0x1680, 0x1680), (0x180E, 0x180E), (0x2000, 0x200F), (0x2028, 0x202F)),
    *((0x205F, 0x206F), (0x3000, 0x3000), (0xFEFF, 0xFEFF), (0xD800, 0xDFFF)),
)
# Comments, field ends and quotes, and the escape itself.
_MARKS = "#;\"'\\"
_UNSAFE = re.compile("[" + re.escape(_MARKS) + "".join(f"\\u{a:04x}-\\u{b:04x}" for a, b in _UNPRINTABLE) + "]")
_UNSAFE_PLACE = re.compile(r"(?<=/)/|\A | \Z|(?<= ) ")
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.|\Z)", re.DOTALL)

_ESCAPED_CHARS = [*_MARKS, "/", " ", *(chr(code) for a, b in _UNPRINTABLE for code in range(a, b + 1))]
_ESCAPED: dict[str, str] = {char: f"\\u{ord(char):04x}" for char in _ESCAPED_CHARS} | {"\n": "\\n", "\\": "\\\\"}
_UNESCAPED = {escaped: char for char, escaped in _ESCAPED.items()}
_SAFE_ASCII = bytes(code for code in range(0x20, 0x7F) if chr(code) not in _MARKS)


def _escape(match: re.Match[str]) -> str:
    return _ESCAPED[str(match.group())]


def _unescape(match: re.Match[str]) -> str:
    return _UNESCAPED[str(match.group())]


def escape(text: str) -> str:
    """Body of an encoded string: printable, with no blank at either end and no mark of SYNX left bare."""
    # Deleting what is safe from ASCII bytes is ten times faster than searching for what is not.
    if text.encode().translate(None, _SAFE_ASCII) if text.isascii() else _UNSAFE.search(text):
        text = _UNSAFE.sub(_escape, text)
    if "//" in text or "  " in text or text.startswith(" ") or text.endswith(" "):
        text = _UNSAFE_PLACE.sub(_escape, text)
    return text


def unescape(body: str) -> str:
    """Inverse of `escape`; Damaged on an escape the encoder never writes."""
    if "\\" not in body:
        return body
    try:
        return _ESCAPE.sub(_unescape, body)
    except KeyError as error:
        raise Damaged("unknown escape in an encoded string") from error


def encode_string(text: str) -> str:
    """`~` and the escaped text."""
    return TEXT_MARK + escape(text)


def decode_string(scalar: str) -> str:
    """Inverse of `encode_string`; Damaged for a string without the mark."""
    if scalar[:1] != TEXT_MARK:
        raise Damaged("a string without its mark")
    body = scalar[1:]
    return body if "\\" not in body else unescape(body)


def encode_bytes(data: bytes) -> str:
    """`b64:` and url-safe base64 (the plain alphabet's `//` would start a comment)."""
    return BYTES_MARK + base64.urlsafe_b64encode(data).decode("ascii")


def decode_bytes(scalar: str) -> bytes:
    """Inverse of `encode_bytes`; Damaged unless the text is exactly what the encoder writes."""
    if not scalar.startswith(BYTES_MARK):
        raise Damaged("bytes without their mark")
    try:
        data = base64.b64decode(scalar[len(BYTES_MARK) :].encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise Damaged("malformed base64") from error
    if encode_bytes(data) != scalar:
        raise Damaged("base64 that is not canonical")
    return data
