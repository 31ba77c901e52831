"""What happened when: the timeline and the conversations as they were said."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from selfimprintd.answers import SessionAnswer, SessionPage, TimelinePage
from selfimprintd.door import Reading
from selfimprintd.openapi import NOT_FOUND, PROBLEMS_OF_READS, answers
from selfimprintd.problems import Problem
from selfimprintd.schemas import LONGEST_NAME, PageQuery, TimelineQuery

router = APIRouter(tags=["history"])

SessionId = Annotated[str, Path(description="A session's id, percent-encoded.")]


@router.get("/timeline", responses=answers(TimelinePage, PROBLEMS_OF_READS))
async def timeline(door: Reading, query: Annotated[TimelineQuery, Query()]) -> Response:
    """Dated nodes in order. Write the + of an offset as %2B."""
    from_us = query.from_.us if query.from_ else None
    to_us = query.to.us if query.to else None
    return await door.answer(lambda memory: memory.timeline(from_us, to_us, query.limit, query.cursor))


@router.get("/sessions", responses=answers(SessionPage, PROBLEMS_OF_READS))
async def sessions(door: Reading, query: Annotated[PageQuery, Query()]) -> Response:
    """Conversations, newest first."""
    return await door.answer(lambda memory: memory.sessions(query.limit, query.cursor))


@router.get("/sessions/{id:path}", responses=answers(SessionAnswer, PROBLEMS_OF_READS | NOT_FOUND))
async def session(door: Reading, query: Annotated[PageQuery, Query()], id: SessionId) -> Response:
    """The messages of one conversation, in order."""
    if not 0 < len(id) <= LONGEST_NAME:
        raise Problem("unknown-id")
    return await door.answer(lambda memory: memory.session(id, query.limit, query.cursor))
