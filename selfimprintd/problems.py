"""Every failure as one kind of answer: problem+json (RFC 9457) with a stable code and what to do about it.

The one place that maps the engine's and the vault's error codes to HTTP. Nothing here repeats what a client sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

PROBLEM_TYPE = "application/problem+json"
_LONGEST_DETAIL = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A failure the API can answer with. `spoken`: the raised error's own message may be shown as the detail."""

    status: int
    title: str
    detail: str
    spoken: bool = False


KINDS: Mapping[str, Kind] = {
    # what the guard refuses
    "wrong-host": Kind(status=421, title="Not served under that name",
        detail="Address the daemon as 127.0.0.1 or localhost with its own port; other Host names are refused."),
    "foreign-origin": Kind(status=403, title="Refused to a web page",
        detail="Requests from web pages of other origins are refused. Use the command line or a client program."),
    "no-token": Kind(status=401, title="A token is needed",
        detail="Send 'Authorization: Bearer si_...'. The owner's token lies in the state directory as owner-token."),
    "unknown-token": Kind(status=401, title="The token is not known",
        detail="Check that the whole token was sent and that it was not revoked."),
    "too-many-failures": Kind(status=429, title="Too many unknown tokens",
        detail="Wait for the time that Retry-After names, then send a valid token."),
    "scope-missing": Kind(status=403, title="The token may not do this",
        detail="Use a token with the scope that this route needs."),
    "audience-closed": Kind(status=403, title="Not open to cloud clients",
        detail="Handing memory to a cloud client is not enabled; use a token for the audience 'local'."),
    "locked": Kind(status=423, title="The memory is locked",
        detail="Unlock it by starting the daemon again with the passphrase or key file."),
    "encoded-body": Kind(status=415, title="Compressed bodies are refused",
        detail="Send the body as plain JSON, without Content-Encoding."),
    "not-json": Kind(status=415, title="JSON is needed", detail="Send the body as 'Content-Type: application/json'."),
    "body-missing": Kind(status=400, title="A body is needed", detail="Send a JSON object, at least {}."),
    "body-unwanted": Kind(status=400, title="No body belongs here",
        detail="Send this method without a body; put what selects into the path and the query."),
    "bad-json": Kind(status=400, title="Not strict JSON", detail="Send one JSON object in UTF-8.", spoken=True),
    "bad-request": Kind(status=400, title="Not a request that can be read",
        detail="Send HTTP/1.1 with one Host header and headers under the size limit.", spoken=True),
    "too-large": Kind(status=413, title="The body is too large",
        detail="Send less at once: split a batch of messages into several requests."),
    "too-slow": Kind(status=408, title="The body came too slowly", detail="Send the whole body at once."),
    "overloaded": Kind(status=503, title="Too many connections", detail="Close idle connections and try again."),
    # what the routes refuse
    "no-route": Kind(status=404, title="No such route", detail="See /api/v1/openapi.json for the routes there are."),
    "wrong-method": Kind(status=405, title="The route has no such method", detail="See the Allow header."),
    "invalid": Kind(status=422, title="Some values do not fit", detail="Correct the fields listed under errors."),
    "too-many-streams": Kind(status=503, title="Too many event streams", detail="Close another event stream first."),
    "internal": Kind(status=500, title="The daemon failed at this",
        detail="Nothing was acknowledged. Try again; if it repeats, 'selfimprint doctor' says more."),
    # engine
    "unknown-id": Kind(status=404, title="Nothing of that id", detail="This memory holds nothing under that id."),
    "delta-refused": Kind(status=409, title="The change was refused",
        detail="The change does not fit the memory's rules; see reasons."),
    "malformed-record": Kind(status=422, title="Not a record", detail="A value does not fit its place.", spoken=True),
    "engine": Kind(status=422, title="The memory refused this", detail="The memory refused this.", spoken=True),
    "bad-change": Kind(status=422, title="Not a possible change", detail="Change other fields.", spoken=True),
    "bad-message": Kind(status=422, title="Not a possible message", detail="Correct the message.", spoken=True),
    "bad-question": Kind(status=422, title="Not a possible question", detail="Correct the question.", spoken=True),
    "beyond-history": Kind(status=422, title="Older than the history kept",
        detail="Ask for a later time; history is kept for a bounded number of days.", spoken=True),
    "store-gap": Kind(status=503, title="The graph is being rebuilt", detail="Try again in a moment."),
    "store-failed": Kind(status=503, title="The graph is being rebuilt", detail="Try again in a moment."),
    # vault
    "not-found": Kind(status=404, title="Nothing of that id", detail="This memory holds nothing under that id."),
    "wrong-key": Kind(status=423, title="The key does not open it",
        detail="Start the daemon again with the right passphrase or key file."),
    "damaged": Kind(status=503, title="Stored files are damaged",
        detail="Reads go on where they can. Run 'selfimprint doctor', then restore a backup."),
    "too-new": Kind(status=503, title="Written by a later version", detail="Install the newer version of SelfImprint."),
    "read-only": Kind(status=503, title="The memory is read-only",
        detail="Writing stopped after a disk error. Check the disk, then restart the daemon."),
    "limit-exceeded": Kind(status=413, title="Past a limit", detail="Send less at once.", spoken=True),
    "unwritable": Kind(status=422, title="Not storable", detail="A value cannot be stored as it is.", spoken=True),
    "bad-name": Kind(status=422, title="Not a usable name", detail="Use letters, digits, '-', '_' and '.'."),
    "already-there": Kind(status=409, title="Already there", detail="Use the one there is, or choose another place."),
    "in-use": Kind(status=409, title="In use by another daemon",
        detail="Stop the other daemon of this directory first: 'selfimprint stop'."),
    "disk-full": Kind(status=507, title="The disk is full",
        detail="Nothing was stored by this request. Free some space and send it again."),
    "not-checkpointed": Kind(status=503, title="Not ready for this", detail="Try again in a moment."),
    "last-slot": Kind(status=409, title="The last way in", detail="Add another passphrase or key file first."),
    "vault-error": Kind(status=503, title="The vault failed", detail="Try again; 'selfimprint doctor' says more."),
}  # fmt: skip


