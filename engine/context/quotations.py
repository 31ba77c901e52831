"""Turns in the person's own words: chosen to fit a budget, set in one dated clause a session."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from selfimprint.engine.context.counters import TokenCounter
from selfimprint.engine.context.dates import civil_day, note_instant, on_day, resolve_relative
from selfimprint.engine.context.fragments import Fragment, Sentence, capitalised, plain
from selfimprint.engine.context.parts import ContextItem, ContextRequest
from selfimprint.engine.context.quoting import harmless, inside_quotation
from selfimprint.engine.context.sentences import is_small_talk, sentences
from selfimprint.engine.context.settings import ComposeSettings
from selfimprint.engine.context.voices import Voices
from selfimprint.engine.context.wording import Wording, wording

_WORD = re.compile(r"\w+")
_FINAL = ".!?…。！？"
_LEAP = " … "
_CONTENT_LETTERS = 4
_PREFIX_LOSS = 2
_LEAST_PREFIX = 3

Place = tuple[str, date | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """Sentences of one turn, by number; `rank` is the turn's place in the ranking."""

    item: ContextItem
    parts: tuple[str, ...]
    chosen: tuple[int, ...]
    rank: int

    @property
    def text(self) -> str:
        out = ""
        for before, number in zip((None, *self.chosen), self.chosen, strict=False):
            gap = "" if before is None else " " if number == before + 1 else _LEAP
            out += gap + self.parts[number]
        return out


def select_quotations(
    turns: Sequence[ContextItem],
    *,
    budget: int,
    voices: Voices,
    request: ContextRequest,
    settings: ComposeSettings,
    count: TokenCounter,
) -> tuple[Quotation, ...]:
    """The best turns whole, then the best single sentences of the next, each with its clause within the budget.

    Turns come best first; so does the result, so that dropping from its end drops the least.
    """
    desk = _Desk(budget=budget, voices=voices, words=wording(request.language), count=count)
    wanted = _question_prefixes(request.question, request.language)
    most_whole = int(budget * settings.whole_turn_share)
    runners_up: list[tuple[float, int, int]] = []
    for rank, turn in enumerate(turns[: settings.sentence_candidates]):
        if desk.left < settings.smallest_gap:
            break
        parts, telling = _telling(turn.text, turn.language, voices.names, settings.small_talk_words)
        if not telling:
            continue
        whole = rank < settings.whole_turns
        if whole and sum(map(count, parts)) <= most_whole and desk.take(turn, parts, telling, rank):
            continue
        worth = {n: _worth(parts[n], wanted, settings) for n in telling}
        best = sorted(telling, key=lambda n: (-worth[n], n))
        if whole:
            fitting = [n for n in best if _asked(parts[n], wanted)] or best[:1]
            sizes = range(min(len(fitting), settings.sentences_per_long_turn), 0, -1)
            picked = next((fitting[:n] for n in sizes if desk.take(turn, parts, sorted(fitting[:n]), rank)), [])
        else:
            worthy = worth[best[0]] >= settings.least_worth
            picked = best[:1] if worthy and desk.take(turn, parts, best[:1], rank) else []
        if picked:
            long = len(telling) > settings.long_turn_sentences
            beside = {m + step for m in picked for step in (-1, 1)} if long else set(telling)
            more = [n for n in best if n not in picked and (n in beside or _asked(parts[n], wanted))]
            runners_up += ((worth[n] - rank, rank, n) for n in more[: settings.sentences_per_long_turn])
    for _, rank, number in sorted(runners_up, reverse=True):
        if desk.left < settings.smallest_gap:
            break
        old = desk.chosen[rank]
        desk.take(old.item, old.parts, sorted((*old.chosen, number)), rank)
    return tuple(desk.chosen[rank] for rank in sorted(desk.chosen))


class _Desk:
    """Quotations chosen so far and what their clauses cost; a clause is priced without being written."""

    def __init__(self, *, budget: int, voices: Voices, words: Wording, count: TokenCounter) -> None:
        self.left = budget
        self.chosen: dict[int, Quotation] = {}
        self._voices, self._words, self._count = voices, words, count
        self._clauses: dict[Place, tuple[int, list[tuple[int, int, str, int]]]] = {}
        said, marks = words.said, words.quotes
        self._end = count(marks["close"] + said["end"])
        self._leap = count(_LEAP)

    def take(self, item: ContextItem, parts: tuple[str, ...], chosen: Sequence[int], rank: int) -> bool:
        """Takes these sentences of a turn, in place of others of the same rank, if their clause still fits."""
        quotation = Quotation(item=item, parts=parts, chosen=tuple(chosen), rank=rank)
        place = place_of(item)
        text = _quoted_text(quotation, place[1], self._words.language)
        tokens = self._count(text[:-1] if text.endswith(".") else text)
        paid, others = self._clauses.get(place, (0, []))
        entry = (item.at_us or 0, rank, self._voices.speaker(item), tokens)
        said = sorted((*(other for other in others if other[1] != rank), entry))
        price = self._price(said, place[1])
        if price - paid > self.left:
            return False
        self.left -= price - paid
        self._clauses[place] = price, said
        self.chosen[rank] = quotation
        return True

    def _price(self, said: Sequence[tuple[int, int, str, int]], day: date | None) -> int:
        total, speaker = self._end, said[0][2]
        total += self._count(_opening(speaker, day, self._words))
        for _, _, who, tokens in said:
            if who != speaker:
                total += self._count(_handover(who, self._words))
                speaker = who
            else:
                total += self._leap
            total += tokens
        return total - self._leap


