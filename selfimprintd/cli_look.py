"""The commands that look into the memory: status, why, show, timeline."""

from __future__ import annotations

import os
from argparse import Namespace

from selfimprintd import output
from selfimprintd.client import Client, running_daemon
from selfimprintd.exits import Exit
from selfimprintd.paths import find_paths
from selfimprintd.printing import show_answer


def status(args: Namespace) -> int:
    about = running_daemon(find_paths(args.home, os.environ))
    answer = Client.local(args.home).status()
    show_answer(args, {"daemon": about} | answer, output.status(answer, about))
    return Exit.OK


def why(args: Namespace) -> int:
    answer = Client.local(args.home).why(args.id)
    show_answer(args, answer, output.why(answer))
    return Exit.OK


def show(args: Namespace) -> int:
    client = Client.local(args.home)
    if args.id:
        answer = client.node(args.id)
        show_answer(args, answer, output.node(answer))
        return Exit.OK
    names = ("type", "slot", "subject", "status", "limit", "cursor")
    answer = client.nodes(**{name: getattr(args, name) for name in names if getattr(args, name)})
    show_answer(args, answer, output.nodes(answer))
    return Exit.OK


def timeline(args: Namespace) -> int:
    query = {"from": args.since, "to": args.until, "limit": args.limit, "cursor": args.cursor}
    answer = Client.local(args.home).timeline(**{name: value for name, value in query.items() if value})
    show_answer(args, answer, output.timeline(answer))
    return Exit.OK
