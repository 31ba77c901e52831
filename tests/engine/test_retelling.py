"""What is told again joins what was told: chains over several messages become one."""

from __future__ import annotations

from selfimprint.engine.chains import chain_from
from selfimprint.engine.graph import NodeType
from telling import Told, because, candidate, event, in_slot


def linked(content: str) -> object:
    return event(content, reason="linked")


def test_a_few_words_name_what_was_told_before() -> None:
    """ "The move" is the moving out that was told a week ago, so the chain goes on through it."""
    told = Told()
    told.say(event("the landlord sold the flat"), event("we had to move out"), links=(because(1, 0),))
    told.say(event("I lost my desk"), linked("the move"), at=7, links=(because(0, 1),))  # type: ignore[arg-type]
    lost = next(n for n in told.nodes(NodeType.EVENT) if n.content == "I lost my desk")
    contents = [n.content for n in chain_from(told.state, lost.id)]
    assert contents == ["I lost my desk", "we had to move out", "the landlord sold the flat"]


def test_a_word_in_many_nodes_names_none() -> None:
    """What is told of again and again is not singled out by its word alone."""
    told = Told()
    things = "piano sofa fridge lamp desk bed carpet mirror plants books bicycle oven".split()
    for at, thing in enumerate(things):
        told.say(event(f"moved the {thing}"), at=at)
    told.say(event("my back hurts"), linked("the move"), at=20, links=(because(0, 1),))  # type: ignore[arg-type]
    assert any(n.content == "the move" for n in told.nodes(NodeType.EVENT))


def test_both_halves_of_a_link_stay_two() -> None:
    """An effect is never taken for its own cause."""
    told = Told()
    told.say(event("I missed the train"), linked("the train"), links=(because(0, 1),))  # type: ignore[arg-type]
    assert len(told.nodes(NodeType.EVENT)) == 2


def test_a_bare_relation_is_whoever_is_known_by_it() -> None:
    """ "My wife" is Ann where Ann is the wife, and does not replace her."""
    told = Told()
    wife = {"relation": "wife"}
    told.say(
        candidate("my wife Ann", NodeType.PERSON, value="Ann", persons=("Ann",), **wife),
        in_slot("partner", "Ann", **wife),
    )
    told.say(candidate("my wife", NodeType.PERSON, persons=("wife",), **wife), in_slot("partner", "wife", **wife), at=9)
    facts = [n for n in told.nodes(NodeType.FACT) if n.slot == "partner"]
    assert [(n.attribute("value"), n.valid_to) for n in facts] == [("Ann", None)]


def test_a_name_is_added_to_whom_only_the_relation_was_known() -> None:
    """ "My wife" and later "my wife Ann" are one partner, who gets her name."""
    told = Told()
    told.say(in_slot("partner", "wife", relation="wife"))
    told.say(in_slot("partner", "Ann", relation="wife"), at=9)
    facts = [n for n in told.nodes(NodeType.FACT) if n.slot == "partner"]
    assert [(n.attribute("value"), n.valid_to) for n in facts] == [("Ann", None)]


def test_a_mother_is_one_parent_in_every_word_and_language() -> None:
    """ "My mum", "мама" and "my mother Greet" are one fact about one person."""
    told = Told()
    for at, (name, relation) in enumerate([("", "mum"), ("", "мама"), ("Greet", "mother")]):
        told.say(
            candidate("x", NodeType.PERSON, value=name, relation=relation, persons=(name or relation,)),
            in_slot("parent", name or relation, relation=relation),
            at=at,
        )
    assert [n.attribute("value") for n in told.nodes(NodeType.FACT)] == ["Greet"]
    assert len(told.nodes(NodeType.PERSON)) == 1


def test_what_did_not_happen_is_not_what_happened() -> None:
    """ "Because I didn't get the flat" is not joined to the flat that was got."""
    told = Told()
    told.say(event("I got the flat in Pelgulinn"))
    told.say(
        event("I cried"), event("I didn't get the flat in Pelgulinn", reason="linked", polarity=-1), at=3,
        links=(because(0, 1),),
    )  # fmt: skip
    assert len(told.nodes(NodeType.EVENT)) == 3


def test_a_girlfriend_of_who_is_married_is_a_friend() -> None:
    """ "Meine Freundin Lena" takes no wife's place; of who is known to be single she is the partner."""
    lena = in_slot("partner", "Lena", relation="freundin", reason="mention.relation")
    married, single = Told(), Told()
    married.say(in_slot("partner", "Anke", relation="frau", reason="mention.relation"))
    for told in (married, single):
        told.say(lena, at=30)
    assert married.current("partner") == ["Anke"]
    assert single.current("partner") == ["Lena"]
