"""Twin of selfimprintd/cli_talk.py: adding, importing, asking."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from commands import Captured, run
from live import LiveServer

from selfimprintd.cli_talk import batches, doubtful_owner
from selfimprintd.exits import Exit


def test_content_can_come_from_standard_input(
    live: LiveServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-` keeps long or private text out of the process list."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("from a pipe\n"))
    assert "from a pipe" in run(capsys, live, "add", "-")[1]


def test_an_import_can_be_run_again(live: LiveServer, capsys: Captured, tmp_path: Path) -> None:
    """The second run stores only what is new."""
    chat = tmp_path / "chat.txt"
    chat.write_text("Me: tea\nAnna: coffee\nMe: both\n", encoding="utf-8")
    first = run(capsys, live, "import", str(chat), "--batch", "2")
    assert first == (0, "Stored 3 of 3 messages, 0 were there already; learned 3 things.\n", "")
    chat.write_text(chat.read_text() + "Anna: bye\n")
    again = json.loads(run(capsys, live, "import", str(chat), "--json")[1])
    assert again == {"messages": 4, "stored": 1, "duplicates": 3, "learned": 1, "refused": 0}


def test_an_import_gets_past_a_message_that_is_refused(live: LiveServer, capsys: Captured, tmp_path: Path) -> None:
    """The bad one is named with what is wrong with it, the others of its batch are stored, and the status tells."""
    rows = [{"role": "user", "content": text} for text in ("ok", "x", "fine")]
    rows[1]["session"] = "s" * 300
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, rows)))
    status, out, said = run(capsys, live, "import", str(tmp_path / "chat.jsonl"))
    assert status == Exit.BAD_INPUT
    assert out.startswith("Stored 2 of 3 messages")
    assert "message 2 (“x”) was refused" in said and "messages.0.session" in said


def test_files_that_cannot_be_read_are_bad_input(live: LiveServer, capsys: Captured, tmp_path: Path) -> None:
    """No transcript, or no UTF-8."""
    for content in (b"no names here", b"\xff\xfe\x00"):
        (tmp_path / "chat.txt").write_bytes(content)
        assert run(capsys, live, "import", str(tmp_path / "chat.txt"))[0] == Exit.BAD_INPUT


def test_an_import_says_who_speaks_where_nobody_is_the_owner() -> None:
    """A forgotten or mistyped `--me` is noticed; an owner's turn, or a file without names, raises no doubt."""
    chat = [("person", "Markus"), ("person", "Anja"), ("person", "Markus")]
    assert "Markus (2), Anja (1)" in doubtful_owner(chat, "") and "--me" in doubtful_owner(chat, "")
    assert doubtful_owner(chat, "Makrus").startswith("nobody here is called Makrus")
    assert doubtful_owner([*chat, ("user", "")], "") == ""
    assert doubtful_owner([("assistant", "")], "") == ""


def test_batches_stay_under_the_size_of_a_request() -> None:
    """Many small ones go together, a large one alone, and none is lost or moved."""
    messages = [{"content": "x" * size} for size in (10, 400_000, 400_000, 10, 10, 600_000, 5)]
    cut = list(batches(messages, 3))
    assert [m for batch in cut for m in batch] == messages
    assert [len(batch) for batch in cut] == [2, 3, 1, 1]
