"""Looking into the memory and correcting it: nodes, reasons, the graph around one, and undo."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from selfimprintd.answers import (
    ChangedAnswer,
    DeltaList,
    GraphAnswer,
    NodeAnswer,
    NodePage,
    UndoAnswer,
    WhyAnswer,
    WhyNotAnswer,
)
from selfimprintd.door import Reading, Writing
from selfimprintd.openapi import NOT_FOUND, PROBLEMS_OF_READS, PROBLEMS_OF_WRITES, answers
from selfimprintd.problems import Problem
from selfimprintd.schemas import (
    DeltasQuery,
    GraphQuery,
    NodeChanges,
    NodesQuery,
    NoQuery,
    UndoIn,
    WhyNotQuery,
)

router = APIRouter(tags=["graph"])

Id = Annotated[str, Path(description="An id that an answer gave.", examples=["n-4f1c22"])]
_ID = re.compile(r"[\w.:~+@=-]{1,200}")


def known_shape(id: str) -> str:
    """The id itself; what cannot be one is answered like any unknown id (R9)."""
    if _ID.fullmatch(id) is None:
        raise Problem("unknown-id")
    return id


@router.get("/nodes", responses=answers(NodePage, PROBLEMS_OF_READS))
async def nodes(door: Reading, query: Annotated[NodesQuery, Query()]) -> Response:
    """What is known, newest first."""
    return await door.answer(
        lambda memory: memory.nodes(query.type, query.slot, query.subject, query.status, query.limit, query.cursor)
    )


@router.get("/nodes/{id}", responses=answers(NodeAnswer, PROBLEMS_OF_READS | NOT_FOUND))
async def node(door: Reading, query: Annotated[NoQuery, Query()], id: Id) -> Response:
    """One node with its weight, validity and evidence."""
    wanted = known_shape(id)
    return await door.answer(lambda memory: memory.node(wanted))


@router.patch("/nodes/{id}", responses=answers(ChangedAnswer, PROBLEMS_OF_WRITES | NOT_FOUND))
async def patch_node(door: Writing, query: Annotated[NoQuery, Query()], id: Id, body: NodeChanges) -> Response:
    """Correct a node, or pin it; undoable."""
    wanted, changes = known_shape(id), body.changes()
    return await door.answer(lambda memory: memory.patch_node(wanted, changes))


@router.delete("/nodes/{id}", responses=answers(ChangedAnswer, PROBLEMS_OF_WRITES | NOT_FOUND))
async def retire_node(door: Writing, query: Annotated[NoQuery, Query()], id: Id) -> Response:
    """Retire a node: it is no longer true or wanted, and can be brought back by undoing the delta."""
    wanted = known_shape(id)
    return await door.answer(lambda memory: memory.retire_node(wanted))


@router.post("/undo/{delta}", responses=answers(UndoAnswer, PROBLEMS_OF_WRITES | NOT_FOUND))
async def undo(door: Writing, query: Annotated[NoQuery, Query()], delta: Id, body: UndoIn) -> Response:
    """Restore what the delta changed, where nothing changed it since."""
    wanted = known_shape(delta)
    return await door.answer(lambda memory: memory.undo(wanted))


@router.get("/why/{id}", responses=answers(WhyAnswer, PROBLEMS_OF_READS | NOT_FOUND))
async def why(door: Reading, query: Annotated[NoQuery, Query()], id: Id) -> Response:
    """Why the memory holds this: its causes, step by step, and the words each rests on."""
    wanted = known_shape(id)
    return await door.answer(lambda memory: memory.why(wanted))


@router.get("/why-not", responses=answers(WhyNotAnswer, PROBLEMS_OF_READS))
async def why_not(door: Reading, query: Annotated[WhyNotQuery, Query()]) -> Response:
    """Why an answer did not come: what was searched, what lies in the archive, what was withheld."""
    return await door.answer(lambda memory: memory.why_not(query.q))


@router.get("/graph", responses=answers(GraphAnswer, PROBLEMS_OF_READS | NOT_FOUND))
async def graph(door: Reading, query: Annotated[GraphQuery, Query()]) -> Response:
    """Nodes and edges around `center`, or the strongest ones when none is named."""
    if query.center:
        known_shape(query.center)
    return await door.answer(lambda memory: memory.graph(query.center, query.hops, query.limit))


@router.get("/deltas", responses=answers(DeltaList, PROBLEMS_OF_READS))
async def deltas(door: Reading, query: Annotated[DeltasQuery, Query()]) -> Response:
    """The last changes, newest first, with what caused each."""
    return await door.answer(lambda memory: memory.deltas(query.limit))
