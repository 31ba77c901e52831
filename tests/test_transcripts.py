"""Three lives told over months, imported whole: what must be known at the end, and what must not have been learned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from selfimprint.engine.chains import chain_from
from selfimprint.engine.context.counters import COUNTERS
from selfimprint.engine.graph import SELF, EdgeType, NodeType
from suite_runs import Models, Told, memory

from selfimprintd.facade import ContextQuery, IncomingMessage
from selfimprintd.transcripts import read_turns
from selfimprintd.views import status_of

FOLDER = Path(__file__).parent / "transcripts"
BUDGET = 400


@contextmanager
def told(name: str, me: str) -> Iterator[Told]:
    """A memory that was told the transcript, without a model; its clock stands after the last turn."""
    turns = read_turns((FOLDER / f"{name}.txt").read_text("utf-8"), label=name, me=me, timezone="Europe/Brussels")
    with memory(Models()) as held:
        for turn in turns:
            at = datetime.fromisoformat(turn.at)
            held.clock.at_us = round(at.timestamp() * 1e6) + 60_000_000
            message = IncomingMessage(
                role=turn.role,
                content=turn.content,
                speaker=turn.speaker,
                session=turn.session,
                at_us=round(at.timestamp() * 1e6),
                offset_minutes=60,
            )
            held.service.add_messages([message], held.wait)
        yield held


@pytest.fixture(scope="module")
def mara() -> Iterator[Told]:
    with told("assistant_chat", "user") as held:
        yield held


@pytest.fixture(scope="module")
def sam() -> Iterator[Told]:
    with told("two_friends", "Sam") as held:
        yield held


@pytest.fixture(scope="module")
def katrin() -> Iterator[Told]:
    with told("diary", "me") as held:
        yield held


def facts(held: Told, *, over: bool = False) -> set[tuple[str, str]]:
    """Slot and value of what is known of the owner: what holds, or what is over."""
    profile = held.service.profile
    now = profile.clock.now_us()
    found = set()
    for node in profile.state.nodes.values():
        ended = status_of(profile, node, now) in ("ended", "retired")
        if node.subject == SELF and node.slot and ended == over:
            found.add((node.slot, node.attribute("value")))
    return found


def asked(held: Told, question: str) -> str:
    """The context for a question, which is within its budget."""
    answer = held.service.context(ContextQuery(message=question, budget=BUDGET, counter="words"))
    assert COUNTERS["words"](answer["text"]) <= BUDGET
    return str(answer["text"])


def whys(held: Told, effect: str) -> list[str]:
    """The contents of the chain that starts at the node with this text."""
    state = held.service.profile.state
    node = next(n for n in state.nodes.values() if n.content == effect)
    return [n.content for n in chain_from(state, node.id)]


def test_what_holds_of_mara_and_what_is_over(mara: Told) -> None:
    """She moved, changed jobs and lost a cat: the new stands, the old is history."""
    holds = facts(mara)
    assert {("name", "Mara"), ("home", "Rotterdam"), ("employer", "Erasmus MC"), ("partner", "Wout")} <= holds
    assert {("allergy", "shellfish"), ("sibling", "Joris"), ("marital_status", "engaged")} <= holds
    assert {("home", "Ghent"), ("employer", "UZ hospital"), ("pet", "Poes"), ("parent", "dad")} <= facts(
        mara, over=True
    )


def test_nothing_is_learned_from_questions_code_quotes_and_the_assistant(mara: Told) -> None:
    """The castle of the niece's story, the code and the assistant's words are nobody's facts."""
    told_of = " ".join(n.content + n.attribute("value") for n in mara.service.profile.state.nodes.values())
    assert all(word not in told_of for word in ("castle", "sorted", "Mild", "barn"))


def test_mara_is_answered_by_what_is_true_now(mara: Told) -> None:
    """Each question finds its answer in the paragraph, and the old home is told as old."""
    home = asked(mara, "Where do I live?")
    assert "lives in Rotterdam" in home
    assert "lives in Ghent" not in home.replace("I live in Ghent", "")
    assert "has a pet (kitten Bram)" in asked(mara, "Do I have any pets?")
    assert "April" in asked(mara, "When is the wedding?")
    assert "allergic to shellfish" in asked(mara, "What should we eat tonight?")
    assert "address at the bank" in asked(mara, "What do I still have to do?")


def test_maras_loops_close(mara: Told) -> None:
    """Whether to move was decided, the notice was handed in; the bank does not know the address yet."""
    state = mara.service.profile.state
    loops = {n.attribute("value"): n.valid_to for n in state.nodes.values() if n.type is NodeType.OPEN_LOOP}
    assert loops["to move"] is not None
    assert loops["hand in my notice before June"] is not None
    assert loops["change my address at the bank"] is None


def test_maras_tiredness_has_its_cause(mara: Told) -> None:
    """The chain leads from being tired over the nights to the ward that lost two people."""
    assert len(whys(mara, "I'm always tired")) >= 2


def test_two_friends_are_kept_apart(sam: Told) -> None:
    """What Liam says of himself is about Liam; Sam's own words are about Sam."""
    state = sam.service.profile.state
    mine = facts(sam)
    assert ("diet", "vegetarian") in mine
    assert all(slot not in ("child", "employer") for slot, _ in mine)
    liam = next(n for n in state.nodes.values() if n.type is NodeType.PERSON and n.attribute("name") == "Liam")
    assert any(n.subject == liam.id for n in state.nodes.values() if n.type is NodeType.EVENT)


def test_sam_is_told_why_and_who(sam: Told) -> None:
    """The choir was given up for the meetings; Yusra runs the climbing wall."""
    assert whys(sam, "I stopped going to choir") == ["I stopped going to choir", "all the meetings"]
    assert "because “all the meetings”" in asked(sam, "Why did I stop going to choir?")
    assert "climbing wall" in asked(sam, "Who is Yusra?")
    assert "Parkinson" in asked(sam, "How is my dad?")


def test_a_diary_in_six_languages_is_one_life(katrin: Told) -> None:
    """Whatever language said it, it is known of the same person."""
    holds = facts(katrin) | facts(katrin, over=True)
    assert {
        ("name", "Katrin"),
        ("age", "41"),
        ("employer", "Bolt"),
        ("partner", "Andrei"),
        ("sibling", "Toms"),
    } <= holds
    assert ("allergy", "Katzen") in holds
    assert not any(value in ("chef", "Priit hat drei") for _, value in holds)
    causes = [e for e in katrin.service.profile.state.edges.values() if e.type is EdgeType.CAUSED_BY]
    assert len(causes) >= 8


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Was weißt du über mich?", "Die Person heißt Katrin."),
        ("What do you know about me?", "The user is called Katrin."),
        ("Mida sa minust tead?", "Kasutaja nimi on Katrin."),
        ("Что ты знаешь обо мне?", "Собеседника зовут Katrin."),
        ("¿Qué sabes de mí?", "La persona usuaria se llama Katrin."),
        ("Que sais-tu de moi ?", "La personne s'appelle Katrin."),
    ],
)
def test_the_context_is_in_the_language_of_the_question(katrin: Told, question: str, opening: str) -> None:
    """Templates follow the question's language; what was said stays in the words in which it was said."""
    assert asked(katrin, question).startswith(opening)
