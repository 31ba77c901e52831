"""Where commands print: JSON for programs, words for people."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from selfimprintd.output import printable


def show_answer(args: Namespace, answer: Any, words: str) -> None:
    """The answer itself with --json, else its words without anything that could drive a terminal."""
    text = json.dumps(answer, ensure_ascii=not _is_utf8(), indent=2) if args.json else printable(words)
    if not _is_utf8():
        text = text.encode(sys.stdout.encoding or "ascii", "replace").decode(sys.stdout.encoding or "ascii")
    print(text)


def _is_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
