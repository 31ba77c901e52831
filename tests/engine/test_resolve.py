"""From candidates to operations: what is the same, what is new, and who may say anything at all."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from graphs import START
from hypothesis import given, settings
from hypothesis import strategies as st
from records import contents, make_delta, make_message
from selfimprint.engine.delta import SetNode
from selfimprint.engine.extraction.candidates import Candidate, Link
from selfimprint.engine.graph import EdgeType, NodeType, Role, TouchKind, Trust
from selfimprint.engine.intake import digest
from telling import Told, because, candidate, day, event, in_slot

RUNNING = "went running along the river"
EXHAUSTED, LATE, DEADLINE = "slept badly all week", "worked late every night", "the product launch was moved forward"


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.DOCUMENT])
def test_assistants_tools_and_documents_make_nothing(role: Role) -> None:
    """Their words go to the trace and create, change and reinforce nothing about anyone."""
    told = Told()
    told.say(in_slot("pet", "Rex"))
    before = contents(told.state)
    assert told.say(in_slot("pet", "Tiger"), event(RUNNING, 1), role=role, content="Rex and Tiger", at=1) == ()
    assert contents(told.state) == before


@pytest.mark.parametrize("modality", ["hypothetical", "question"])
def test_what_is_not_stated_makes_nothing(modality: str) -> None:
    """Suppositions and questions create no node."""
    told = Told()
    told.say(in_slot("home", "Paris", modality=modality), event(RUNNING, modality=modality))
    assert told.nodes() == []


@pytest.mark.parametrize(
    ("role", "speaker", "subject", "trust"),
    [
        (Role.USER, "", "self", Trust.USER_STATED),
        (Role.USER, "", "person:Bob", Trust.USER_ABOUT_OTHER),
        (Role.PERSON, "Anna", "self", Trust.PERSON_ABOUT_SELF),
        (Role.PERSON, "Anna", "person:Bob", Trust.OTHER_SAID),
    ],
)
def test_trust_follows_who_says_it_about_whom(role: Role, speaker: str, subject: str, trust: Trust) -> None:
    """The owner about themselves is trusted most, a named person about another least."""
    told = Told()
    told.say(candidate("plays the piano", subject=subject), role=role, speaker=speaker)
    (fact,) = told.nodes(NodeType.FACT)
    assert fact.trust is trust


@pytest.mark.parametrize(
    "said",
    [in_slot("home", "Tartu"), in_slot("pet", "Rex"), candidate("plays the piano at home"), event(RUNNING)],
)
def test_the_same_thing_said_twice_is_one_node_with_two_touches(said: Candidate) -> None:
    """A repetition adds a touch and its evidence to the node and no second node."""
    told = Told()
    told.say(said, at=0)
    told.say(said, at=5)
    (node,) = told.nodes()
    assert [(t.at, t.kind) for t in node.touches] == [(day(0), TouchKind.CREATED), (day(5), TouchKind.MENTIONED)]
    assert [e.message for e in node.evidence] == ["m_1", "m_2"]


@pytest.mark.parametrize("count", [2, 3, 12])
def test_one_message_touches_a_node_once(count: int) -> None:
    """However often one message says it, it is one touch."""
    told = Told()
    told.say(*[candidate("plays the piano at home", start=i, end=i + 9) for i in range(count)])
    (node,) = told.nodes()
    assert len(node.touches) == 1
    assert len(node.evidence) == count


@settings(max_examples=40)
@given(st.permutations(range(5)))
def test_repetitions_weigh_the_same_in_any_order(order: list[int]) -> None:
    """Five mentions told in any order give one node of the same age and weight."""
    dates = (0, 3, 4, 11, 30)
    weights = []
    for sequence in (range(5), order):
        told = Told()
        for index in sequence:
            told.say(candidate("plays the piano at home"), at=dates[index], id=f"m_{index}")
        (node,) = told.nodes()
        assert node.created_at == START
        weights.append([told.weight(node, look) for look in (5, 30, 60)])
    assert weights[0] == weights[1]


@pytest.mark.parametrize(
    "said", [in_slot("habit", "running", when=(day(0), day(1))), event(RUNNING, 0, recurring=True)]
)
def test_a_habit_is_one_node_with_its_occurrences(said: Candidate) -> None:
    """Went running on two days is one habit with two dated occurrences."""
    told = Told()
    told.say(said, at=0)
    told.say(replace(said, when=(day(3), day(4))), at=3)
    (node,) = told.nodes()
    assert [e.when for e in node.evidence] == [day(0), day(3)]


@settings(max_examples=40)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=6))
def test_events_with_different_dates_never_merge(dates: list[int]) -> None:
    """The same words on n different days are n events; on the same day they are one."""
    told = Told()
    for position, date in enumerate(dates):
        told.say(event(RUNNING, date), at=7 + position)
    assert sorted(int(n.attribute("when")) for n in told.nodes()) == [day(d) for d in sorted(set(dates))]


def test_a_date_learned_later_is_added_to_the_event() -> None:
    """An event told without a date and then with one is one event that has the date."""
    told = Told()
    told.say(event(RUNNING), at=5)
    told.say(event(RUNNING, 4), at=6)
    (node,) = told.nodes()
    assert int(node.attribute("when")) == day(4)


def test_similar_words_about_different_things_stay_apart() -> None:
    """Sharing one word, or differing by subject or by type, keeps nodes apart."""
    told = Told()
    told.say(candidate("plays the piano at home"), candidate("sold the piano to a school"))
    told.say(candidate("plays the piano at home", subject="person:Anna"))
    told.say(candidate("plays the piano at home", NodeType.OPEN_LOOP))
    assert len(told.nodes()) - len(told.nodes(NodeType.PERSON)) == 4


@pytest.mark.parametrize(("valence", "made"), [(0.19, 0), (-0.19, 0), (0.2, 1), (-0.7, 1)])
def test_faint_feelings_make_no_note(valence: float, made: int) -> None:
    """An emotional note needs a valence of at least 0.2 either way."""
    told = Told()
    told.say(candidate("feels so so about the garden", NodeType.EMOTIONAL_NOTE, valence=valence))
    assert len(told.nodes()) == made


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_causal_chain_told_over_sessions_joins_up(order: tuple[int, ...]) -> None:
    """Told in three sessions in slightly different words, in any order, the chain is whole: effect to root cause."""
    told = Told()
    tellings = [
        (event(EXHAUSTED), event("was working late every night")),
        (event(LATE), event("the launch of the product was moved")),
        (event(DEADLINE), event("the client changed the contract")),
    ]
    for step, index in enumerate(order):
        told.say(*tellings[index], links=(because(0, 1),), at=step * 2, session=f"s_{step}")
    assert len(told.nodes()) == 4
    chain, node = [], next(n for n in told.nodes() if "slept" in n.content)
    while causes := told.state.causes(node.id):
        node = told.state.nodes[causes[0].to_id]
        chain.append(node.content)
    assert len(chain) == 3
    assert chain[-1] == "the client changed the contract"


def test_a_link_told_again_is_confirmed_not_doubled() -> None:
    """The same cause told twice is one edge with both pieces of evidence, confirmed at the later instant."""
    told = Told()
    for at in (0, 4):
        told.say(event(EXHAUSTED), event(LATE), links=(because(0, 1),), at=at)
    (edge,) = told.edges(EdgeType.CAUSED_BY)
    assert [e.message for e in edge.evidence] == ["m_1", "m_2"]
    assert (edge.created_at, edge.last_confirmed_at) == (day(0), day(4))
    assert not edge.is_inferred


def test_followed_by_runs_from_the_earlier_to_the_later() -> None:
    """A sequence is drawn from what came first to what came after."""
    told = Told()
    link = Link(effect=1, cause=0, type=EdgeType.FOLLOWED_BY, confidence=0.9)
    told.say(event("finished the exam paper"), event("went out for a long dinner"), links=(link,))
    (edge,) = told.edges(EdgeType.FOLLOWED_BY)
    assert "exam" in told.state.nodes[edge.from_id].content


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("Rex", "Rex was wild today"),
        ("the Blue Lagoon", "we talked about the blue lagoon"),
        ("Jean-Luc", "Jean-Luc is asleep"),
        ("head of the team", "as head of the team I decide"),
    ],
)
def test_naming_a_known_value_in_passing_reinforces_it(value: str, content: str) -> None:
    """A message without candidates that names a slot's value touches that fact and makes nothing new."""
    told = Told()
    told.say(in_slot("pet", value), at=0)
    told.say(content=content, at=2)
    (node,) = told.nodes()
    assert [t.at for t in node.touches] == [day(0), day(2)]


