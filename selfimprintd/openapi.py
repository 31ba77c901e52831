"""How routes describe themselves: the model of the answer, and every failure they may answer with, by code."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from selfimprintd.answers import ProblemAnswer
from selfimprintd.problems import PROBLEM_TYPE, Problem

Responses = dict[int, tuple[str, ...]]

_ALWAYS: Responses = {
    400: ("bad-request",),
    401: ("no-token", "unknown-token"),
    403: ("scope-missing", "foreign-origin", "audience-closed"),
    421: ("wrong-host",),
    422: ("invalid",),
    423: ("locked",),
    429: ("too-many-failures",),
    500: ("internal",),
    503: ("damaged", "overloaded"),
}
PROBLEMS_OF_READS: Responses = _ALWAYS | {
    400: ("bad-request", "bad-json", "body-missing", "body-unwanted"),
    408: ("too-slow",),
    413: ("too-large",),
    415: ("not-json", "encoded-body"),
}
PROBLEMS_OF_WRITES: Responses = PROBLEMS_OF_READS | {
    409: ("delta-refused",),
    503: ("read-only", "damaged", "overloaded"),
    507: ("disk-full",),
}
NOT_FOUND: Responses = {404: ("unknown-id",)}


def answers(model: type[BaseModel] | None, problems: Responses) -> dict[int | str, dict[str, Any]]:
    """FastAPI's `responses`: the good answer and each failure with an example."""
    described: dict[int | str, dict[str, Any]] = {200: {"description": "Done."} | ({"model": model} if model else {})}
    for status, codes in sorted(problems.items()):
        examples = {code: {"value": Problem(code).answer()} for code in codes}
        described[status] = {
            "description": " / ".join(Problem(code).kind.title for code in codes),
            "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}, "examples": examples}},
        }
    return described


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Adds to FastAPI's document what its routes cannot say: the token, and the model of the problems."""
    parts = document.setdefault("components", {})
    parts.setdefault("schemas", {})["ProblemAnswer"] = ProblemAnswer.model_json_schema()
    for name in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(name, None)
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    for path, operations in document["paths"].items():
        if path.endswith("/health"):
            operations["get"]["security"] = []
    return document
