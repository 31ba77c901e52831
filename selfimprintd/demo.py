"""`selfimprint demo`: the whole product in a minute, in a directory of its own, through the same API a client uses."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

from selfimprintd.client import Client, NotRunning
from selfimprintd.exits import Exit

QUESTIONS = (
    "Where does Liis live now, and where does she work?",
    "Why did my boss shout at me?",
    "What should I keep in mind when I cook dinner?",
)
DIRECT = "What happened to my laptop?"
START_S, DRAIN_S, STOP_S = 60.0, 60.0, 10.0


def run(args: Namespace) -> int:
    """Serve, tell, ask, forget, look at the files, stop. Leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="selfimprint-demo-") as folder:
        home = Path(folder)
        messages = sample()
        clock = home / "clock.txt"
        _prepare(home, clock, messages[-1]["at"])
        _say("1. A daemon of its own, with nothing but what came with the install")
        daemon = _serve(home)
        try:
            client = _connected(home, daemon)
            _tell(client, messages)
            for question in QUESTIONS:
                _ask(client, question)
            _chain(client)
            _forty_days(client, clock, messages[-1]["at"])
            client.close()
        finally:
            daemon.terminate()
            try:
                status = daemon.wait(timeout=STOP_S)
            except subprocess.TimeoutExpired:  # it must not outlive its folder
                daemon.kill()
                status = daemon.wait()
        _files(home / "data", [m["content"] for m in messages])
        print(f"\nThe daemon stopped with status {status}. Connect your own assistant: see the README.")
        return Exit.OK if status == 0 else Exit.UNEXPECTED


def sample() -> list[dict[str, Any]]:
    """The sample conversation that ships with the package."""
    text = resources.files("selfimprintd").joinpath("data/sample.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _prepare(home: Path, clock: Path, last: str) -> None:
    clock.write_text((datetime.fromisoformat(last) + timedelta(minutes=5)).isoformat(), encoding="utf-8")
    settings = f'testing = true\nclock = "file:{clock}"\n[listen]\nport = 0\n'
    key = home / "demo.key"
    (home / "config.toml").write_text(f"{settings}[unlock]\nkey_file = {json.dumps(str(key))}\n", encoding="utf-8")
    made = subprocess.run(
        [sys.executable, "-m", "selfimprintd.cli", "init", "--home", str(home), "--key-file", str(key)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        raise NotRunning(f"the demo could not be set up: {made.stderr.strip()}")


def _serve(home: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "selfimprintd.main", "serve", "--home", str(home)]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def _connected(home: Path, daemon: subprocess.Popen[bytes]) -> Client:
    until = time.monotonic() + START_S
    while time.monotonic() < until and daemon.poll() is None:
        try:
            client = Client.local(str(home))
            client.status()
        except NotRunning:
            time.sleep(0.05)
            continue
        return client
    raise NotRunning("the demo's daemon did not start; try: selfimprint doctor")


def _tell(client: Client, messages: list[dict[str, Any]]) -> None:
    _say(f"2. {len(messages)} messages of a month go in")
    for message in messages:
        answer = client.add_many([message])[0]
        learned = [f"{x['change']} {x['type'].replace('_', ' ')}: {x['content']}" for x in answer["learned"]]
        print(f"   {message['role']:>9}: {message['content']}")
        for line in learned:
            print(f"              + {line}")
    client.drain(DRAIN_S)
    nodes = client.status()["nodes"]
    kinds = ", ".join(
        f"{n} {kind.replace('_', ' ')}" for kind, n in nodes.items() if kind not in ("total", "active", "retired")
    )
    print(f"   The graph now holds {nodes['total']} nodes: {kinds}.")


def _ask(client: Client, question: str) -> None:
    answer = client.context(question)
    _say(f"Asked: {question}")
    print(f"   What the assistant is handed ({answer['tokens']} tokens):\n   {answer['text'] or '(nothing is known)'}")


def _chain(client: Client) -> None:
    shouted = [n for n in client.nodes(type="event", limit=100)["nodes"] if "shouted" in n["content"]]
    for node in shouted[:1]:
        for chain in client.why(node["id"])["chains"][:1]:
            _say("3. The chain of causes, told in three sessions, each link with its evidence")
            for step in chain["nodes"]:
                proof = step["evidence"][0]
                print(f"   {step['content']}   [said {proof['at'][:10]}, trust {step['trust']}]")


def _forty_days(client: Client, clock: Path, last: str) -> None:
    before = {n["id"]: n for n in _all_nodes(client)}
    clock.write_text((datetime.fromisoformat(last) + timedelta(days=40)).isoformat(), encoding="utf-8")
    client.add("user", "Back from a long hike!", at=(datetime.fromisoformat(last) + timedelta(days=6)).isoformat())
    for week in range(2, 6):
        at = (datetime.fromisoformat(last) + timedelta(days=7 * week - 2)).isoformat()
        client.add("user", "Just checking in.", at=at)
    _say("4. Forty days later (with a word now and then, for an absence of weeks would count as one)")
    after = {n["id"]: n for n in _all_nodes(client)}
    for node_id, node in before.items():
        now = after[node_id]
        fate = "pinned" if now["pinned"] else ("faded" if now["status"] == "archived" else now["status"])
        print(f"   {node['weight']:.2f} → {now['weight']:.2f}  {fate:<10} {_kind(node)}: {node['content']}")
    answer = client.context(DIRECT)
    print(f"\n   What has faded is not lost. A direct question, “{DIRECT}”, still reaches it:\n   {answer['text']}")


def _all_nodes(client: Client) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = client.nodes(status="all", limit=500)["nodes"]
    return nodes


def _files(data: Path, said: list[str]) -> None:
    _say("5. What lies on the disk")
    found = [p for p in sorted(data.rglob("*")) if p.is_file()]
    raw = b"".join(p.read_bytes() for p in found)
    for path in found:
        print(f"   {path.relative_to(data)}  {path.stat().st_size} bytes")
    words = {w for text in said for w in text.split() if len(w) > 5}
    seen = [w for w in words if w.encode() in raw]
    print(
        f"   {len(raw)} bytes, {_entropy(raw):.2f} bits of entropy a byte; words of the conversation found: {len(seen)}"
    )


def _kind(node: dict[str, Any]) -> str:
    return str(node["type"]).replace("_", " ")


def _entropy(raw: bytes) -> float:
    total = len(raw) or 1
    return -sum(n / total * math.log2(n / total) for n in Counter(raw).values())


def _say(line: str) -> None:
    print(f"\n{line}")