@lru_cache(maxsize=4096)
def _opening_text(who: str, day: date | None, language: str) -> str:
    words = wording(language)
    opening = str(words.said["dated" if day else "undated"])
    return opening.format(On=on_day(day, language) if day else "", who=who) + words.quotes["open"]


def _opening(who: str, day: date | None, words: Wording) -> str:
    return _opening_text(who, day, words.language)


def _handover(who: str, words: Wording) -> str:
    return str(words.quotes["close"] + words.said["again"].format(who=who) + words.quotes["open"])


def place_of(item: ContextItem) -> Place:
    """Which clause an item belongs to: its session and the day there."""
    return item.session, civil_day(item.at_us, item.offset_minutes) if item.at_us is not None else None


def clauses_in_order(quotations: Sequence[Quotation], voices: Voices, words: Wording) -> tuple[Sentence, ...]:
    """One dated clause a session, oldest first, undated ones last."""
    places: dict[Place, list[Quotation]] = {}
    for quotation in quotations:
        places.setdefault(place_of(quotation.item), []).append(quotation)

    def oldest(place: Place) -> tuple[bool, int]:
        instants = [q.item.at_us for q in places[place] if q.item.at_us is not None]
        return (not instants, min(instants, default=0))

    return tuple(clause_of(places[place], voices, words) for place in sorted(places, key=oldest))


def clause_of(quotations: Sequence[Quotation], voices: Voices, words: Wording) -> Sentence:
    """`On 7 May 2023 Caroline said: “… … …”; Melanie: “…”.` in the order in which it was said.

    What one person said on end stands in one quotation, with an ellipsis for what was left out between.
    """
    said, marks = words.said, words.quotes
    ordered = sorted(quotations, key=lambda q: (q.item.at_us or 0, q.rank))
    out: list[Fragment] = []
    speaker, text = "", ""
    for number, quotation in enumerate(ordered):
        item = quotation.item
        who, day = voices.speaker(item), place_of(item)[1]
        if number == 0:
            out.append(plain(_opening(who, day, words)))
        elif who == speaker:
            out.append(plain(_LEAP))
        else:
            out.append(plain(_handover(who, words)))
        speaker = who
        last = number == len(ordered) - 1
        text = _quoted_text(quotation, day, words.language)
        if text.endswith(".") and not text.endswith("..") and (not last or said["full_stop"] == "outside"):
            text = text[:-1]
        out.append(Fragment(text=text, item=item))
    out.append(plain(marks["close"] + ("" if text[-1:] in _FINAL else said["end"])))
    return capitalised(out)


def _quoted_text(quotation: Quotation, day: date | None, language: str) -> str:
    return inside_quotation(_noted(quotation, day, language), language)


def _noted(quotation: Quotation, day: date | None, language: str) -> str:
    item, text = quotation.item, quotation.text
    if day is None:
        return text
    noted = resolve_relative(text, day, item.language, language)
    if noted == text and item.when_us is not None and item.when_text and item.when_text in text:
        note = note_instant(item.when_us, item.offset_minutes, day, language)
        noted = text.replace(item.when_text, f"{item.when_text} [{note}]", 1) if note else text
    return noted


@lru_cache(maxsize=16384)
def _telling(
    text: str, language: str, names: frozenset[str], most_words: int
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """A turn's sentences, and the numbers of those that are not small talk."""
    parts = sentences("\n".join(line for line in map(harmless, text.splitlines()) if line))
    return parts, tuple(n for n, part in enumerate(parts) if not is_small_talk(part, language, names, most_words))


@lru_cache(maxsize=1024)
def _question_prefixes(question: str, language: str) -> tuple[str, ...]:
    ordinary = wording(language).small_talk | wording(language).asking
    found = dict.fromkeys(word.casefold() for word in _WORD.findall(question))
    asking = (word for word in found if len(word) >= _LEAST_PREFIX and word not in ordinary)
    return tuple(word[: max(_LEAST_PREFIX, len(word) - _PREFIX_LOSS)] for word in asking)


@lru_cache(maxsize=16384)
def _words(sentence: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.casefold() for word in _WORD.findall(sentence) if len(word) >= _LEAST_PREFIX))


@lru_cache(maxsize=16384)
def _content_words(sentence: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            word.casefold() for word in _WORD.findall(sentence)
            if len(word) >= _CONTENT_LETTERS or word[0].isupper() or word.isdecimal()
        )
    )  # fmt: skip


def _asked(sentence: str, wanted: tuple[str, ...]) -> int:
    """How many words of the sentence begin like one of the question's."""
    return sum(word.startswith(wanted) for word in _words(sentence)) if wanted else 0


def _worth(sentence: str, wanted: tuple[str, ...], settings: ComposeSettings) -> float:
    asks = settings.asking_penalty if sentence.endswith("?") else 0.0
    return float(len(_content_words(sentence)) ** 0.5 + settings.question_weight * _asked(sentence, wanted) - asks)
