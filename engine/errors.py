"""What the engine refuses, and why. Each error has a stable code; the daemon maps codes to HTTP in one place."""

from __future__ import annotations


class EngineError(Exception):
    """Base of the engine's errors. The message says what to do and holds no private content."""

    code = "engine"


class MalformedRecord(EngineError):
    """Bytes or values that are no record of ours."""

    code = "malformed-record"


class DeltaRefused(EngineError):
    """The door did not let a delta in; `reasons` say why, one per rule."""

    code = "delta-refused"

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class UnknownId(EngineError):
    """No node, edge or message of this profile has the id."""

    code = "unknown-id"
