"""Clauses of a sentence: where they begin, which discourse relation joins them, and how they are meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selfimprint.engine.extraction.candidates import Modality
from selfimprint.engine.extraction.packs.literals import grams
from selfimprint.engine.extraction.packs.model import LazyPattern, Pack
from selfimprint.engine.extraction.segments import Sentence
from selfimprint.engine.extraction.settings import ExtractionSettings

_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """`text` may begin with a virtual subject of `prefix` characters, for a subject the speaker left out.

    `relation` says how the clause relates to the one before it: the kind of its connective, `fronted-<kind>` when the
    connective opens the sentence and the *next* clause is the other half, or empty."""

    start: int
    end: int
    text: str
    prefix: int = 0
    relation: str = ""
    connective: str = ""
    modality: Modality = "stated"
    usable: bool = True
    sentence: int = 0

    def offset(self, position: int) -> int:
        """The message offset of a position in `text`."""
        return max(self.start, self.start + position - self.prefix)


@dataclass(slots=True)
class _Piece:
    start: int
    end: int
    relation: str
    connective: str


def any_match(patterns: tuple[LazyPattern, ...], text: str) -> bool:
    """Whether one of the patterns occurs in the text."""
    present = grams(text)
    return any(
        pattern.regex.search(text) for pattern in patterns if not (pattern.needs and pattern.needs.isdisjoint(present))
    )


def _word_count(text: str) -> int:
    return len(_WORDS.findall(text))


def _pieces(sentence: Sentence, pack: Pack, settings: ExtractionSettings) -> list[_Piece]:
    text, base = sentence.text, 0
    pieces: list[_Piece] = []
    relation, connective = "", ""
    leading = pack.leading.regex.match(text)
    if leading:
        relation, connective = f"fronted-{leading.lastgroup}", leading[0].strip()
        base = leading.end()
    cuts: list[tuple[int, int, str, str]] = [
        (m.start(), m.end(), m.lastgroup or "plain", m[0].strip()) for m in pack.connectives.finditer(text[base:])
    ]
    cuts = [(a + base, b + base, kind, word) for a, b, kind, word in cuts]
    if relation:
        comma = text.find(",", base)
        if comma > 0 and not any(a <= comma < b for a, b, _, _ in cuts):
            cuts.append((comma, comma + 1, "main", ","))
        elif comma < 0 and not cuts and (at := _main_start(text, base, pack, settings)):
            cuts.append((at, at, "main", ""))
    if pack.clause_comma:
        for m in pack.clause_comma.finditer(text[base:]):
            if not any(a <= m.start() + base < b or a < m.end() + base <= b for a, b, _, _ in cuts):
                cuts.append((m.start() + base, m.end() + base, "plain", ","))
    start = base
    for a, b, kind, word in sorted(cuts):
        if a < start:
            continue
        if _word_count(text[start:a]) < settings.clause_min_words and kind in ("plain", "main"):
            continue
        if a > start or pieces:
            pieces.append(_Piece(start, a, relation, connective))
            relation, connective = kind, word
        start = b
    pieces.append(_Piece(start, len(text), relation, connective))
    return [p for p in pieces if _word_count(text[p.start : p.end])]


def _main_start(text: str, base: int, pack: Pack, settings: ExtractionSettings) -> int:
    """Where the main clause begins after a fronted one that no comma closes; 0 where that cannot be told."""
    for pattern in pack.main_start:
        for match in pattern.finditer(text[base:]):
            at = base + match.start()
            if _word_count(text[base:at]) >= settings.fronted_min_words and _word_count(text[at:]) > 1:
                return at
    return 0


def _elided(text: str, carried: str, pack: Pack) -> str:
    """The subject (and copula) a clause left out: the one of the clause before, or the pack's own."""
    if pack.elided_prefix and (found := pack.elided.search(text)) and found.start() == 0:
        return carried
    if carried.strip() == pack.elided_prefix.strip():
        for prefix, pattern in pack.elisions:
            if (found := pattern.search(text)) and found.start() == 0:
                return prefix
    return ""


def _modality(text: str, piece: _Piece, last: bool, sentence: Sentence, pack: Pack) -> Modality:
    guards = pack.guards
    kind = piece.relation.removeprefix("fronted-")
    if kind == "condition" or any_match(guards["hypothetical"], text):
        return "hypothetical"
    if piece.relation != "main" and any_match(guards["question"], text):  # after a fronted clause verb and subject swap
        return "question"
    if "?" in sentence.terminator and last and kind != "cause":
        return "question"
    if any_match(guards["reported"], text):
        return "reported"
    return "stated"


def split_clauses(sentence: Sentence, index: int, pack: Pack, settings: ExtractionSettings) -> tuple[Clause, ...]:
    """The clauses of a sentence in order, each with its modality; sarcasm and commands are not `usable`."""
    sentence_off = any_match(pack.guards["sentence"], sentence.text) or any_match(
        pack.guards["sarcasm"], sentence.text + sentence.terminator
    )
    clauses: list[Clause] = []
    previous_subject = pack.elided_prefix
    pieces = _pieces(sentence, pack, settings)
    for i, piece in enumerate(pieces):
        raw = sentence.text[piece.start : piece.end][: settings.clause_max_chars]
        left = len(raw) - len(raw.lstrip(" ,;:–—-\x1f"))
        text = raw.strip(" ,;:–—-\x1f")
        start = sentence.start + piece.start + left
        prefix = 0
        subject = pack.subject.search(text)
        if subject and subject.start() == 0:
            previous_subject = subject[0].strip() + " "
        elif missing := _elided(text, previous_subject, pack):
            text = missing + text
            prefix = len(missing)
        modality = _modality(text, piece, i == len(pieces) - 1, sentence, pack)
        if modality == "stated" and piece.relation in ("", "plain", "main") and clauses:
            before = clauses[-1]
            carried = before.modality in ("hypothetical",) or (
                before.modality == "reported" and bool(prefix) and piece.relation == "plain"
            )
            if carried and (before.modality == "reported" or piece.relation == "main" or prefix):
                modality = before.modality
        clauses.append(
            Clause(
                start=start,
                end=start + len(text) - prefix,
                text=text,
                prefix=prefix,
                relation=piece.relation,
                connective=piece.connective,
                modality=modality,
                usable=not sentence_off and not any_match(pack.guards["command"], text),
                sentence=index,
            )
        )
    return tuple(clauses)
