"""What a pattern cannot match without: the first letters of its literal words, read off its template.

Searching a clause for hundreds of patterns is cheap when most are ruled out by a set test. For each pattern we look for
a part that every match must contain and that begins with one of a few literals, and keep the first five letters of each
(three of a short one). The test only ever errs towards searching.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

_SHORT, _LONG = 3, 5
_SHORT_COST = 4  # a short piece occurs by chance about so much more often
_MAX_CHOICES = 400
_FURTHER = 3  # more sets than this rule out too little to be worth the test
_QUANTIFIER = re.compile(r"[?*+]\??|\{\d*,?\d*\}\??")
_MACRO = re.compile(r"\{([A-Z][A-Z_]*)\}")
_GROUP = re.compile(r"\(\?P<\w+>|\(\?:|\(\?(?P<look><?[=!])|\(\?-?[a-zA-Z-]+:|\(")
_ESCAPED_LITERAL = frozenset(".^$*+?{}[]()|\\/-'&%#@!")

Needs = frozenset[str] | None


@lru_cache(maxsize=256)
def grams(text: str) -> frozenset[str]:
    """All pieces of three and of five characters of the lower-cased text."""
    lowered = text.lower()
    size = len(lowered)
    short = {lowered[i : i + _SHORT] for i in range(size - _SHORT + 1)}
    return frozenset(short.union([lowered[i : i + _LONG] for i in range(size - _LONG + 1)]))


def _piece(literal: str) -> str:
    return literal[: _LONG if len(literal) >= _LONG else _SHORT].lower()


def _cost(needs: frozenset[str]) -> int:
    return sum(_SHORT_COST if len(piece) == _SHORT else 1 for piece in needs)


class _Reader:
    def __init__(self, template: str, macros: Mapping[str, str], cache: dict[str, Needs]) -> None:
        self.text, self.macros, self.cache, self.at = template, macros, cache, 0
        self.parts: list[frozenset[str]] = []

    def alternatives(self) -> Needs:
        """Reads up to the closing parenthesis or the end."""
        found: list[Needs] = [self.sequence()]
        while self.at < len(self.text) and self.text[self.at] == "|":
            self.at += 1
            found.append(self.sequence())
        if any(one is None for one in found):
            return None
        union = frozenset(gram for one in found if one for gram in one)
        return union if len(union) <= _MAX_CHOICES else None

    def sequence(self) -> Needs:
        options: list[frozenset[str]] = []
        run = ""

        def close() -> None:
            nonlocal run
            if len(run) >= _SHORT:
                options.append(frozenset({_piece(run)}))
            run = ""

        while self.at < len(self.text) and self.text[self.at] not in "|)":
            char = self.text[self.at]
            literal, needs = "", None
            if char == "(":
                needs = self.group()
            elif char == "[":
                self.character_class()
            elif char == "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                literal = escaped if escaped in _ESCAPED_LITERAL else ""
                self.at += 2
            elif macro := _MACRO.match(self.text, self.at):
                needs = self.macro(macro[1])
                self.at = macro.end()
            else:
                literal = char if char not in ".^$ " else ""
                self.at += 1
            quantifier = _QUANTIFIER.match(self.text, self.at)
            optional = False
            if quantifier:
                self.at = quantifier.end()
                optional = quantifier[0].startswith(("?", "*", "{0", "{,"))
            if literal and not quantifier:
                run += literal
                continue
            if literal and not optional:
                run += literal
            close()
            if needs and not optional:
                options.append(needs)
        close()
        self.parts = sorted(options, key=_cost)  # the outermost sequence ends last, so these stay
        return self.parts[0] if options else None

    def group(self) -> Needs:
        opening = _GROUP.match(self.text, self.at)
        assert opening is not None  # the pattern starts with the parenthesis seen
        self.at = opening.end()
        needs = self.alternatives()
        self.at += 1
        return None if opening["look"] else needs

    def character_class(self) -> None:
        self.at += 2
        while self.at < len(self.text) and self.text[self.at] != "]":
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def macro(self, name: str) -> Needs:
        if name not in self.cache:
            self.cache[name] = None  # against a macro that contains itself; expansion reports that
            self.cache[name] = _Reader(self.macros.get(name, ""), self.macros, self.cache).alternatives()
        return self.cache[name]


class PieceIndex:
    """Which of a list of patterns are worth searching in a text, looked up by the text's pieces.

    Built once from each pattern's needs; asking costs a look-up a piece instead of a test a pattern."""

    def __init__(self, needs: Sequence[Needs], further: Sequence[tuple[frozenset[str], ...]]) -> None:
        by_piece: dict[str, list[int]] = {}
        for position, pieces in enumerate(needs):
            for piece in pieces or ():
                by_piece.setdefault(piece, []).append(position)
        self._by_piece = {piece: tuple(positions) for piece, positions in by_piece.items()}
        self._pieces = frozenset(self._by_piece)
        self._further = tuple(further)
        self._always = tuple(position for position, pieces in enumerate(needs) if not pieces)

    def hits(self, text: str) -> list[int]:
        """The positions, in order, of the patterns that may match."""
        present = grams(text)
        found = set(self._always)
        for piece in self._pieces & present:
            found.update(self._by_piece[piece])
        further = self._further
        return sorted(i for i in found if not any(pieces.isdisjoint(present) for pieces in further[i]))


def read_needs(
    template: str, macros: Mapping[str, str], cache: dict[str, Needs]
) -> tuple[Needs, tuple[frozenset[str], ...]]:
    """Pieces of which a matching text contains at least one, `None` when nothing can be said; and what else every match
    contains besides, one piece of each set (nothing for alternatives).

    `cache` keeps the answers for macros between calls."""
    reader = _Reader(template, macros, cache)
    needs = reader.alternatives()
    return needs, () if _is_alternation(template) else tuple(reader.parts[1:_FURTHER])


def _is_alternation(template: str) -> bool:
    """Whether a `|` stands outside all brackets."""
    depth, escaped, in_class = 0, False, False
    for char in template:
        if escaped or char == "\\":
            escaped = not escaped
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "|" and depth == 0:
            return True
        else:
            depth += (char == "(") - (char == ")")
    return False