@pytest.mark.parametrize("content", ["a reckless move", "Re x", "rexes everywhere", "nothing at all"])
def test_a_value_is_named_by_whole_words_only(content: str) -> None:
    """Parts of words do not count as a mention."""
    told = Told()
    told.say(in_slot("pet", "Rex"), at=0)
    assert told.say(content=content, at=2) == ()


def test_what_has_ended_is_not_reinforced_in_passing() -> None:
    """Naming a former employer does not touch the former job."""
    told = Told()
    told.say(in_slot("employer", "Acme"), at=0)
    told.say(in_slot("employer", "Initech"), at=1)
    assert told.say(content="Acme was in the news", at=2) == ()


def test_a_mention_revives_what_was_archived() -> None:
    """The owner's new message brings an archived node back into the active graph."""
    told = Told()
    told.say(candidate("plays the piano at home"), at=0)
    (node,) = told.nodes()
    told.state.apply(make_delta(SetNode(before=node, after=replace(node, archived_at=day(40)))))
    told.say(candidate("plays the piano at home"), at=41)
    (revived,) = told.nodes()
    assert revived.archived_at is None
    assert told.weight(revived, 41) == pytest.approx(0.92**7 + 0.15)


@pytest.mark.parametrize("interlude", [False, True])
@pytest.mark.parametrize(
    "said",
    [
        (in_slot("home", "Tartu"), in_slot("pet", "Rex"), event(RUNNING, 0)),
        (in_slot("home", "Tartu", previous="Tallinn"),),
        (in_slot("likes", "olives", polarity=-1),),
        (candidate("feels sad", NodeType.EMOTIONAL_NOTE, valence=-0.6), candidate("plays the piano at home")),
        (candidate("plays the piano at home"), candidate("feels sad", NodeType.EMOTIONAL_NOTE, valence=-0.6)),
        (candidate("sad", NodeType.EMOTIONAL_NOTE, valence=-0.6), candidate("chess")),
        (candidate("my sister Anna", NodeType.PERSON, value="Anna", relation="sister"),),
        (in_slot("home", "Narva", subject="person:Anna"), event("met Anna at the station", 0, persons=("Anna",))),
    ],
)
def test_a_message_read_again_adds_nothing(said: tuple[Candidate, ...], interlude: bool) -> None:
    """The same message resolved a second time, even after other messages, changes nothing."""
    told = Told()
    message = make_message("m_x", ". ".join(c.content for c in said), at=day(0))
    told.resolve(message, *said)
    if interlude:
        told.say(in_slot("home", "Riga"), candidate("works in the garden"), at=1)
    before = contents(told.state)
    told.resolve(message, *said)
    assert contents(told.state) == before


