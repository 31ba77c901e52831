"""The daemon itself: health, status, and the stream of events."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from selfimprintd.answers import FreeAnswer, HealthAnswer
from selfimprintd.door import Door, Reading, json_response
from selfimprintd.facade import Event
from selfimprintd.instants import present
from selfimprintd.openapi import PROBLEMS_OF_READS, answers
from selfimprintd.problems import Problem
from selfimprintd.schemas import NoQuery

router = APIRouter(tags=["daemon"])


@router.get("/health", responses=answers(HealthAnswer, {}))
async def health(request: Request) -> Response:
    """Whether the daemon answers; needs no token and shows nothing private."""
    return json_response({"status": str(request.app.state.doors.daemon.health().get("status", "ok"))})


@router.get("/status", responses=answers(FreeAnswer, PROBLEMS_OF_READS))
async def status(door: Reading, query: Annotated[NoQuery, Query()]) -> Response:
    """Counts, queues, sizes, and what is wrong, if anything."""
    return await door.answer(lambda memory: memory.status())


@router.get("/events", response_class=StreamingResponse, responses=answers(None, PROBLEMS_OF_READS))
async def events(door: Reading, request: Request, query: Annotated[NoQuery, Query()]) -> Response:
    """Server-sent events: what changed, by id and count, never by content. A reader that falls behind is let go."""
    open_streams: set[object] = request.app.state.streams
    if len(open_streams) >= door.shared.limits.event_streams:
        raise Problem("too-many-streams")
    stream = EventStream(door)
    await stream.subscribe()
    open_streams.add(stream)
    return StreamingResponse(stream.lines(on_end=lambda: open_streams.discard(stream)), media_type="text/event-stream")


class EventStream:
    """One reader's bounded queue between the memory's threads and its connection."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._limits = door.shared.limits
        self._queue: asyncio.Queue[Event] = asyncio.Queue(self._limits.event_queue)
        self._fell_behind = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._unsubscribe: Any = None

    async def subscribe(self) -> None:
        self._unsubscribe = await self._door.call(lambda memory: memory.subscribe(self._from_thread))

    def _from_thread(self, event: Event) -> None:
        with contextlib.suppress(RuntimeError):  # the loop closed between two events
            self._loop.call_soon_threadsafe(self._offer, event)

    def _offer(self, event: Event) -> None:
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            self._fell_behind.set()

    async def lines(self, on_end: Any) -> AsyncIterator[bytes]:
        ends = [asyncio.ensure_future(e.wait()) for e in (self._door.shared.stopping, self._fell_behind)]
        try:
            yield b": connected\n\n"
            while True:
                coming = asyncio.ensure_future(self._queue.get())
                await asyncio.wait(
                    (coming, *ends), timeout=self._limits.event_keepalive_seconds, return_when=asyncio.FIRST_COMPLETED
                )
                if coming.done():
                    yield as_event(coming.result())
                    continue
                coming.cancel()
                if any(end.done() for end in ends):
                    yield b"event: end\ndata: {}\n\n"
                    return
                yield b": still here\n\n"
        finally:
            for end in ends:
                end.cancel()
            on_end()
            self._unsubscribe()


def as_event(event: Event) -> bytes:
    name = str(event.get("type", "change")).replace("\n", " ").replace("\r", " ")
    return f"event: {name}\ndata: {json.dumps(present(dict(event)), ensure_ascii=False)}\n\n".encode()
