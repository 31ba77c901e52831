"""Twin of selfimprintd/cli.py: the commands as a person or a script runs them, against a listening daemon."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import AT, Captured, run
from live import LiveServer

from selfimprintd.cli import build_parser, main
from selfimprintd.exits import Exit


def test_add_context_recall_show_why_and_timeline_read_well(live: LiveServer, capsys: Captured) -> None:
    """Golden output of a first conversation."""
    assert run(capsys, live, "add", "We live in Tartu", "--at", AT) == (
        0, "Stored (searchable).\n  learned: We live in Tartu  [fact]\n", "",
    )  # fmt: skip
    assert run(capsys, live, "context", "tartu or not") == (
        0, "We live in Tartu\n\n(4 tokens, confidence 90%, 1 citations)\n", "",
    )  # fmt: skip
    assert run(capsys, live, "recall", "tartu") == (0, "  1. We live in Tartu  [node, 0.50]  n-default-0\n", "")
    assert run(capsys, live, "show") == (0, "We live in Tartu  [fact]  n-default-0\n", "")
    assert run(capsys, live, "why", "n-default-0") == (
        0, 'We live in Tartu\n  told by me, 2026-03-01 09:30: "We live in Tartu"\n  (no cause of it is known)\n', "",
    )  # fmt: skip
    assert run(capsys, live, "timeline", "--since", AT) == (
        0, "2026-03-01 07:30  We live in Tartu  [fact]  n-default-0\n", "",
    )  # fmt: skip
    shown = run(capsys, live, "show", "n-default-0")[1]
    assert shown.startswith("We live in Tartu\nid          n-default-0\ntype        fact\n")
    assert "messages         1" in run(capsys, live, "status")[1]


@pytest.mark.parametrize(
    "argv",
    [["status"], ["add", "x"], ["context", "x"], ["recall", "x"], ["show"], ["show", "n-default-0"],
     ["why", "n-default-0"], ["timeline"], ["doctor"]],
)  # fmt: skip
def test_every_command_can_answer_in_json(live: LiveServer, capsys: Captured, argv: list[str]) -> None:
    """--json before or after the command, one value on standard output."""
    run(capsys, live, "add", "hello", "--at", AT)
    assert isinstance(json.loads(run(capsys, live, *argv, "--json")[1]), dict)
    assert isinstance(json.loads(run(capsys, live, "--json", *argv)[1]), dict)


@pytest.mark.parametrize(
    ("argv", "status", "advice"),
    [
        (["show", "nobody"], Exit.NOT_FOUND, "nothing under that id"),
        (["context", "x", "--as-of", "yesterday"], Exit.BAD_INPUT, "as_of: write the time as ISO-8601"),
        (["add", "x", "--at", "2026-03-01T09:30:00"], Exit.BAD_INPUT, "add an offset like +02:00"),
        (["import", "/nowhere/chat.txt"], Exit.SETUP, "/nowhere/chat.txt: No such file"),
    ],
)
def test_failures_have_their_own_status_and_say_what_to_do(
    live: LiveServer, capsys: Captured, argv: list[str], status: int, advice: str
) -> None:
    """On standard error, without a traceback."""
    got, out, err = run(capsys, live, *argv)
    assert (got, out) == (status, "")
    assert advice in err and "Traceback" not in err


def test_a_locked_memory_and_a_wrong_token_are_told_apart(live: LiveServer, capsys: Captured) -> None:
    """7 and 4."""
    live.daemon.is_locked = True
    assert run(capsys, live, "status")[0] == Exit.LOCKED
    live.daemon.is_locked = False
    token = live.paths.owner_token.read_bytes()
    live.paths.owner_token.write_bytes(b"si_" + b"x" * 43)
    try:
        assert run(capsys, live, "status")[0] == Exit.NOT_ALLOWED
    finally:
        live.paths.owner_token.write_bytes(token)


def test_without_a_daemon_every_command_says_how_to_start_it(tmp_path: Path, capsys: Captured) -> None:
    """Status 3 and the command."""
    for argv in (["status"], ["add", "x"], ["context", "x"], ["show"], ["stop"], ["timeline"]):
        assert main([*argv, "--home", str(tmp_path)]) == Exit.NOT_RUNNING
        assert "selfimprintd serve" in capsys.readouterr().err


def test_help_names_every_command_and_imports_nothing_heavy() -> None:
    """The help of a fresh interpreter; neither the web framework nor the client's HTTP is loaded for it."""
    code = (
        "import sys; from selfimprintd.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'fastapi', 'uvicorn', 'pydantic', 'httpx', 'numpy', 'kuzu', 'http.client', 'asyncio'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "LOADED []" in done.stdout
    for name in "init status add import context recall why show timeline stop doctor demo".split():
        assert f"\n    {name} " in done.stdout
    assert "exit statuses" in done.stdout


def test_status_loads_no_framework(live: LiveServer) -> None:
    """It has to be quick: the standard library alone."""
    code = (
        f"import sys; from selfimprintd.cli import main; main(['status', '--home', {str(live.home)!r}])\n"
        "heavy = {'fastapi', 'uvicorn', 'pydantic', 'httpx', 'numpy', 'kuzu', 'asyncio', 'tomllib'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "running, pid" in done.stdout and "LOADED []" in done.stdout


def test_a_wrong_command_is_a_matter_of_usage(capsys: Captured) -> None:
    """argparse's own status, and its list of what there is."""
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(["dance"])
    assert ended.value.code == Exit.USAGE
    assert "timeline" in capsys.readouterr().err
