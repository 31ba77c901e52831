"""The inference allow-list at the door: only fixed wordings over cited, insensitive observations may be inferred."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from graphs import START, make_edge, make_node
from hypothesis import given
from hypothesis import strategies as st
from records import inference, make_delta, state_of
from selfimprint.engine.delta import AddEdge, AddNode, Cause, Operation, SetEdge, SetNode
from selfimprint.engine.door import admit
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.graph import Edge, Evidence, Node, NodeType, Trust
from selfimprint.engine.policy import HIGH_BAR, NEVER, TEMPLATES, Category, judge_inference, quoted, wording
from selfimprint.engine.settings import EngineSettings

RUN = make_node("run", content="went running")
TIRED = make_node("tired", content="felt tired")
SPARE = make_node("spare", content="plays chess")
ILL = make_node("ill", content="has the flu", sensitive=True)
GUESS = inference(
    RUN, template="seems_to_like", category="preference", content="Seems to be enjoyed: “went running”", id="guess"
)
ANNA = make_node("anna_fact", content="paints", subject="anna")
SPAN = Evidence(session="s", message="m", start=0, end=1)
BOTH = {1: (RUN,), 2: (RUN, TIRED)}


def refusals(*operations: Operation, cause: Cause = Cause.SLEEP) -> tuple[str, ...]:
    """Why the door refuses the delta; nothing when it is let in."""
    try:
        state = state_of(RUN, TIRED, SPARE, ILL, GUESS, ANNA)
        admit(make_delta(*operations, cause=cause), state, EngineSettings())
    except DeltaRefused as refused:
        return refused.reasons
    return ()


def fitting(template: str, *cited: Node) -> Node:
    """The inference that the template makes of its sources."""
    return inference(*cited, template=template, category=TEMPLATES[template][0].value, content=wording(template, cited))


def sources(template: str) -> tuple[Node, ...]:
    return BOTH[TEMPLATES[template][1].count("{")]


def test_the_categories_are_the_eight_of_the_design() -> None:
    """Exactly the design's categories exist, each with a template, none of them a never-infer category (§4.1)."""
    assert {c.value for c in Category} == {
        "workload", "routine", "mood_trend", "preference", "relationship_context", "goal", "availability",
        "unresolved_topic",
    }  # fmt: skip
    assert {category for category, _ in TEMPLATES.values()} == set(Category)
    assert {name.replace(" ", "_") for name in NEVER}.isdisjoint(c.value for c in Category)
    assert set(Category) > HIGH_BAR


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_may_be_used_as_it_stands(template: str) -> None:
    """An inference in a template's own words over its own number of sources is let in from sleep and enrichment."""
    node = fitting(template, *sources(template))
    assert refusals(AddNode(node=node)) == ()
    assert refusals(AddNode(node=node), cause=Cause.ENRICHMENT) == ()


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("category", [*(c.value for c in Category), "health", "sexual_orientation", ""])
def test_a_template_stands_for_its_own_category_only(template: str, category: str) -> None:
    """Naming any other category than the template's is refused."""
    node = inference(
        *sources(template), template=template, category=category, content=wording(template, sources(template))
    )
    right = category == TEMPLATES[template][0].value
    assert (refusals(AddNode(node=node)) == ()) is right


@pytest.mark.parametrize("cause", Cause)
def test_only_sleep_and_enrichment_infer(cause: Cause) -> None:
    """No message, import, correction or head can bring an inference; an undo may bring one back."""
    node = fitting("seems_to_avoid", RUN)
    allowed = cause in (Cause.SLEEP, Cause.ENRICHMENT, Cause.UNDO)
    assert ("only sleep and enrichment may infer" in refusals(AddNode(node=node), cause=cause)) is not allowed


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (fitting("seems_to_like", ILL), "nothing is inferred from what is sensitive"),
        (fitting("mood_after", RUN, ILL), "nothing is inferred from what is sensitive"),
        (fitting("seems_to_like", GUESS), "an inference rests on observations, not on other inferences"),
        (fitting("often_with", RUN, RUN), "an inference cites each node once"),
        (
            replace(fitting("seems_to_like", ANNA), subject="self"),
            "an inference is about the person its sources are about",
        ),
        (
            replace(fitting("mood_after", RUN, ANNA)),
            "an inference is about the person its sources are about",
        ),
        (
            replace(fitting("seems_to_like", RUN), content="Seems to be depressed"),
            "an inference may only say what its template says about the nodes it cites",
        ),
        (
            replace(fitting("seems_to_like", RUN), content=wording("seems_to_like", (RUN,)) + " and is depressed"),
            "an inference may only say what its template says about the nodes it cites",
        ),
        (
            inference(RUN, template="seems_to_be", category="preference", content="x"),
            "an inference must use one of the known templates",
        ),
        (
            inference(template="seems_to_like", category="preference", content="Seems to be enjoyed: "),
            "an inference must cite exactly the nodes its template names",
        ),
        (
            inference(RUN, TIRED, template="seems_to_like", category="preference", content="x"),
            "an inference must cite exactly the nodes its template names",
        ),
        (
            inference(
                make_node("nowhere"), template="seems_to_like", category="preference", content="Seems to be enjoyed: “”"
            ),
            "an inference cites an unknown node",
        ),
        (
            replace(fitting("seems_to_like", RUN), trust=Trust.USER_STATED),
            "an inference is never trusted as something said",
        ),
        (replace(fitting("seems_to_like", RUN), is_inference=False), "a hypothesis is an inference"),
    ],
)
def test_what_the_allow_list_does_not_name_is_refused(node: Node, reason: str) -> None:
    """Sensitive, inferred, doubled, foreign, unknown or miscounted sources and any other wording are refused."""
    assert reason in refusals(AddNode(node=node))
    assert reason in refusals(SetNode(before=SPARE, after=replace(node, id="spare")))