def test_ids_follow_from_the_message() -> None:
    """The same message read into an empty memory gives the same ids: they rest on the message's id alone."""
    first, second = Told(), Told()
    message = make_message("m_" + digest("x"), "hello")
    operations = [t.resolve(message, in_slot("pet", "Rex"), event(RUNNING, 0)) for t in (first, second)]
    assert operations[0] == operations[1]
    assert all(n.id.startswith("n_" + digest("x") + ".") for n in first.nodes())


def test_a_hostile_candidate_is_cut_to_what_the_door_lets_in() -> None:
    """Over-long content and values are cut and numbers clamped, so that the message is not lost."""
    told = Told()
    told.say(candidate("long " * 2_000, slot="goal", value="v" * 900, valence=7.0, importance=-3.0, end=9_999))
    (node,) = told.nodes()
    assert len(node.content) == 4_000
    assert (len(node.attribute("value")), node.valence, node.importance) == (500, 1.0, 0.0)


def test_a_lapse_of_four_months_makes_an_event_a_new_one() -> None:
    """The same undated event told again after the link window is another event; a fact is still the same fact."""
    told = Told()
    window = told.settings.resolve.link_window_days
    for at in (0, window + 1):
        told.say(event(RUNNING), candidate("plays the piano at home"), at=at)
    assert len(told.nodes(NodeType.EVENT)) == 2
    assert len(told.nodes(NodeType.FACT)) == 1


def test_a_fuller_role_told_later_is_another_role() -> None:
    """A nurse who is a head nurse a year later has moved on; on one day the fuller words say the same."""
    told = Told()
    told.say(in_slot("role", "nurse"))
    told.say(in_slot("role", "head nurse"), at=400)
    assert told.current("role") == ["head nurse"]
    assert sorted(n.attribute("value") for n in told.nodes(NodeType.FACT)) == ["head nurse", "nurse"]
    same = Told()
    same.say(in_slot("role", "nurse"), at=1)
    same.say(in_slot("role", "nurse in a day clinic"), at=1)
    assert [n.attribute("value") for n in same.nodes(NodeType.FACT)] == ["nurse in a day clinic"]


def test_a_second_job_stands_beside_the_first() -> None:
    """Who works as a barista at weekends is still a nurse, and a new main job ends only the old main job."""
    told = Told()
    told.say(in_slot("role", "nurse"))
    told.say(in_slot("role", "barista", beside=True), at=30)
    assert sorted(told.current("role")) == ["barista", "nurse"]
    told.say(in_slot("role", "midwife"), at=60)
    assert sorted(told.current("role")) == ["barista", "midwife"]
