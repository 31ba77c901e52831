"""Between a route and the memory: whose memory, by which right, on which thread, and how the answer is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import anyio.to_thread
from anyio import CapacityLimiter
from fastapi import Depends, Request, Response
from selfimprint.engine.ports import Clock

from selfimprintd.config import Limits
from selfimprintd.facade import DaemonFacade, ProfileFacade
from selfimprintd.instants import present
from selfimprintd.problems import Problem, problem_of
from selfimprintd.tokens import Scope, Token


@dataclass(frozen=True, kw_only=True)
class Doors:
    """What all routes share."""

    daemon: DaemonFacade
    clock: Clock
    timezone: str
    limits: Limits
    stopping: asyncio.Event
    quick: CapacityLimiter
    slow: CapacityLimiter

    def offset_minutes(self) -> int:
        """The owner's UTC offset now, for messages that came without a time."""
        now = datetime.fromtimestamp(self.clock.now_us() / 1_000_000, UTC)
        try:
            offset = now.astimezone(ZoneInfo(self.timezone) if self.timezone else None).utcoffset()
        except OverflowError:  # a clock at the edge of the calendar; what is told then is refused for its date
            return 0
        return 0 if offset is None else int(offset.total_seconds() // 60)


class Door:
    """One request's way to its own profile's memory; the profile comes from the token and from nowhere else (R7)."""

    def __init__(self, doors: Doors, token: Token) -> None:
        self.shared = doors
        self._token = token

    async def call(self, ask: Callable[[ProfileFacade], Any], *, slow: bool = False) -> Any:
        """What `ask` returns, from a thread. Slow calls wait among themselves and never hold up quick ones."""
        limiter = self.shared.slow if slow else self.shared.quick
        try:
            return await anyio.to_thread.run_sync(
                lambda: ask(self.shared.daemon.profile(self._token.profile)), limiter=limiter, abandon_on_cancel=True
            )
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                raise
            raise problem from error

    async def answer(self, ask: Callable[[ProfileFacade], Any], *, slow: bool = False) -> Response:
        return json_response(await self.call(ask, slow=slow))


def json_response(value: Any) -> Response:
    text = json.dumps(present(value), ensure_ascii=False, allow_nan=False)
    return Response(text.encode("utf-8", "replace"), media_type="application/json")


def door_for(scope: Scope) -> Callable[[Request], Door]:
    """A dependency that opens the door to tokens with the scope; there is no other way to a memory."""

    def enter(request: Request) -> Door:
        token = request.scope["state"].get("token")
        if not isinstance(token, Token):
            raise Problem("no-token")
        if scope not in token.scopes:
            raise Problem("scope-missing", f"This route needs a token with the scope '{scope}'.")
        if token.audience != "local":
            raise Problem("audience-closed")
        return Door(request.app.state.doors, token)

    return enter


Reading = Annotated[Door, Depends(door_for("read"))]
Writing = Annotated[Door, Depends(door_for("write"))]
