import pytest
from selfimprint.engine.context.sentences import is_small_talk, sentences

NAMES = frozenset({"melanie", "caroline", "анна"})


def test_sentences_end_at_marks_and_lines() -> None:
    """Full stops, questions, ellipses, full-width marks and line ends all close a sentence."""
    assert sentences("One. Two? Three… four\nfive。六！") == ("One.", "Two?", "Three…", "four", "five。", "六！")


def test_abbreviations_numbers_and_initials_do_not_end_a_sentence() -> None:
    """A dot inside "Dr. B. Smith" or "3.5" separates nothing."""
    assert sentences("I met Dr. B. Smith at 3.5 km. Then z.B. Kaffee.") == (
        "I met Dr. B. Smith at 3.5 km.",
        "Then z.B. Kaffee.",
    )


def test_closing_quotation_marks_stay_with_their_sentence() -> None:
    """The mark that closes a quotation belongs to the sentence it ends."""
    assert sentences('He said "go." I went.') == ('He said "go."', "I went.")


def test_list_and_emphasis_marks_are_dropped_with_empty_lines() -> None:
    """Markdown leaves its words behind and nothing else."""
    assert sentences("## Plan\n\n- **Run** far\n2. _Rest_\n---") == ("Plan", "Run far", "Rest")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hey Mel! Good to see you!"),
        ("en", "Wow, that's so cool, Caroline!"),
        ("de", "Hallo, wie geht es dir?"),
        ("ru", "Привет, Анна! Как дела?"),
        ("et", "Tere, kuidas läheb?"),
        ("es", "¡Hola! ¿Qué tal?"),
        ("fr", "Bonjour, comment ça va ?"),
    ],
)
def test_greetings_thanks_and_praise_are_small_talk(language: str, text: str) -> None:
    """A sentence of nothing but polite words and names says nothing."""
    assert is_small_talk(text, language, NAMES, 14)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hey Mel, I lost my job."),
        ("en", "Thanks, see you at 8!"),
        ("de", "Hallo, ich bin schwanger."),
        ("ru", "Привет, я уволилась."),
        ("et", "Tere, mul on palavik."),
        ("es", "Hola, tengo fiebre."),
        ("fr", "Bonjour, je déménage."),
    ],
)
def test_a_greeting_that_tells_something_is_kept(language: str, text: str) -> None:
    """One word of news, or a number, makes a sentence worth its place."""
    assert not is_small_talk(text, language, NAMES, 14)