def test_sources_may_come_in_the_same_delta() -> None:
    """An inference may cite a node that the same delta adds, as that delta leaves it."""
    new = make_node("new", content="paints")
    told = (AddNode(node=new), AddNode(node=fitting("seems_to_like", new)))
    assert refusals(*told, cause=Cause.ENRICHMENT) == ()
    sensitive = replace(RUN, sensitive=True)
    reasons = refusals(SetNode(before=RUN, after=sensitive), AddNode(node=fitting("seems_to_like", RUN)))
    assert reasons == ("nothing is inferred from what is sensitive",)


def test_a_relationship_may_join_two_persons() -> None:
    """Only the relationship context cites nodes of different subjects."""
    assert refusals(AddNode(node=fitting("often_with", RUN, ANNA))) == ()


@given(
    st.sampled_from(sorted(TEMPLATES)) | st.text(max_size=12),
    st.sampled_from([c.value for c in Category]) | st.text(max_size=12),
    st.lists(st.sampled_from(["run", "tired", "ill", "guess", "anna_fact", "nowhere"]), max_size=3),
    st.text(min_size=1, max_size=30) | st.sampled_from([wording(t, sources(t)) for t in TEMPLATES]),
    st.sampled_from(NodeType),
    st.sampled_from(["self", "anna"]),
)
def test_nothing_outside_the_allow_list_enters_as_an_inference(
    template: str, category: str, cites: list[str], content: str, node_type: NodeType, subject: str
) -> None:
    """Whatever sleep proposes as an inference, what is let in is the allow-list's wording over fit sources."""
    attributes = tuple(sorted({"template": template, "category": category, "cites": " ".join(cites)}.items()))
    node = replace(
        fitting("seems_to_like", RUN), type=node_type, subject=subject, content=content, attributes=attributes
    )
    if refusals(AddNode(node=node)):
        return
    held = {n.id: n for n in (RUN, TIRED, ANNA)}
    assert template in TEMPLATES and category == TEMPLATES[template][0].value
    assert content == wording(template, tuple(held[i] for i in cites))


@pytest.mark.parametrize("cause", [Cause.RETIREMENT, Cause.CORRECTION, Cause.COMPACTION, Cause.INGEST])
@pytest.mark.parametrize("change", [{"retired_at": START}, {"archived_at": START}, {"confidence": 0.1}])
def test_an_inference_can_be_retired_and_weakened_by_anyone(cause: Cause, change: dict[str, Any]) -> None:
    """A change that says nothing new about a person needs no right to infer."""
    assert refusals(SetNode(before=GUESS, after=replace(GUESS, **change)), cause=cause) == ()


@pytest.mark.parametrize(
    "change", [{"content": "Seems to be enjoyed: “pills”"}, {"subject": "anna"}, {"attributes": ()}]
)
def test_an_inference_cannot_be_reworded(change: dict[str, Any]) -> None:
    """A change of what an inference says is judged as a new one."""
    assert refusals(SetNode(before=GUESS, after=replace(GUESS, **change))) != ()


INFERRED = make_edge("e", "run", "tired", is_inferred=True, trust=Trust.INFERRED, confidence=0.5)


@pytest.mark.parametrize(
    ("edge", "cause", "reason"),
    [
        (replace(INFERRED, to_id="ill"), Cause.SLEEP, "no inferred edge to or from what is sensitive"),
        (replace(INFERRED, from_id="ill"), Cause.ENRICHMENT, "no inferred edge to or from what is sensitive"),
        (INFERRED, Cause.INGEST, "only sleep and enrichment may infer"),
        (INFERRED, Cause.IMPORT, "only sleep and enrichment may infer"),
        (
            replace(INFERRED, trust=Trust.USER_STATED),
            Cause.SLEEP,
            "an edge is trusted as inferred exactly when it is inferred",
        ),
    ],
)
def test_inferred_edges_are_bounded(edge: Edge, cause: Cause, reason: str) -> None:
    """An inferred edge touches nothing sensitive, comes from sleep or enrichment, and is trusted as inferred."""
    assert reason in refusals(AddEdge(edge=edge), cause=cause)


def test_an_inferred_edge_may_be_drawn_and_dropped() -> None:
    """Sleep may infer an edge between ordinary nodes; compaction may retire it; a statement may confirm it."""
    assert refusals(AddEdge(edge=INFERRED)) == ()
    state = state_of(RUN, TIRED, INFERRED)
    dropped = SetEdge(before=INFERRED, after=replace(INFERRED, retired_at=START))
    stated = replace(INFERRED, is_inferred=False, trust=Trust.USER_STATED, evidence=(SPAN,))
    for operation, cause in ((dropped, Cause.COMPACTION), (SetEdge(before=INFERRED, after=stated), Cause.INGEST)):
        admit(make_delta(operation, cause=cause), state, EngineSettings())


def test_cited_words_cannot_leave_their_quotation() -> None:
    """Quotation marks inside a cited node do not end the quotation, braces are no placeholders."""
    assert quoted("he said “no” {0}") == "“he said ‘no’ {0}”"
    assert wording("still_open", (make_node("x", content="{1} “call”"),)).endswith("“{1} ‘call’”")


def test_a_verdict_always_has_a_reason() -> None:
    """Allowed or not, the judgement says why."""
    assert judge_inference(GUESS, (RUN,)).reason == "template seems_to_like of category preference"
    assert judge_inference(GUESS, ()).reason
