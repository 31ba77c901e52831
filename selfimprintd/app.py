"""The ASGI application: routes under /api/v1/, every failure as problem+json, and the guard before all of it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from selfimprintd import routes_daemon, routes_graph, routes_history, routes_memory, schemas
from selfimprintd.door import Doors
from selfimprintd.openapi import complete
from selfimprintd.problems import PROBLEM_TYPE, Problem, problem_of_status

PREFIX = "/api/v1"
_TELLABLE_NAME = re.compile(r"[a-z][a-z_]{0,39}")
_NO_TELEMETRY: Any = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
_MODELS = (schemas.MessageIn, schemas.ContextIn, schemas.RecallIn, schemas.NodeChanges, schemas.DrainIn)
_FIELDS = sorted({name for model in _MODELS for name in model.model_fields} | {"messages"})


def create_app(doors: Doors, version: str) -> FastAPI:
    """The routes alone; `selfimprintd.guard.Guard` goes around them before they are served."""
    app = FastAPI(
        title="SelfImprint",
        version=version,
        summary="A private, causal memory of one person, on their own machine.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,  # the page would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
    )
    app.state.doors = doors
    app.state.streams = set()
    for module in (routes_memory, routes_graph, routes_history, routes_daemon):
        app.include_router(module.router, prefix=PREFIX)
    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(Exception, _on_error)

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=version, summary=app.summary, routes=app.routes)
            app.openapi_schema = complete(made)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def respond(problem: Problem) -> Response:
    return Response(problem.body(), problem.status, headers=dict(problem.headers), media_type=PROBLEM_TYPE)


async def _on_problem(request: Request, error: Exception) -> Response:
    return respond(error if isinstance(error, Problem) else Problem("internal"))


async def _on_http_exception(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    problem = problem_of_status(status)
    allowed = (getattr(error, "headers", None) or {}).get("Allow")
    if allowed:
        problem = Problem(problem.code, headers={"allow": allowed})
    return respond(problem)


async def _on_invalid(request: Request, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    return respond(Problem("invalid", extra={"errors": invalid_fields(found)}))


async def _on_error(request: Request, error: Exception) -> Response:
    """What nobody foresaw; the guard logs where, without the message."""
    return respond(Problem("internal"))


def invalid_fields(found: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Which field, and what to write there; never what was sent."""
    fields = []
    for error in found:
        place = [part for part in error.get("loc", ())[1:] if part not in ("one", "many")]
        name = str(place[-1]) if place else "body"
        if error.get("type") == "extra_forbidden":
            near = difflib.get_close_matches(name, _FIELDS, n=1)
            said = f"not a field here{f'; did you mean {near[0]}?' if near else ''}"
        else:
            said = str(error.get("msg", "does not fit")).removeprefix("Value error, ")
        shown = [str(part) if isinstance(part, int) or _TELLABLE_NAME.fullmatch(str(part)) else "?" for part in place]
        fields.append({"field": ".".join(shown) or "body", "problem": said})
    return fields
