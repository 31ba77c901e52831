"""Turns in the person's own words: chosen to fit a budget, set in one dated clause a session."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from selfimprint.engine.context.counters import TokenCounter
from selfimprint.engine.context.dates import civil_day, note_instant, on_day, resolve_relative
from selfimprint.engine.context.fragments import Fragment, Sentence, capitalised, cost, filled, plain
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
    words = wording(request.language)
    wanted = _question_prefixes(request.question, request.language)
    names = voices.names
    most_whole = int(budget * settings.whole_turn_share)
    chosen: dict[int, Quotation] = {}
    clauses: dict[Place, int] = {}
    left = budget

    def take(quotation: Quotation) -> bool:
        nonlocal left
        place = place_of(quotation.item)
        beside = [q for q in chosen.values() if place_of(q.item) == place and q.rank != quotation.rank]
        clause = cost(clause_of((*beside, quotation), voices, words), count)
        extra = clause - clauses.get(place, 0)
        if extra > left:
            return False
        left -= extra
        clauses[place] = clause
        chosen[quotation.rank] = quotation
        return True

    runners_up: list[tuple[float, int, int]] = []
    for rank, turn in enumerate(turns[: settings.sentence_candidates]):
        parts = sentences(_readable(turn))
        telling = [
            n for n, part in enumerate(parts)
            if not is_small_talk(part, turn.language, names, settings.small_talk_words)
        ]  # fmt: skip
        if not telling:
            continue
        worth = {n: _worth(parts[n], wanted, settings) for n in telling}
        best = sorted(telling, key=lambda n: (-worth[n], n))
        whole = rank < settings.whole_turns
        if not whole and worth[best[0]] < settings.least_worth:
            continue
        if whole and sum(count(parts[n]) for n in telling) > most_whole:
            best = best[: settings.sentences_per_long_turn]
        picked = tuple(sorted(best)) if whole else tuple(best[:1])
        quotation = Quotation(item=turn, parts=parts, chosen=picked, rank=rank)
        if not take(quotation) and whole:
            for fewer in range(len(best) - 1, 0, -1):
                if take(Quotation(item=turn, parts=parts, chosen=tuple(sorted(best[:fewer])), rank=rank)):
                    break
        runners_up += ((worth[n] - rank, rank, n) for n in telling if rank in chosen and n not in picked)
        if left < settings.smallest_gap:
            break
    for _, rank, number in sorted(runners_up, reverse=True):
        if left < settings.smallest_gap:
            break
        old = chosen[rank]
        if number not in old.chosen:
            take(Quotation(item=old.item, parts=old.parts, chosen=tuple(sorted((*old.chosen, number))), rank=rank))
    return tuple(chosen[rank] for rank in sorted(chosen))


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
            opening = said["dated"] if day else said["undated"]
            on = on_day(day, words.language) if day else ""
            out.append(plain(opening.format(On=on, who=who) + marks["open"]))
        elif who == speaker:
            out.append(plain(_LEAP))
        else:
            out.append(plain(marks["close"] + said["again"].format(who=who) + marks["open"]))
        speaker = who
        last = number == len(ordered) - 1
        text = inside_quotation(_noted(quotation, day, words.language), words.language)
        if text.endswith(".") and not text.endswith("..") and (not last or said["full_stop"] == "outside"):
            text = text[:-1]
        out.append(Fragment(text=text, item=item))
    out.append(plain(marks["close"] + ("" if text[-1:] in _FINAL else said["end"])))
    return capitalised(out)


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
def _readable_text(text: str) -> str:
    return "\n".join(line for line in map(harmless, text.splitlines()) if line)


def _readable(item: ContextItem) -> str:
    return _readable_text(item.text)


@lru_cache(maxsize=1024)
def _question_prefixes(question: str, language: str) -> tuple[str, ...]:
    ordinary = wording(language).small_talk
    found = (word.casefold() for word in _WORD.findall(question))
    return tuple(
        word[: max(3, len(word) - _PREFIX_LOSS)] for word in dict.fromkeys(found) if len(word) > 2 and word not in ordinary
    )


@lru_cache(maxsize=16384)
def _content_words(sentence: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            word.casefold() for word in _WORD.findall(sentence)
            if len(word) >= _CONTENT_LETTERS or word[0].isupper() or word.isdecimal()
        )
    )  # fmt: skip


def _worth(sentence: str, wanted: tuple[str, ...], settings: ComposeSettings) -> float:
    content = _content_words(sentence)
    asked = sum(word.startswith(wanted) for word in content) if wanted else 0
    asks = settings.asking_penalty if sentence.endswith("?") else 0.0
    return float(len(content) ** 0.5 + settings.question_weight * asked - asks)