@dataclass(eq=False)
class Problem(Exception):
    """Raise to answer with this failure. `extra` goes into the answer beside code, title and detail."""

    code: str
    detail: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        return KINDS.get(self.code, KINDS["internal"])

    @property
    def status(self) -> int:
        return self.kind.status

    def answer(self) -> dict[str, Any]:
        kind = self.kind
        body: dict[str, Any] = {"type": "about:blank", "title": kind.title, "status": kind.status}
        body |= {"code": self.code, "detail": self.detail or kind.detail}
        return body | dict(self.extra)

    def body(self) -> bytes:
        return json.dumps(self.answer(), ensure_ascii=False).encode()


def problem_of(error: Exception) -> Problem | None:
    """The answer for an error of the engine or the vault, by its `code`; None for any other exception."""
    own = getattr(error, "code", None)
    inherited = (vars(kind).get("code") for kind in type(error).__mro__)
    code = next((c for c in (own, *inherited) if isinstance(c, str) and c in KINDS), None)
    if code is None:
        return None
    kind = KINDS[code]
    extra: dict[str, Any] = {}
    reasons = getattr(error, "reasons", None)
    if isinstance(reasons, tuple | list):
        extra["reasons"] = [str(reason) for reason in reasons]
    detail = str(error) if kind.spoken and 0 < len(str(error)) <= _LONGEST_DETAIL else ""
    return Problem(code, detail, extra)


def problem_of_status(status: int) -> Problem:
    """The answer for a bare HTTP status that a framework raised."""
    by_status = {404: "no-route", 405: "wrong-method", 413: "too-large", 415: "not-json", 422: "invalid"}
    if status in by_status:
        return Problem(by_status[status])
    return Problem("internal") if status >= HTTPStatus.INTERNAL_SERVER_ERROR else Problem("bad-request")
