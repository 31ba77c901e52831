"""What an assistant uses: messages in, context and recall out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response

from selfimprintd.answers import AddedMessages, ContextAnswer, DrainAnswer, RecallAnswer
from selfimprintd.door import Reading, Writing
from selfimprintd.facade import Wait
from selfimprintd.openapi import PROBLEMS_OF_READS, PROBLEMS_OF_WRITES, answers
from selfimprintd.schemas import AddQuery, ContextIn, DrainIn, MessageIn, MessagesIn, NoQuery, RecallIn

router = APIRouter(tags=["memory"])


@router.post("/messages", responses=answers(AddedMessages, PROBLEMS_OF_WRITES))
async def add_messages(
    door: Writing, query: Annotated[AddQuery, Query()], body: Annotated[MessagesIn, Body()]
) -> Response:
    """Store one message, or several as `{"messages": [...]}`; answered once they are durable."""
    given = [body] if isinstance(body, MessageIn) else body.messages
    offset = door.shared.offset_minutes()
    items = [message.incoming(offset) for message in given]
    wait: Wait = query.wait
    return await door.answer(lambda memory: {"messages": memory.add_messages(items, wait)}, slow=wait == "embedded")


@router.post("/context", responses=answers(ContextAnswer, PROBLEMS_OF_READS))
async def context(door: Reading, query: Annotated[NoQuery, Query()], body: ContextIn) -> Response:
    """What to know before answering the message, as one paragraph within the budget; empty when nothing is known."""
    asked = body.query()
    return await door.answer(lambda memory: memory.context(asked))


@router.post("/recall", responses=answers(RecallAnswer, PROBLEMS_OF_READS))
async def recall(door: Reading, query: Annotated[NoQuery, Query()], body: RecallIn) -> Response:
    """The nodes and turns that fit the query best, each with its score, evidence, trust and validity."""
    asked = body.asked()
    return await door.answer(lambda memory: memory.recall(asked))


@router.post("/drain", responses=answers(DrainAnswer, PROBLEMS_OF_WRITES))
async def drain(door: Writing, query: Annotated[NoQuery, Query()], body: DrainIn) -> Response:
    """Wait until nothing is queued, or the timeout is over."""
    return await door.answer(lambda memory: memory.drain(body.timeout_s), slow=True)
