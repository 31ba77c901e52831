"""A small memory for tests of resolution: candidates go in as messages, and what became of them can be asked."""

from __future__ import annotations

from typing import Any

from graphs import START
from records import make_delta, make_message
from selfimprint.engine.decay import DecayClock, weight_at
from selfimprint.engine.delta import Operation, PutMessage
from selfimprint.engine.door import admit
from selfimprint.engine.extraction.candidates import Candidate, Extraction, Link
from selfimprint.engine.graph import DAY_US, SELF, Edge, EdgeType, Message, Node, NodeType
from selfimprint.engine.lookup import Lookup, content_stems
from selfimprint.engine.resolve import resolve
from selfimprint.engine.settings import EngineSettings
from selfimprint.engine.state import GraphState


def day(number: float) -> int:
    """The instant so many days after START."""
    return START + round(number * DAY_US)


def candidate(content: str, type: NodeType = NodeType.FACT, **fields: Any) -> Candidate:
    """A stated claim of the speaker about themselves, spanning its content."""
    return Candidate(**{"type": type, "content": content, "start": 0, "end": len(content), **fields})


def in_slot(slot: str, value: str, **fields: Any) -> Candidate:
    """A fact that fills a slot."""
    return candidate(f"{slot} is {value}", slot=slot, value=value, **fields)


def event(content: str, on: float | None = None, **fields: Any) -> Candidate:
    """Something that happened on a day, or at no known time."""
    when = None if on is None else (day(int(on)), day(int(on) + 1))
    return candidate(content, NodeType.EVENT, **{"when": when, **fields})


def because(effect: int, cause: int, confidence: float = 0.9) -> Link:
    return Link(effect=effect, cause=cause, type=EdgeType.CAUSED_BY, confidence=confidence)


class Told:
    """A graph that grows by what is said; every delta passes the door. Message ids count up."""

    def __init__(self) -> None:
        self.settings = EngineSettings()
        self.state = GraphState()
        self.lookup = Lookup(content_stems)
        self.state.listeners.append(self.lookup.listen)
        self.count = 0

    def say(
        self, *said: Candidate, at: float = 0, links: tuple[Link, ...] = (), **fields: Any
    ) -> tuple[Operation, ...]:
        """One message at the day, with what extraction found in it."""
        self.count += 1
        values: dict[str, Any] = {"content": ". ".join(c.content for c in said) or "hm", **fields}
        id = values.pop("id", f"m_{self.count}")
        return self.resolve(make_message(id, at=day(at), **values), *said, links=links)

    def resolve(self, message: Message, *said: Candidate, links: tuple[Link, ...] = ()) -> tuple[Operation, ...]:
        extraction = Extraction(language="en", candidates=said, links=links, said=message.content)
        operations = resolve(extraction, message, self.state, self.lookup, self.settings)
        delta = make_delta(PutMessage(message=message), *operations, id=f"d_{message.id}", recorded_at=message.at)
        admit(delta, self.state, self.settings)
        self.state.apply(delta)
        return operations

    def nodes(self, type: NodeType | None = None) -> list[Node]:
        """Every node that is not retired, by instant of creation."""
        found = [n for n in self.state.nodes.values() if n.retired_at is None and type in (None, n.type)]
        return sorted(found, key=lambda n: (n.created_at, n.id))

    def line(self, slot: str, subject: str = SELF) -> list[tuple[str, float | None, float | None]]:
        """The slot's values with the days they held from and to, oldest first."""
        found = [n for n in self.nodes() if n.subject == subject and n.slot == slot]
        spans = [
            (n.attribute("value"), *(None if x is None else (x - START) / DAY_US for x in (n.valid_from, n.valid_to)))
            for n in found
        ]
        return sorted(spans, key=lambda s: (-1e9 if s[1] is None else s[1], s[0]))

    def current(self, slot: str, subject: str = SELF) -> list[str]:
        """The values that hold."""
        return [value for value, _, until in self.line(slot, subject) if until is None]

    def holding(self, slot: str, value: str) -> Node:
        """The one node of the slot with the value."""
        (found,) = [n for n in self.nodes() if n.slot == slot and n.attribute("value") == value]
        return found

    def person(self, name: str) -> Node:
        (found,) = [n for n in self.nodes(NodeType.PERSON) if n.attribute("name") == name]
        return found

    def edges(self, type: EdgeType) -> list[Edge]:
        return [e for e in self.state.edges.values() if e.type is type and e.retired_at is None]

    def weight(self, node: Node, at: float) -> float:
        clock = DecayClock.of(self.state.activity_days, self.settings.decay)
        return weight_at(node, day(at), clock, self.settings.decay)
