"""Slots, history, chains, guesses and open loops as sentences; values are set in, never inflected."""

from collections.abc import Sequence

from selfimprint.engine.context.counters import TokenCounter
from selfimprint.engine.context.dates import civil_day, day_in_words, on_day, until_month
from selfimprint.engine.context.fragments import Fragment, Sentence, capitalised, cost, filled, plain
from selfimprint.engine.context.parts import Chain, ContextItem
from selfimprint.engine.context.quoting import harmless, inside_quotation, quoted
from selfimprint.engine.context.voices import Voices
from selfimprint.engine.context.wording import Wording, known

_PAST = frozenset({"ended", "retired"})


def is_slot(item: ContextItem, words: Wording) -> bool:
    """Whether the item fits a slot template."""
    slot = words.slots.get(item.slot)
    return item.kind == "node" and slot is not None and any(map(str.isalnum, item.value)) and (
        item.polarity >= 0 or bool(slot.not_now)
    )  # fmt: skip


def says_something(item: ContextItem, words: Wording) -> bool:
    """Whether there is a word in it that a template or a quotation could show."""
    return is_slot(item, words) or any(map(str.isalnum, harmless(item.text)))


def is_past(item: ContextItem) -> bool:
    """Whether it may be said as history only."""
    return item.status in _PAST


def is_guess(item: ContextItem) -> bool:
    """Whether it must be worded as unconfirmed."""
    return item.status == "hypothesis" or item.node_type == "hypothesis" or item.trust in ("inferred", "corroborated")


def facts_in_one(facts: Sequence[ContextItem], voices: Voices, words: Wording) -> tuple[Sentence, ...]:
    """One sentence a person: "Anna lives in Tallinn, works at Alfa and has a pet, Muri."."""
    people: dict[str, list[Sentence]] = {}
    for fact in facts:
        people.setdefault(voices.subject(fact), []).append(_predicate(fact, voices, words))
    out = []
    for who, predicates in people.items():
        listed: list[Fragment] = []
        for number, predicate in enumerate(predicates):
            if number:
                final = number == len(predicates) - 1
                listed.append(plain(words.frames["last_comma" if final else "comma"]))
            listed.extend(predicate)
        out.append(capitalised(filled(words.frames["profile"], who=who, facts=tuple(listed))))
    return tuple(out)


def introduction(item: ContextItem, words: Wording) -> Sentence:
    """What the user is called."""
    return filled(words.frames["introduction"], name=Fragment(text=_value(item, words), item=item))


def _predicate(fact: ContextItem, voices: Voices, words: Wording) -> Sentence:
    slot = words.slots[fact.slot]
    now = slot.bare if fact.relation and fact.relation.casefold() == fact.value.casefold() else slot.now
    template = now if fact.polarity >= 0 else slot.not_now
    text = template.format(value=_value(fact, words), quoted=quoted(fact.value, words.language), user=voices.user)
    return (Fragment(text=text + _recurrence(fact, words), item=fact),)


def _value(item: ContextItem, words: Wording) -> str:
    value = inside_quotation(item.value, words.language).rstrip(".;, ")
    relation = inside_quotation(item.relation, words.language)
    said_in_it = known(item.language) == words.language  # "mann Andrei" is no English
    if not relation or not said_in_it or item.person or relation.casefold() in value.casefold():
        return value
    return f"{relation.capitalize() if words.nouns_capitalised else relation} {value}"


def _recurrence(item: ContextItem, words: Wording) -> str:
    seen = item.occurrences
    if seen is None or seen.count < 2:
        return ""
    form = words.frames["times"][plural(seen.count, words.language)].format(n=seen.count)
    day = civil_day(seen.last_us, item.offset_minutes) if seen.last_us is not None else None
    if day is not None:
        form = str(words.frames["occurrences"]).format(times=form, on=on_day(day, words.language))
    return f" ({form})"


