from selfimprint.engine.context.counters import words
from selfimprint.engine.context.fragments import Fragment, capitalised, cost, filled, joined, plain
from selfimprint.engine.context.parts import Citation, ContextItem

ITEM = ContextItem(key="k", text="sea", evidence_message="m")


def test_a_template_keeps_what_its_values_cite() -> None:
    """A value stays a fragment of its own, so its place in the text is known later."""
    sentence = filled("{who} likes {what}.", who="Anna", what=Fragment(text="sea", item=ITEM))
    assert [(f.text, f.item) for f in sentence] == [("Anna", None), (" likes ", None), ("sea", ITEM), (".", None)]


def test_a_value_that_looks_like_a_field_is_not_filled_again() -> None:
    """Somebody's braces are only text."""
    assert "".join(f.text for f in filled("{a}!", a="{b}")) == "{b}!"


def test_sentences_are_joined_into_one_paragraph_with_citations() -> None:
    """Sentences stand a blank apart, empty ones leave no gap, and each citation points at its words."""
    text, citations = joined([(plain("One."),), (), (plain("The "), Fragment(text="sea", item=ITEM), plain("."))])
    assert text == "One. The sea."
    assert citations == (Citation(key="k", message_id="m", start=9, end=12),)


def test_capitals_open_a_sentence() -> None:
    """Only the first letter changes; nothing stays nothing."""
    assert capitalised((plain("on Monday"),))[0].text == "On Monday"
    assert capitalised(()) == ()


def test_a_sentence_costs_what_its_fragments_cost() -> None:
    """The price is the sum of the parts."""
    assert cost(filled("{a} b.", a="x"), words) == 3
