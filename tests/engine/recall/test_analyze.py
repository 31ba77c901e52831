"""Twin of engine/recall/analyze.py."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.recall import analyze


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "painting", "painted"),
        ("de", "Wohnungen", "Wohnung"),
        ("fr", "voyages", "voyage"),
        ("es", "hermanas", "hermana"),
        ("ru", "собаками", "собаки"),
        ("et", "raamatud", "raamat"),
    ],
)
def test_inflected_forms_meet_in_one_term(language: str, one: str, other: str) -> None:
    """Two forms of a word are one term in each of the six languages."""
    assert analyze.terms(one, language) == analyze.terms(other, language) != []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What was it that you did?"),
        ("de", "Was ist das und wie war es?"),
        ("fr", "Qu'est-ce que c'est que ça ?"),
        ("es", "¿Qué es lo que está?"),
        ("ru", "Что это такое и как?"),
        ("et", "Mis see on ja kuidas?"),
    ],
)
def test_stop_words_leave_no_terms(language: str, text: str) -> None:
    """A text of function words has no terms in its language."""
    assert analyze.terms(text, language) == []


def test_apostrophes_and_case_do_not_hide_a_word() -> None:
    """Possessives, elisions and capitals lead to the bare word."""
    assert analyze.words("Anna's CAFÉ, l’été d'Anna") == ["anna", "café", "été", "anna"]


def test_accents_are_optional() -> None:
    """A word typed without its accents is the same term."""
    assert analyze.terms("cafés", "fr") == analyze.terms("cafes", "fr")
    assert analyze.terms("ёлка", "ru") == analyze.terms("елка", "ru")


def test_short_i_of_cyrillic_is_kept() -> None:
    """й is a letter of its own, not an accented и."""
    assert analyze.stem("май", "und") == "май"


def test_grouped_digits_are_one_number() -> None:
    """1,000 is the same number as 1000."""
    assert analyze.words("1,000 and 2,500,000") == ["1000", "and", "2500000"]


def test_scripts_without_spaces_become_bigrams() -> None:
    """Chinese, Japanese and Thai runs are indexed by overlapping pairs, a single character by itself."""
    assert analyze.words("東京タワー") == ["東京", "京タ", "タワ", "ワー"]
    assert analyze.words("猫") == ["猫"]
    assert set(analyze.words("กรุงเทพ")) >= {"กร", "รุ"}


def test_undeclared_cyrillic_is_read_as_russian() -> None:
    """Without a declared language Russian is told by its script and Latin stays unstemmed."""
    assert analyze.resolve_language("собаки", "und") == "ru"
    assert analyze.resolve_language("їжак", "und") == "und"
    assert analyze.terms("paintings", "und") == ["paintings"]


def test_region_subtags_do_not_matter() -> None:
    """ "pt-BR" and "pt_BR" are Portuguese."""
    assert analyze.resolve_language("x", "pt-BR") == analyze.resolve_language("x", "pt_BR") == "pt"


def test_a_question_is_stemmed_by_every_language_of_the_index() -> None:
    """An English question offers the forms under which a German text would hold the word."""
    groups = analyze.query_terms("Where are the Wohnungen?", "en", ["de"])
    assert analyze.terms("Wohnung", "de")[0] in groups[0]


def test_a_question_of_stop_words_keeps_them() -> None:
    """A question without content words still asks for something."""
    assert analyze.query_terms("what is it", "en") != []


@given(st.text(max_size=300), st.sampled_from(["en", "de", "ru", "zz", "", "und", "zh"]))
def test_any_text_is_analyzed(text: str, language: str) -> None:
    """No text makes analysis fail, and no term is empty or long."""
    for term in analyze.terms(text, language):
        assert 0 < len(term) <= 64


def test_a_huge_text_is_bounded() -> None:
    """A text without end yields at most 20,000 words."""
    assert len(analyze.words("ab " * 100_000)) == 20_000
