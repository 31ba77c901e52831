"""Where a passphrase comes from: a terminal or a private file; never an argument or the environment."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

_SHORTEST = 8


class PassphraseError(Exception):
    """No usable passphrase; the message says how to give one."""

    code = "passphrase"


def read_passphrase_file(path: Path) -> str:
    """The file's first line; it must be ours alone."""
    try:
        if path.stat().st_mode & 0o077:
            raise PassphraseError(f"{path} is open to others; run: chmod 600 {path}")
        passphrase = path.read_text(encoding="utf-8").split("\n", 1)[0]
    except (OSError, UnicodeDecodeError) as error:
        raise PassphraseError(f"cannot read {path}; write the passphrase into it, UTF-8, mode 600") from error
    return _checked(passphrase)


def ask_passphrase(prompt: str, *, twice: bool = False) -> str:
    """From the terminal, unseen."""
    if not sys.stdin.isatty():
        raise PassphraseError("no terminal to ask for the passphrase; use --passphrase-file FILE")
    try:
        passphrase = getpass.getpass(prompt)
        again = getpass.getpass("Again: ") if twice else passphrase
    except EOFError as error:
        raise PassphraseError("no passphrase was typed") from error
    if again != passphrase:
        raise PassphraseError("the two did not match; nothing was made")
    return _checked(passphrase) if twice else passphrase  # a wrong one is told as wrong, whatever its length


def _checked(passphrase: str) -> str:
    if len(passphrase) < _SHORTEST:
        raise PassphraseError(f"use at least {_SHORTEST} characters")
    return passphrase
