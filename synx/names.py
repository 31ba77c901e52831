"""Logical names, what they may be, and the names on disk, which say no more than the folder."""

import hashlib
import re
import unicodedata
from pathlib import Path

from selfimprint.synx.container import ID_BYTES
from selfimprint.synx.errors import BadName

_FOLDER = re.compile(r"[a-z][a-z0-9-]{0,31}")
_NAME_BYTES = 200
_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_REFUSED = ("Cc", "Cs", "Zl", "Zp")


def check_name(logical_name: str) -> str:
    """The name itself if it is `word` or `word/rest`, the rest printable and without `/`; at most 200 bytes."""
    folder, slash, rest = logical_name.partition("/")
    if _FOLDER.fullmatch(folder) is None:
        raise BadName("a logical name must start with a plain lower-case word")
    if slash and (not rest or "/" in rest or any(unicodedata.category(char) in _REFUSED for char in rest)):
        raise BadName("a logical name must be one word, or a folder and one printable part")
    if len(logical_name.encode("utf-8")) > _NAME_BYTES:
        raise BadName("a logical name is too long")
    return logical_name


def folder_of(logical_name: str) -> str:
    """The folder, empty for a top-level name."""
    folder, slash, _ = logical_name.partition("/")
    return folder if slash else ""


def sealed_path(data_folder: Path, logical_name: str, *, file_id: bytes, generation: int) -> Path:
    """`<data>/<folder>/<random id>.<generation>`: the rest of the logical name stays inside the keystore."""
    return data_folder / folder_of(logical_name) / f"{file_id.hex()}.{generation:016x}"


def profile_tag(profile_id: str) -> bytes:
    """16 bytes that stand for the profile in headers and associated data; BadName outside `[A-Za-z0-9_.-]{1,64}`."""
    if _PROFILE.fullmatch(profile_id) is None:
        raise BadName("a profile id outside [A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
    return hashlib.sha256(b"selfimprint profile\0" + profile_id.encode("ascii")).digest()[:ID_BYTES]