def plural(number: int, language: str) -> str:
    """Which plural form a count takes: "one", "few" or "many" (CLDR's cardinal rules for whole numbers)."""
    if language == "ru":
        tens, ones = number % 100, number % 10
        if ones == 1 and tens != 11:
            return "one"
        return "few" if ones in (2, 3, 4) and tens not in (12, 13, 14) else "many"
    return "one" if number == 1 or (language == "fr" and number == 0) else "many"


def history(item: ContextItem, voices: Voices, words: Wording) -> Sentence:
    """What no longer holds, worded so: "Until March 2026 …"."""
    frames, ended = words.frames, item.valid_to_us
    day = civil_day(ended, item.offset_minutes) if ended is not None else None
    if is_slot(item, words) and item.polarity >= 0:
        said = Fragment(text=_value(item, words), item=item)
        label, who = words.slots[item.slot].label, voices.subject(item)
        if day is None:
            return capitalised(filled(frames["history_undated"], who=who, label=label, value=said))
        until = until_month(day, words.language)
        return capitalised(filled(frames["history"], until=until, who=who, label=label, value=said))
    said_on = civil_day(item.at_us, item.offset_minutes) if item.at_us is not None else None
    own = _own_words(item, words)
    if said_on is None:
        return capitalised(filled(frames["former_undated"], who=voices.speaker(item), text=own))
    return capitalised(filled(frames["former"], on=on_day(said_on, words.language), who=voices.speaker(item), text=own))


def guess(item: ContextItem, voices: Voices, words: Wording) -> Sentence:
    """A hypothesis, worded as one; confirmed by observation only, worded as appearance."""
    frame = "corroborated" if item.trust == "corroborated" and item.status != "hypothesis" else "hypothesis"
    if is_slot(item, words):
        said: Sentence = (plain(f"{voices.subject(item)} "), *_predicate(item, voices, words))
    else:
        said = (Fragment(text=inside_quotation(item.text, words.language).rstrip(". "), item=item),)
    return capitalised(filled(words.frames[frame], text=said))


def loop(items: Sequence[ContextItem], words: Wording) -> Sentence:
    """Open loops in one sentence, each in the person's own words with its date."""
    listed: list[Fragment] = []
    for number, item in enumerate(items):
        if number:
            listed.append(plain(words.frames["semicolon"]))
        listed.append(_own_words(item, words))
        day = civil_day(item.at_us, item.offset_minutes) if item.at_us is not None else None
        if day is not None:
            listed.append(plain(f" ({day_in_words(day, words.language)})"))
    return capitalised(filled(words.frames["loop"], text=tuple(listed))) if listed else ()


def chain_sentence(
    chain: Chain, *, nearest: str, budget: int, voices: Voices, words: Wording, count: TokenCounter
) -> Sentence:
    """The chain whole; too long for the budget, its ends and the link with key `nearest`, what is between counted.

    Empty when not even the ends fit, or when a link has no words.
    """
    if len(chain) < 2 or not all(any(map(str.isalnum, harmless(item.text))) for item in chain):
        return ()
    everything = tuple(range(len(chain)))
    middle = next((n for n, item in enumerate(chain) if item.key == nearest), 0)
    for shown in (everything, tuple(sorted({0, middle, len(chain) - 1})), (0, len(chain) - 1)):
        sentence = _chain(chain, shown, voices, words)
        if cost(sentence, count) <= budget:
            return sentence
    return ()


def _chain(chain: Chain, shown: Sequence[int], voices: Voices, words: Wording) -> Sentence:
    frames = words.frames
    links: list[Fragment] = []
    for number, index in enumerate(shown):
        if number:
            skipped = index - shown[number - 1] - 1
            if skipped:
                form = frames["because_skipped"][plural(skipped, words.language)]
                links.append(plain(form.format(n=skipped)))
            else:
                links.append(plain(frames["because" if number == 1 else "because_again"]))
        links.append(_own_words(chain[index], words))
    return capitalised(filled(frames["chain"], who=voices.speaker(chain[0]), links=tuple(links)))


def _own_words(item: ContextItem, words: Wording) -> Fragment:
    text = harmless(item.text)
    text = text[:-1] if text.endswith(".") and not text.endswith("..") else text
    return Fragment(text=quoted(text, words.language), item=item)
