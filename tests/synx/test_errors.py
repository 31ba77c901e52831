"""Twin of synx/errors.py."""

from selfimprint.synx import errors


def test_every_error_has_a_code_of_its_own() -> None:
    """Codes are stable, unique, and one short tree hangs under VaultError."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.VaultError)]
    assert len({kind.code for kind in kinds}) == len(kinds) > 10
    assert all(kind is errors.VaultError or kind.__bases__ == (errors.VaultError,) for kind in kinds)


def test_message_code_and_pid_are_told() -> None:
    """What was given is there again; a code can be set for one case."""
    error = errors.InUse("held", pid=5)
    assert (error.message, str(error), error.code, error.pid) == ("held", "held", "in-use", 5)
    assert errors.VaultError("x", code="special").code == "special"
