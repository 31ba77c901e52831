"""Messages as people write them, for the speed of ingest: templates with changing parts, about half small talk."""

from __future__ import annotations

from selfimprintd.facade import IncomingMessage

_SAID = (
    "I started learning {hobby} last {day}, it is harder than I thought.",
    "My sister {name} moved to {place} in March because she found a job at the port.",
    "Good morning! How are you today?",
    "I couldn't sleep because the neighbours were shouting until three.",
    "Sounds good, thanks a lot for the help.",
    "We are planning to visit {place} with {name} next {day}.",
    "I was so angry about the broken {thing} that I went for a walk.",
    "What do you think about {hobby}?",
    "I don't like {thing}s any more, they make me tired.",
    "{name} called yesterday and said that the {thing} has arrived.",
    "Okay, let me think about it and come back to you tomorrow.",
    "I have to finish the report about {place} before {day}.",
)
_PARTS = {
    "hobby": "pottery climbing chess sailing baking weaving fencing gardening cycling archery".split(),
    "name": "Liis Marta Jonas Petra Anton Greta Silvia Oskar Nadia Emil Ruth Victor".split(),
    "place": "Tartu Lyon Porto Bergen Turin Gdansk Malmo Ghent Riga Graz Cork".split(),
    "thing": "bicycle kettle laptop sofa camera guitar drill heater blender".split(),
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
}
_STEPS = {"hobby": 3, "name": 5, "place": 7, "thing": 2, "day": 4}
_MINUTE_US = 60_000_000


def texts(count: int) -> list[str]:
    """Different ones, always the same."""
    found = []
    for number in range(count):
        parts = {kind: words[(number * _STEPS[kind] + number // 12) % len(words)] for kind, words in _PARTS.items()}
        found.append(f"{_SAID[number % len(_SAID)].format(**parts)} ({number})")
    return found


def messages(count: int, *, start_us: int = 1_772_366_400_000_000) -> list[IncomingMessage]:
    """The texts as turns of sessions of fifty."""
    return [
        IncomingMessage(role="user", content=text, session=f"talk-{number // 50}", at_us=start_us + number * _MINUTE_US)
        for number, text in enumerate(texts(count))
    ]
