"""Finding the node that a new statement may be about: by slot, by person, by the stems of its words.

A follower of the graph state: it listens to node changes and holds ids only."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from selfimprint.engine.graph import Node, NodeType
from selfimprint.engine.kin import kin_key
from selfimprint.engine.recall.analyze import terms
from selfimprint.engine.sounds import is_cyrillic, sound

Analyzer = Callable[[str, str], frozenset[str]]
"""(text, language) → the stems of its content words."""


def content_stems(text: str, language: str) -> frozenset[str]:
    """The usual analyzer: what the hot index would index."""
    return frozenset(terms(text, language))


_ARTICLES = frozenset(
    """a an the my our his her their its ein eine einen einem einer der die das den dem mein meine un une le la les l
    mon ma mes el los las una unos mi mis minu mu meie мой моя моё мои""".split()
)
_WORD = re.compile(r"\w+(?:[’'\-]\w+)*")


@lru_cache(maxsize=50_000)
def value_key(value: str) -> tuple[str, ...]:
    """A slot value's words, comparable: case folded, without articles and punctuation."""
    words = [w.casefold().replace("’", "'") for w in _WORD.findall(value)]
    kept = [w for w in words if w not in _ARTICLES]
    return tuple(kept or words)


def same_value(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Equal, or one names the other more fully ("Rex" and "a dog named Rex")."""
    if a == b:
        return True
    small, large = sorted((set(a), set(b)), key=len)
    return bool(small) and small < large and any(len(w) > 2 for w in small)


_BEGINNING = 4
_ENDING = 4
"""Letters in which two forms of one word may differ at its end ("увольнение", "уволили"; "diagnosis", "diagnosed")."""


def akin(a: str, b: str) -> bool:
    """Whether two stems are probably forms of one word: the same beginning, and only short endings that differ."""
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return shared >= _BEGINNING and max(len(a), len(b)) - shared <= _ENDING


class Lookup:
    def __init__(self, analyze: Analyzer) -> None:
        self.analyze = analyze
        self.stems: dict[str, frozenset[str]] = {}
        self._by_slot: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._by_stem: dict[str, set[str]] = defaultdict(set)
        self._by_beginning: dict[str, set[str]] = defaultdict(set)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._by_sound: dict[tuple[str, bool], set[str]] = defaultdict(set)
        self._by_relation: dict[str, set[str]] = defaultdict(set)
        self._by_value: dict[str, set[str]] = defaultdict(set)
        self._value_keys: dict[str, tuple[str, ...]] = {}

    def listen(self, before: Node | None, after: Node | None) -> None:
        """Follow one node change."""
        if before is not None and after is not None and _indexed(before) == _indexed(after):
            return
        if before is not None:
            self._forget(before)
        if after is not None:
            self._learn(after)

    def in_slot(self, subject: str, slot: str) -> Iterable[str]:
        return sorted(self._by_slot.get((subject, slot), ()))

    def named(self, name: str) -> Iterable[str]:
        """Persons of that name; where nobody is, those whose name is the same one in another script."""
        exact = self._by_name.get(name.casefold(), ())
        return sorted(exact or self._by_sound.get((sound(name), not is_cyrillic(name)), ()))

    def related(self, relation: str) -> Iterable[str]:
        """Persons who are that to the owner, in whatever word it was said."""
        return sorted(self._by_relation.get(kin_key(relation), ()))

    def with_value_in(self, words: tuple[str, ...], least_chars: int) -> Iterator[str]:
        """Slotted facts whose whole value, of so many letters at least, stands in these words (a `value_key`)."""
        for position, word in enumerate(words):
            for node_id in sorted(self._by_value.get(word, ())):
                key = self._value_keys[node_id]
                if words[position : position + len(key)] == key and len("".join(key)) >= least_chars:
                    yield node_id

    def similar(self, stems: frozenset[str], at_least: int) -> list[tuple[str, int]]:
        """Ids sharing `at_least` stems with the given ones, with how many, most first."""
        shared: Counter[str] = Counter()
        for stem in stems:
            shared.update(self._by_stem.get(stem, ()))
        found = [(i, n) for i, n in shared.items() if n >= at_least]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def holding(self, stems: frozenset[str], at_most: int) -> list[str]:
        """Ids whose text has all of the stems, or akin ones where no text has the stem itself; none where more than
        `at_most` have one of them: words that common single nothing out."""
        found: set[str] | None = None
        for stem in stems:
            exact = self._by_stem.get(stem, set())
            akin = exact or {i for s in self._by_beginning.get(stem[:_BEGINNING], ()) for i in self._kin(s, stem)}
            if len(akin) > at_most:
                return []
            found = set(akin) if found is None else found & akin
        return sorted(found or ())

    def _kin(self, other: str, stem: str) -> set[str]:
        return self._by_stem.get(other, set()) if akin(other, stem) else set()

    def _learn(self, node: Node) -> None:
        if node.type is NodeType.PERSON:
            for name in names_of(node):
                self._by_name[name.casefold()].add(node.id)
                self._by_sound[sound(name), is_cyrillic(name)].add(node.id)
            if relation := node.attribute("relation"):
                self._by_relation[kin_key(relation)].add(node.id)
            return
        if node.slot:
            self._by_slot[(node.subject, node.slot)].add(node.id)
            if key := value_key(node.attribute("value")):
                self._by_value[key[0]].add(node.id)
                self._value_keys[node.id] = key
        stems = self.analyze(node.content, node.language)
        self.stems[node.id] = stems
        for stem in stems:
            self._by_stem[stem].add(node.id)
            self._by_beginning[stem[:_BEGINNING]].add(stem)

    def _forget(self, node: Node) -> None:
        if node.type is NodeType.PERSON:
            for name in names_of(node):
                self._by_name[name.casefold()].discard(node.id)
                self._by_sound[sound(name), is_cyrillic(name)].discard(node.id)
            self._by_relation[kin_key(node.attribute("relation"))].discard(node.id)
            return
        self._by_slot[(node.subject, node.slot)].discard(node.id)
        if key := value_key(node.attribute("value")):
            self._by_value[key[0]].discard(node.id)
            self._value_keys.pop(node.id, None)
        for stem in self.stems.pop(node.id, frozenset()):
            self._by_stem[stem].discard(node.id)


def names_of(person: Node) -> tuple[str, ...]:
    """A person's name and other names."""
    aliases = person.attribute("aliases")
    return tuple(n for n in (person.attribute("name"), *aliases.split("|")) if n)


def _indexed(node: Node) -> tuple[object, ...]:
    return (node.type, node.subject, node.content, node.language, node.attributes)
