"""Twin of selfimprintd/demo.py: its parts; the whole of it is run among the system tests."""

from __future__ import annotations

import tomllib
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from selfimprintd import demo
from selfimprintd.client import NotRunning
from selfimprintd.config import parse_config
from selfimprintd.paths import find_paths
from selfimprintd.schemas import MessageIn


def test_the_sample_is_a_conversation_that_the_api_takes() -> None:
    """Every message is valid, and they are in the order of their times."""
    messages = [MessageIn.model_validate(m) for m in demo.sample()]
    times = [m.at.us for m in messages if m.at is not None]
    assert len(times) == len(messages) > 10
    assert times == sorted(times)


def test_the_demo_lives_in_its_own_folder_under_a_clock_of_its_own(tmp_path: Path) -> None:
    """A config that the daemon reads, a key outside the data, a profile; the clock starts after the last message."""
    last = demo.sample()[-1]["at"]
    clock = tmp_path / "clock.txt"
    demo._prepare(tmp_path, clock, last)
    text = (tmp_path / "config.toml").read_text(encoding="utf-8")
    config = parse_config(text, find_paths(str(tmp_path), {}))
    assert config.clock == f"file:{clock}" and tomllib.loads(text)["listen"]["port"] == 0
    assert config.unlock.key_file == tmp_path / "demo.key"
    assert datetime.fromisoformat(clock.read_text()) == datetime.fromisoformat(last) + timedelta(minutes=5)
    assert list((config.paths.data / "profiles").iterdir())


def test_a_demo_that_cannot_be_set_up_says_why(tmp_path: Path) -> None:
    """What `init` said is passed on."""
    (tmp_path / "data").write_text("a file in the way")
    with pytest.raises(NotRunning, match="could not be set up"):
        demo._prepare(tmp_path, tmp_path / "clock.txt", demo.sample()[-1]["at"])


@pytest.mark.parametrize(("raw", "bits"), [(b"", 0.0), (b"aaaa", 0.0), (bytes(range(256)), 8.0), (b"abab", 1.0)])
def test_entropy_is_in_bits_a_byte(raw: bytes, bits: float) -> None:
    """From none to eight."""
    assert demo._entropy(raw) == pytest.approx(bits)


def test_words_left_in_the_open_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The look at the disk would see them."""
    (tmp_path / "sealed").write_bytes(b"\x00 elephant \x00")
    demo._files(tmp_path, ["an elephant and a crocodile"])
    assert "words of the conversation found: 1" in capsys.readouterr().out
