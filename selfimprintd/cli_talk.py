"""The commands that an assistant's day consists of: add, import, context, recall."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from selfimprintd import output
from selfimprintd.batching import in_batches
from selfimprintd.client import ApiError, Client
from selfimprintd.exits import Exit
from selfimprintd.printing import show_answer

_IMPORT_TIMEOUT_S = 300.0
_BATCH_BYTES = 500_000  # half of what a request may hold
_REFUSALS = (400, 413, 422)
_SHOWN_CHARS = 40
_SHOWN_SPEAKERS = 8


def add(args: Namespace) -> int:
    content = sys.stdin.read() if args.content == "-" else args.content
    fields = given(speaker=args.speaker, session=args.session, at=args.at)
    answers = Client.local(args.home).add_many([{"role": args.role, "content": content, **fields}], wait=args.wait)
    show_answer(args, {"messages": answers}, output.added(answers))
    return Exit.OK


def context(args: Namespace) -> int:
    fields = given(as_of=args.as_of, known_at=args.known_at, explain=args.explain)
    answer = Client.local(args.home).context(args.message, budget=args.budget, **fields)
    show_answer(args, answer, output.context(answer))
    return Exit.OK


def recall(args: Namespace) -> int:
    answer = Client.local(args.home).recall(args.query, k=args.k, mode=args.mode, **given(as_of=args.as_of))
    show_answer(args, answer, output.recalled(answer))
    return Exit.OK


def import_file(args: Namespace) -> int:
    """Send a file's turns in batches; the keys make a second run go on where the first stopped."""
    from selfimprintd.transcripts import read_turns

    text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text(encoding="utf-8")
    label = "session" if args.file == "-" else Path(args.file).stem
    turns = read_turns(text, label=label, me=args.me, timezone=args.timezone)
    if (doubt := doubtful_owner([(turn.role, turn.speaker) for turn in turns], args.me)) and args.me:
        print(f"selfimprint: {doubt}", file=sys.stderr)
        return Exit.BAD_INPUT
    client = Client.local(args.home, timeout_s=_IMPORT_TIMEOUT_S)
    stored = duplicates = learned = done = 0
    refused: list[str] = []
    for batch in batches([turn.message("import") for turn in turns], max(1, args.batch)):
        try:
            answers = _sent(client, batch, done + 1, refused)
        except BaseException:
            _progress_end()
            print(f"selfimprint: stored {stored} of {len(turns)}; run it again to go on from there", file=sys.stderr)
            raise
        stored += sum(not answer.get("duplicate") for answer in answers)
        duplicates += sum(bool(answer.get("duplicate")) for answer in answers)
        learned += sum(len(answer.get("learned", ())) for answer in answers if not answer.get("duplicate"))
        done += len(batch)
        _progress(done, len(turns))
    _progress_end()
    for line in (*refused, *([doubt] if doubt else [])):
        print(f"selfimprint: {line}", file=sys.stderr)
    counts = {"messages": len(turns), "stored": stored, "duplicates": duplicates, "learned": learned}
    said = f"Stored {stored} of {len(turns)} messages, {duplicates} were there already; learned {learned} things."
    show_answer(args, {**counts, "refused": len(refused)}, said)
    return Exit.BAD_INPUT if refused else Exit.OK


def doubtful_owner(turns: Sequence[tuple[str, str]], me: str) -> str:
    """What to say where none of the turns (role, speaker) is the owner's; empty where one is, or nobody speaks."""
    speakers = Counter(speaker for role, speaker in turns if role == "person")
    if not speakers or any(role == "user" for role, _ in turns):
        return ""
    named = ", ".join(f"{output.printable(name)} ({count})" for name, count in speakers.most_common(_SHOWN_SPEAKERS))
    if me:
        return f"nobody here is called {me}; who speaks: {named}"
    return f"none of this was taken as said by you; if one of them is you, say so with --me: {named}"


def batches(messages: Sequence[dict[str, Any]], most: int) -> Iterator[list[dict[str, Any]]]:
    """Runs of at most `most` messages that stay under the size of a request; a larger one goes alone."""
    return in_batches(messages, _size, most=most, most_bytes=_BATCH_BYTES)


def _size(message: Mapping[str, Any]) -> int:
    return len(str(message["content"]).encode(errors="replace"))


def _sent(client: Client, batch: list[dict[str, Any]], first: int, refused: list[str]) -> list[dict[str, Any]]:
    """The answers to a batch. Where it is refused its messages go one by one: a bad one is named, the others stay."""
    try:
        return client.add_many(batch)
    except ApiError as error:
        if error.status not in _REFUSALS:
            raise
        if len(batch) == 1:
            start = " ".join(str(batch[0]["content"]).split())[:_SHOWN_CHARS]
            fields = "".join(f" {e.get('field')}: {e.get('problem')}" for e in error.problem.get("errors", ()))
            refused.append(output.printable(f"message {first} (“{start}”) was refused: {error}{fields}"))
            return []
    return [answer for n, message in enumerate(batch) for answer in _sent(client, [message], first + n, refused)]


def given(**fields: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in fields.items() if value}


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total} messages", end="", file=sys.stderr, flush=True)


def _progress_end() -> None:
    if sys.stderr.isatty():
        print(file=sys.stderr)
