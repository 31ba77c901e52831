"""Twin of engine/recall/cues.py."""

from __future__ import annotations

import pytest
from selfimprint.engine.recall.cues import question_cues, turn_features

WANTED = ("wants_time", "wants_number", "wants_reason", "wants_place", "wants_person")


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "When did she move?", "wants_time"),
        ("en", "How many cats are there?", "wants_number"),
        ("en", "Why did he leave?", "wants_reason"),
        ("en", "Where does he work?", "wants_place"),
        ("en", "Who called?", "wants_person"),
        ("de", "Wann ist sie umgezogen?", "wants_time"),
        ("de", "Wie viele Katzen gibt es?", "wants_number"),
        ("de", "Warum ging er?", "wants_reason"),
        ("de", "Wo arbeitet er?", "wants_place"),
        ("de", "Wer rief an?", "wants_person"),
        ("fr", "Quand a-t-elle déménagé ?", "wants_time"),
        ("fr", "Combien de chats ?", "wants_number"),
        ("fr", "Pourquoi est-il parti ?", "wants_reason"),
        ("fr", "Où travaille-t-il ?", "wants_place"),
        ("fr", "Qui a appelé ?", "wants_person"),
        ("es", "¿Cuándo se mudó?", "wants_time"),
        ("es", "¿Cuántos gatos hay?", "wants_number"),
        ("es", "¿Por qué se fue?", "wants_reason"),
        ("es", "¿Dónde trabaja?", "wants_place"),
        ("es", "¿Quién llamó?", "wants_person"),
        ("ru", "Когда она переехала?", "wants_time"),
        ("ru", "Сколько кошек?", "wants_number"),
        ("ru", "Почему он ушёл?", "wants_reason"),
        ("ru", "Где он работает?", "wants_place"),
        ("ru", "Кто звонил?", "wants_person"),
        ("et", "Millal ta kolis?", "wants_time"),
        ("et", "Mitu kassi on?", "wants_number"),
        ("et", "Miks ta lahkus?", "wants_reason"),
        ("et", "Kus ta töötab?", "wants_place"),
        ("et", "Kes helistas?", "wants_person"),
    ],
)
def test_what_a_question_wants_is_told(language: str, text: str, wanted: str) -> None:
    """Exactly the right cue fires for when, how many, why, where and who in six languages."""
    cues = question_cues(text, language, asked_at_us=0)
    assert [name for name in WANTED if getattr(cues, name)] == [wanted]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    [
        ("en", "What is Anna's job?", ("Anna",)),
        ("en", "What do I like?", ("self",)),
        ("en", "Can you tell me who Anna is?", ("Anna",)),
        ("en", "Did Annabel call?", ()),
        ("de", "Was macht Anna?", ("Anna",)),
        ("de", "Was mag ich?", ("self",)),
        ("fr", "Où j'habite ?", ("self",)),
        ("es", "¿Dónde trabaja Anna y mi hermana?", ("self", "Anna")),
        ("ru", "Где работает Марина?", ("Марина",)),
        ("ru", "Где машина Марины?", ("Марина",)),
        ("et", "Mida Marinale meeldib?", ()),
    ],
)
def test_the_named_are_found(language: str, text: str, named: tuple[str, ...]) -> None:
    """People are found by their names, inflected where the language inflects; the owner by the first person."""
    cues = question_cues(text, language, asked_at_us=0, people=("self", "Anna", "Марина"))
    assert cues.named == named


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Which restaurant did you recommend?"),
        ("de", "Welches Restaurant hast du empfohlen?"),
        ("fr", "Quel restaurant m'as-tu recommandé ?"),
        ("es", "¿Qué restaurante me recomendaste?"),
        ("ru", "Какой ресторан ты посоветовал?"),
        ("et", "Millist restorani sa soovitasid?"),
    ],
)
def test_a_question_about_the_assistants_words_is_told(language: str, text: str) -> None:
    """What the assistant said is asked for in the second person."""
    assert question_cues(text, language, asked_at_us=0).asks_assistant


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "We met last week."),
        ("de", "Wir trafen uns letzte Woche."),
        ("fr", "On s'est vus la semaine dernière."),
        ("es", "Nos vimos la semana pasada."),
        ("ru", "Мы встретились на прошлой неделе."),
        ("et", "Kohtusime eelmisel nädalal."),
    ],
)
def test_a_time_expression_is_seen(language: str, text: str) -> None:
    """A turn with a time expression is known as one."""
    assert turn_features(text, language).has_time


def test_numbers_are_seen_as_digits_and_words() -> None:
    """Digits count in every language, number words in their own."""
    assert turn_features("I have 3 cats", "zz").has_number
    assert turn_features("Ich habe drei Katzen", "de").has_number
    assert not turn_features("I have cats", "en").has_number


def test_a_turn_that_only_asks_is_told_from_one_that_also_answers() -> None:
    """Only a turn whose every sentence asks is a question and nothing else."""
    assert turn_features("Really? Where was it?", "en").only_question
    mixed = turn_features("In Tartu. And you?", "en")
    assert mixed.has_question and not mixed.only_question


def test_whom_a_turn_speaks_of_is_told() -> None:
    """ "I" speaks of the speaker, more "you" than "I" of the listener."""
    own, other = turn_features("I'm moving to Tartu", "en"), turn_features("You did great, your talk was fun", "en")
    assert own.about_self and not own.about_listener
    assert other.about_listener


@pytest.mark.parametrize("text", ["", "   ", "?!?", "\ud800", "\x00" * 10, "a" * 100_000])
def test_garbage_has_cues_too(text: str) -> None:
    """Empty, broken and huge texts are read without failing."""
    assert question_cues(text, "en", asked_at_us=0, people=("self", "Anna")).named == ()
    turn_features(text, "xx")
