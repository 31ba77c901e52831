"""Writes a golden data directory with the version at hand: run once per released format, the result is committed.

python tests/golden/make.py NAME   makes tests/golden/NAME/ with `key`, `profile/` and `expected.json`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from real_daemon import RealDaemon

FOLDER = Path(__file__).parent
CLOCK = "2026-11-02T10:00:00+02:00"
FIRST = [
    ("user", "My name is Maarja and I live in Tartu.", "2026-09-01T09:00:00+03:00"),
    ("user", "I work as a nurse at the Toome clinic.", "2026-09-01T09:01:00+03:00"),
    ("assistant", "Nice to meet you, Maarja.", "2026-09-01T09:01:10+03:00"),
    ("user", "My dog is called Pipi.", "2026-09-14T20:00:00+03:00"),
    ("user", "I couldn't sleep because the neighbours had a party.", "2026-10-03T08:00:00+03:00"),
    ("user", "Я люблю грибы и не ем мясо.", "2026-10-04T12:00:00+03:00"),
    ("user", "I need to call the dentist about my tooth.", "2026-10-20T15:00:00+03:00"),
]
AFTER_THE_CHECKPOINT = [
    ("user", "We moved to Pärnu last week.", "2026-10-30T18:00:00+02:00"),
    ("user", "My sister Liis plays the cello.", "2026-11-01T11:00:00+02:00"),
]


def main(name: str) -> None:
    target = FOLDER / name
    with tempfile.TemporaryDirectory(prefix="si") as folder:
        home = Path(folder) / "h"
        daemon = RealDaemon(home)
        clock = home / "clock"
        clock.write_text(CLOCK, encoding="utf-8")
        config = home / "config.toml"
        text = config.read_text(encoding="utf-8")
        config.write_text(f'testing = true\nclock = "file:{clock}"\n{text}', encoding="utf-8")
        with daemon:
            for role, content, at in FIRST:
                daemon.client().add(role, content, at=at)
            daemon.client().retire(daemon.client().nodes(slot="pet")["nodes"][0]["id"])
            assert daemon.stop() == 0
        with daemon:
            for role, content, at in AFTER_THE_CHECKPOINT:
                daemon.client().add(role, content, at=at)
            client = daemon.client()
            expected = {
                "clock": CLOCK,
                "nodes": sorted([n["type"], n["content"]] for n in client.nodes(status="all", limit=500)["nodes"]),
                "messages": [
                    m["content"]
                    for s in reversed(client.sessions()["sessions"])
                    for m in client.session(s["id"], limit=500)["messages"]
                ],
                "context": client.context("Where do I live, and what do I do?")["text"],
            }
            daemon.kill()
        shutil.copytree(home / "data" / "profiles" / "default", target / "profile")
        shutil.copy(home.parent / "h.key", target / "key")
    (target / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
