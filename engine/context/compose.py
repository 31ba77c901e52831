"""From what was recalled to one paragraph of prose (whitepaper §3.4): deterministic, within a token budget.

Slots, chains and loops are templates in the language of the last user message; all else is quoted in the words in which
it was said, in one dated clause a session.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from selfimprint.engine.context.counters import COUNTERS, TokenCounter
from selfimprint.engine.context.fragments import Sentence, cost, joined, plain
from selfimprint.engine.context.parts import Chain, Composed, ContextItem, ContextRequest
from selfimprint.engine.context.quotations import Quotation, clauses_in_order, select_quotations
from selfimprint.engine.context.quoting import harmless
from selfimprint.engine.context.settings import ComposeSettings
from selfimprint.engine.context.statements import (
    chain_sentence,
    facts_in_one,
    guess,
    history,
    introduction,
    is_guess,
    is_past,
    is_slot,
    loop,
    says_something,
)
from selfimprint.engine.context.voices import Voices, voices_for
from selfimprint.engine.context.wording import Wording, wording

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """What was chosen, by kind; within a kind the most important comes first."""

    profile: tuple[ContextItem, ...] = ()
    facts: tuple[ContextItem, ...] = ()
    past: tuple[ContextItem, ...] = ()
    chains: tuple[Sentence, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    guesses: tuple[ContextItem, ...] = ()
    loops: tuple[ContextItem, ...] = ()
    uncertain: bool = False


_DROPPED_FIRST = ("quotations", "guesses", "loops", "past", "chains", "facts", "profile")


def compose(
    items: Sequence[ContextItem],
    chains: Sequence[Chain],
    loops: Sequence[ContextItem],
    base_profile: Sequence[ContextItem],
    request: ContextRequest,
    settings: ComposeSettings,
    *,
    counters: Mapping[str, TokenCounter] = COUNTERS,
) -> Composed:
    """One paragraph of at most `request.budget` tokens by `request.counter`, with citations.

    Each sequence comes best first.  Nothing to say, or no room to say it, gives an empty text with `empty` set.
    Raises KeyError for a counter that nobody registered.
    """
    count = counters[request.counter]
    words = wording(request.language)
    given = _distinct([item for item in items if says_something(item, words)])
    loops = [item for item in loops if says_something(item, words)]
    known = (*given, *(item for chain in chains for item in chain), *loops, *base_profile)
    voices = voices_for(base_profile, known, words)
    draft = _draft(given, chains, loops, base_profile, request, settings, voices, words, count)
    text, citations = joined(_sentences(draft, voices, words))
    while text and count(text) > request.budget:  # a counter may join tokens across a seam, or cost more at one
        draft = _without_least(draft)
        text, citations = joined(_sentences(draft, voices, words))
    cited = {citation.key for citation in citations}
    return Composed(
        text=text,
        language=words.language,
        tokens=count(text) if text else 0,
        citations=citations,
        omitted_count=len({item.key for item in known} - cited),
        empty=not text,
    )


def _draft(
    items: Sequence[ContextItem],
    chains: Sequence[Chain],
    loops: Sequence[ContextItem],
    base_profile: Sequence[ContextItem],
    request: ContextRequest,
    settings: ComposeSettings,
    voices: Voices,
    words: Wording,
    count: TokenCounter,
) -> _Draft:
    everything = asks_everything(request.question, words)
    doubtful = bool(items) and request.confidence < settings.uncertain_below and not everything
    uncertain = doubtful and not request.answered
    budget = request.budget
    if doubtful:
        budget = int(budget * settings.uncertain_share) - (count(words.frames["uncertain"]) if uncertain else 0)
    nodes = [item for item in items if item.kind == "node"][: request.max_items]
    quotable = [item for item in items if _is_quotable(item, words) and (item.kind == "turn" or item in nodes)]

    def fitting(candidates: Sequence[ContextItem], room: int, draft: _Draft, kind: str) -> _Draft:
        """The draft with as many of the candidates, in their order, as fit the room, each priced on its own."""
        kept: list[ContextItem] = []
        for candidate in candidates:
            price = _cost(_with(_Draft(), kind, (candidate,)), voices, words, count)
            if price <= room:
                kept.append(candidate)
                room -= price
        return _with(draft, kind, tuple(kept))

    share = settings.statements_share if quotable else settings.statements_only_share
    draft = fitting(
        [item for item in base_profile if is_slot(item, words) and not is_past(item) and not is_guess(item)],
        int(budget * (settings.profile_asked_share if everything else settings.profile_share)),
        _Draft(uncertain=uncertain), "profile",
    )  # fmt: skip
    said = {_statement(item) for item in draft.profile}
    room = int(budget * share) + _cost(draft, voices, words, count)

    def left(draft: _Draft) -> int:
        return room - _cost(draft, voices, words, count)

    facts = [
        item for item in nodes
        if is_slot(item, words) and not is_past(item) and not is_guess(item) and _statement(item) not in said
    ]  # fmt: skip
    draft = fitting(facts, left(draft), draft, "facts")
    draft = fitting([item for item in items if is_past(item)], left(draft), draft, "past")
    linked: set[str] = set()
    for chain in chains:
        sentence = chain_sentence(
            chain, nearest=_nearest(chain), budget=left(draft), voices=voices, words=words, count=count
        )
        if sentence:
            draft = replace(draft, chains=(*draft.chains, sentence))
            linked |= {_bare(fragment.item.text) for fragment in sentence if fragment.item is not None}
    draft = fitting([item for item in nodes if is_guess(item) and not is_past(item)], left(draft), draft, "guesses")
    draft = fitting(loops, min(left(draft), int(budget * settings.loops_share)), draft, "loops")
    linked |= {_bare(item.text) for item in draft.loops}
    quotations = select_quotations(
        [item for item in quotable if _bare(item.text) not in linked],
        budget=budget - _cost(draft, voices, words, count),
        voices=voices, request=request, settings=settings, count=count,
    )  # fmt: skip
    draft = replace(draft, quotations=quotations)
    said_anything = draft.quotations or draft.facts or draft.past or draft.chains or draft.guesses
    return draft if said_anything else replace(draft, uncertain=False)


def asks_everything(question: str, words: Wording) -> bool:
    """Whether no word of the question narrows it down; an empty question asks for everything too."""
    return words.everything.issuperset(word.casefold() for word in _WORD.findall(question))


def _is_quotable(item: ContextItem, words: Wording) -> bool:
    return not is_past(item) and not is_guess(item) and not (item.kind == "node" and is_slot(item, words))


def _nearest(chain: Chain) -> str:
    """The link that the ranking put nearest the question."""
    return max(chain, key=lambda item: item.score).key if chain else ""


def _sentences(draft: _Draft, voices: Voices, words: Wording) -> tuple[Sentence, ...]:
    own_name = [item for item in draft.profile if item.slot == "name" and voices.is_user(item)]
    return (
        *(introduction(item, words) for item in own_name[:1]),
        *facts_in_one([*(item for item in draft.profile if item not in own_name), *draft.facts], voices, words),
        *(history(item, voices, words) for item in draft.past),
        *draft.chains,
        *(((plain(words.frames["uncertain"]),),) if draft.uncertain else ()),
        *clauses_in_order(draft.quotations, voices, words),
        *(guess(item, voices, words) for item in draft.guesses),
        loop(draft.loops, words),
    )


def _cost(draft: _Draft, voices: Voices, words: Wording, count: TokenCounter) -> int:
    return sum(cost(sentence, count) for sentence in _sentences(draft, voices, words))


def _with(draft: _Draft, kind: str, kept: tuple[object, ...]) -> _Draft:
    changed: dict[str, Any] = {kind: kept}
    return replace(draft, **changed)


def _without_least(draft: _Draft) -> _Draft:
    """The draft without the least of what is dropped first; an empty draft once nothing is left."""
    for kind in _DROPPED_FIRST:
        kept = getattr(draft, kind)
        if kept:
            return _with(draft, kind, kept[:-1])
    return _Draft()


def _distinct(items: Sequence[ContextItem]) -> tuple[ContextItem, ...]:
    """The items without those that repeat an earlier one's key, or say the same in the same session."""
    seen: set[object] = set()
    kept = []
    for item in items:
        marks = {item.key, (item.session, item.speaker, item.slot, item.status, _bare(item.text), _bare(item.value))}
        if not marks & seen:
            kept.append(item)
        seen |= marks
    return tuple(kept)


def _statement(item: ContextItem) -> tuple[str, str, str]:
    return item.person, item.slot, _bare(item.value)


@lru_cache(maxsize=16384)
def _bare(text: str) -> str:
    return " ".join(harmless(text).casefold().split()).rstrip(".")
