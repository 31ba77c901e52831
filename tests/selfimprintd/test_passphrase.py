"""Twin of selfimprintd/passphrase.py."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

import pytest

from selfimprintd.passphrase import PassphraseError, ask_passphrase, read_passphrase_file


def private(path: Path, content: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


def typed(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    answers = iter(words)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(getpass, "getpass", lambda _prompt: next(answers))


def test_a_file_gives_its_first_line(tmp_path: Path) -> None:
    """Blanks within and around it belong to the passphrase."""
    assert read_passphrase_file(private(tmp_path / "p", " kõik on hästi \nnot this\n".encode())) == " kõik on hästi "


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_file_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    """The message says what to run."""
    with pytest.raises(PassphraseError, match="chmod 600"):
        read_passphrase_file(private(tmp_path / "p", b"long enough", mode))


@pytest.mark.parametrize("content", [b"short", b"", b"\xff\xfe\xff\xfe\xff\xfe\xff\xfe"])
def test_what_is_no_passphrase_is_refused_without_being_shown(tmp_path: Path, content: bytes) -> None:
    """Too short, empty, not UTF-8."""
    with pytest.raises(PassphraseError) as refused:
        read_passphrase_file(private(tmp_path / "p", content))
    assert "short" not in str(refused.value)


def test_a_missing_file_says_what_to_write(tmp_path: Path) -> None:
    """The failure is of our kind."""
    with pytest.raises(PassphraseError, match="cannot read"):
        read_passphrase_file(tmp_path / "none")


def test_without_a_terminal_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon started by a service must not hang at a prompt."""
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    with pytest.raises(PassphraseError, match="--passphrase-file"):
        ask_passphrase("Passphrase: ")


def test_a_new_passphrase_is_typed_twice_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip at the first typing would lock the memory for good."""
    typed(monkeypatch, "long enough", "long enough")
    assert ask_passphrase("New: ", twice=True) == "long enough"
    typed(monkeypatch, "long enough", "long enouhg")
    with pytest.raises(PassphraseError, match="did not match"):
        ask_passphrase("New: ", twice=True)
