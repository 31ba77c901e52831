"""Every failure has a code, a status and advice; the errors of the layers below are all mapped."""

from __future__ import annotations

import pytest
import selfimprint.engine.errors as engine_errors
import selfimprint.synx.errors as vault_errors

from selfimprintd.exits import Exit
from selfimprintd.problems import KINDS, Problem, problem_of, problem_of_status

BELOW = [
    error
    for module in (engine_errors, vault_errors)
    for error in vars(module).values()
    if isinstance(error, type) and issubclass(error, Exception)
]


@pytest.mark.parametrize("error", BELOW, ids=lambda error: error.__name__)
def test_every_error_of_the_engine_and_the_vault_is_mapped(error: type[Exception]) -> None:
    """No code of theirs ends as a 500."""
    raised = error(("a reason",)) if error is engine_errors.DeltaRefused else error("a message")
    problem = problem_of(raised)
    assert problem is not None and problem.code == vars(error)["code"]
    assert 400 <= problem.status < 600 and problem.status != 500


def test_a_code_that_came_later_is_answered_as_its_parent() -> None:
    """A new kind of engine error is still the engine's."""

    class Newer(engine_errors.UnknownId):
        code = "newer"

    problem = problem_of(Newer("x"))
    assert problem is not None and problem.code == "unknown-id"
    assert problem_of(ValueError("x")) is None
    assert problem_of(OSError("x")) is None


def test_unknown_ids_are_never_repeated() -> None:
    """What the error says may hold an id; the answer does not."""
    problem = problem_of(engine_errors.UnknownId("no node 'secret-name'"))
    assert problem is not None and b"secret-name" not in problem.body()


def test_each_kind_says_what_to_do() -> None:
    """Title and advice, and a status that fits."""
    for code, kind in KINDS.items():
        answer = Problem(code).answer()
        assert answer["code"] == code and answer["title"] == kind.title
        assert answer["detail"].endswith((".", "'")), code
        assert Exit.of_status(kind.status) is not Exit.OK


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, "no-route"), (405, "wrong-method"), (422, "invalid"), (418, "bad-request"), (502, "internal")],
)
def test_a_bare_status_becomes_a_problem(status: int, code: str) -> None:
    """Whatever the framework raises has our form."""
    assert problem_of_status(status).code == code
