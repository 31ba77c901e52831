"""The error tree of the vault: one stable code a class, mapped to HTTP and exit status elsewhere."""


class VaultError(Exception):
    """Root of everything the vault raises; `code` is stable, `message` holds no content and no key."""

    code: str = "vault-error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class WrongKey(VaultError):
    """No slot opens with what was given, or a file was sealed under another key."""

    code = "wrong-key"


class Damaged(VaultError):
    """Bytes on disk do not authenticate, are missing, or do not fit what HEAD names."""

    code = "damaged"


class Locked(VaultError):
    """The vault is closed; its keys are gone from memory."""

    code = "locked"


class TooNew(VaultError):
    """Written by a later version: unknown version, suite or flag."""

    code = "too-new"


class ReadOnly(VaultError):
    """Nothing more is written until the vault is opened again: an I/O error or damage was seen."""

    code = "read-only"


class LimitExceeded(VaultError):
    """A size, count or depth past the documented bound."""

    code = "limit-exceeded"


class Unwritable(VaultError):
    """A value outside the vault's value model, or one that did not survive its own read-back."""

    code = "unwritable"


class BadName(VaultError):
    """A logical name, key or profile id outside its grammar."""

    code = "bad-name"


class NotFound(VaultError):
    """No file of that logical name, no slot of that id, or no vault at that place."""

    code = "not-found"


class AlreadyThere(VaultError):
    """A vault, or what may be one, already stands where a new one was asked for."""

    code = "already-there"


class InUse(VaultError):
    """Another process holds the vault; `pid` names it where known."""

    code = "in-use"

    def __init__(self, message: str, *, pid: int | None = None) -> None:
        super().__init__(message)
        self.pid = pid


class DiskFull(VaultError):
    """No space: nothing was acknowledged, reads go on, the next call tries anew."""

    code = "disk-full"


class NotCheckpointed(VaultError):
    """The call needs every journal record to be covered by a checkpoint first."""

    code = "not-checkpointed"


class LastSlot(VaultError):
    """Removing this slot would leave nothing that opens the vault."""

    code = "last-slot"
