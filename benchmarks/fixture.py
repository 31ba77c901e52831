"""The 10k profile that speed is measured on (and its 1k and 100k siblings): a real vault, filled through the one door.

    python benchmarks/fixture.py --home DIR [--size 1k|10k|100k] [--seed N]

10,000 nodes, 30,000 edges, 20,000 turns of 25 words in 400 sessions over 200 days. The words are English function words
and invented forms, drawn after Zipf's law, so that postings have the lengths of real talk; the vectors are synthetic.
The same seed gives the same profile. The daemon opens it: `selfimprintd serve --home DIR`.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from invented import Language, Vectors
from numpy.typing import NDArray
from own_daemon import DaemonSettings, OwnDaemon
from selfimprint.engine.decay import starting_pieces
from selfimprint.engine.delta import AddEdge, AddNode, Cause, GraphDelta, Operation, PutMessage
from selfimprint.engine.graph import (
    DAY_US,
    SELF,
    Edge,
    EdgeType,
    Evidence,
    Message,
    Node,
    NodeType,
    Role,
    Touch,
    TouchKind,
    Trust,
)
from selfimprint.engine.settings import DecaySettings
from selfimprint.engine.store.memory import MemoryStore
from selfimprint.synx.vault import Vault

from selfimprintd.config import load_config
from selfimprintd.memory import ProfileSettings
from selfimprintd.profile import Profile
from selfimprintd.wiring import profiles_dir, unlock_of

PROFILE = "fixture"
END = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
"""The clock of whoever opens the fixture: an hour after its last turn."""
END_US = int(END.timestamp()) * 1_000_000
_TYPES = (NodeType.FACT, NodeType.EVENT, NodeType.EMOTIONAL_NOTE, NodeType.PERSON, NodeType.OPEN_LOOP)
_EDGES = (EdgeType.CAUSED_BY, EdgeType.FOLLOWED_BY, EdgeType.REINFORCES, EdgeType.ASSOCIATED_WITH)
_SLOTS = ("hobby", "likes", "dislikes", "possession", "habit", "plan")
_MINUTE_US = 60_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureSettings:
    """Sizes: design §11."""

    nodes: int = 10_000
    edges: int = 30_000
    turns: int = 20_000
    sessions: int = 400
    words_a_turn: int = 25
    words_a_node: int = 8
    vocabulary: int = 20_000
    people: int = 60
    days: int = 200
    type_shares: tuple[float, ...] = (0.5, 0.3, 0.07, 0.03, 0.1)
    edge_shares: tuple[float, ...] = (0.2, 0.3, 0.1, 0.4)
    slotted: float = 0.4
    near: int = 200  # an edge reaches back over at most so many nodes
    width: int = 384
    fingerprint: str = "none"
    """The embedder that the vectors are said to be of; `none`: a daemon with an embedder would make them anew."""
    seed: int = 20260301


SIZES = {
    "1k": FixtureSettings(nodes=1_000, edges=3_000, turns=2_000, sessions=40),
    "10k": FixtureSettings(),
    "100k": FixtureSettings(nodes=100_000, edges=300_000, turns=200_000, sessions=4_000),
}


class FixedClock:
    def __init__(self, now_us: int = END_US) -> None:
        self._now_us = now_us

    def now_us(self) -> int:
        return self._now_us


class _Writer:
    """Makes one session's delta after another; every choice comes from one seeded generator."""

    def __init__(self, settings: FixtureSettings) -> None:
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        self.language = Language(self.rng, words=settings.vocabulary, names=settings.people)
        self.made: list[Node] = []
        self.made_edges = 0

    def session(self, number: int) -> GraphDelta:
        s = self.settings
        start = END_US - int((s.sessions - number) / s.sessions * s.days * DAY_US)
        turns = self._turns(number, start)
        operations: list[Operation] = [PutMessage(message=m) for m in turns]
        nodes_until = s.nodes * (number + 1) // s.sessions
        edges_until = s.edges * (number + 1) // s.sessions
        while len(self.made) < nodes_until:
            source = turns[int(self.rng.integers(len(turns)))]
            node = self._node(source)
            self.made.append(node)
            operations.append(AddNode(node=node))
        while self.made_edges < edges_until and len(self.made) > 1:
            operations.append(AddEdge(edge=self._edge(start)))
        return GraphDelta(id=f"d_{number}", cause=Cause.IMPORT, recorded_at=start, operations=tuple(operations))

    def _turns(self, number: int, start: int) -> list[Message]:
        s = self.settings
        first, last = (s.turns * n // s.sessions for n in (number, number + 1))
        friend = self.language.name()
        return [
            Message(
                id=f"m_{turn}",
                session=f"s_{number}",
                role=Role.USER if turn % 2 == 0 else Role.PERSON,
                speaker="" if turn % 2 == 0 else friend,
                at=start + (turn - first) * _MINUTE_US // 2,
                offset_minutes=120,
                content=self.language.sentence(s.words_a_turn),
                position=turn - first,
                language="en",
                recorded_at=start,
            )
            for turn in range(first, last)
        ]

    def _node(self, source: Message) -> Node:
        s, rng = self.settings, self.rng
        kind = _TYPES[int(rng.choice(len(_TYPES), p=s.type_shares))]
        importance = float(rng.beta(2, 2))
        valence = float(rng.choice([-1, 1]) * rng.uniform(0.3, 1.0)) if kind is NodeType.EMOTIONAL_NOTE else 0.0
        words = source.content.split()
        cut = int(rng.integers(max(1, len(words) - s.words_a_node)))
        said = " ".join(words[cut : cut + s.words_a_node])
        start = source.content.index(said)
        attributes: tuple[tuple[str, str], ...] = ()
        if kind is NodeType.PERSON:
            attributes = (("name", self.language.name()), ("relation", "friend"))
        elif kind is NodeType.FACT and rng.random() < s.slotted:
            attributes = (("slot", str(rng.choice(_SLOTS))), ("value", said))
        elif kind is NodeType.EVENT:
            attributes = (("when", str(source.at - DAY_US)), ("when_end", str(source.at)))
        coefficient = DecaySettings().of_type(kind, valence=valence, importance=importance)
        return Node(
            id=f"n_{source.id.removeprefix('m_')}.{len(self.made)}",
            type=kind,
            content=said,
            subject=SELF,
            language="en",
            created_at=source.at,
            trust=Trust.USER_STATED if source.role is Role.USER else Trust.PERSON_ABOUT_SELF,
            touches=(Touch(at=source.at, kind=TouchKind.CREATED, message=source.id),),
            pieces=starting_pieces(coefficient),
            evidence=(Evidence(session=source.session, message=source.id, start=start, end=start + len(said)),),
            attributes=attributes,
            valence=valence,
            importance=importance,
        )

    def _edge(self, at: int) -> Edge:
        """From a node to an earlier one, so that causes never go in a circle."""
        rng = self.rng
        low = max(1, len(self.made) - self.settings.near)
        later = int(rng.integers(low, len(self.made)))
        earlier = int(rng.integers(max(0, later - self.settings.near), later))
        source, target = self.made[later], self.made[earlier]
        self.made_edges += 1
        return Edge(
            id=f"e_{self.made_edges}",
            type=_EDGES[int(rng.choice(len(_EDGES), p=self.settings.edge_shares))],
            from_id=source.id,
            to_id=target.id,
            confidence=0.95,
            is_inferred=False,
            created_at=at,
            last_confirmed_at=at,
            trust=Trust.USER_STATED,
            evidence=source.evidence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    vector: NDArray[np.float32]


def questions(settings: FixtureSettings, count: int) -> list[Question]:
    """Questions in the fixture's language: half of the words are function words, the others are its own."""
    rng = np.random.default_rng(settings.seed + 1)
    language = Language(np.random.default_rng(settings.seed), words=settings.vocabulary, names=settings.people)
    vectors = Vectors(np.random.default_rng(settings.seed), settings.width)
    found = []
    for _ in range(count):
        text = f"what did {language.name(rng)} say about {language.content_words(rng, 4)}?"
        found.append(Question(text=text, vector=vectors.rows(rng, 1)[0]))
    return found


def fill(vault: Vault, settings: FixtureSettings, *, progress: bool = False) -> Profile:
    """The profile, filled and open; close it to have it checkpointed."""
    profile = Profile(PROFILE, vault, FixedClock(), ProfileSettings(), lambda source: MemoryStore())
    writer = _Writer(settings)
    for number in range(settings.sessions):
        profile.commit(writer.session(number))
        if progress and number % max(1, settings.sessions // 10) == 0:
            print(f"  session {number} of {settings.sessions}", file=sys.stderr, flush=True)
    vectors = Vectors(np.random.default_rng(settings.seed), settings.width)
    keys = list(profile.index.slots)
    with profile.lock:
        for first in range(0, len(keys), 4096):
            part = keys[first : first + 4096]
            profile.index.set_vectors(part, vectors.rows(writer.rng, len(part)))
    profile.embedder_fingerprint = settings.fingerprint
    return profile


def daemon_settings() -> DaemonSettings:
    """A daemon that opens the fixture as it is: at its own time, and with its synthetic vectors left alone."""
    return DaemonSettings(embedder="none", clock_iso=END.isoformat())


def make_home(home: Path, settings: FixtureSettings, *, progress: bool = False) -> OwnDaemon:
    """A home directory (made if need be) whose one profile is the fixture."""
    daemon = OwnDaemon(home, daemon_settings())
    daemon.prepare([PROFILE])
    profile = fill(open_vault(home), settings, progress=progress)
    profile.close()
    return daemon


def open_vault(home: Path) -> Vault:
    config = load_config(str(home))
    return Vault.open(profiles_dir(config) / PROFILE, unlock=unlock_of(config))


def open_profile(home: Path) -> Profile:
    return Profile(PROFILE, open_vault(home), FixedClock(), ProfileSettings(), lambda source: MemoryStore())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True, type=Path, help="directory for the profile; must not hold one")
    parser.add_argument("--size", default="10k", choices=sorted(SIZES))
    args = parser.parse_args()
    began = time.perf_counter()
    make_home(args.home, SIZES[args.size], progress=True)
    print(f"{args.size} profile in {args.home}, made in {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
