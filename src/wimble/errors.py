"""The errors that wimble raises on purpose.

    WimbleError             exit code   meaning
    ├── UsageError          2 USAGE     the user's command line, settings or documents cannot be used; no stack
    │   ├── SchemaError                 the API description cannot be used
    │   └── OutputError                 the output folder cannot be used
    ├── TargetError         3 TARGET    the SUT did not start, answer or survive; shows the SUT's own output
    └── ProtocolError       70 INTERNAL agent and core cannot communicate: a bug of wimble, or mixed versions

Each error has a slug with an entry in docs/reference/messages.md. Its message says what happened and, where it helps,
the place in the user's file, the value found, the allowed or nearest values, and what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of the process, documented in docs/reference/exit-codes.md."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    TARGET = 3
    INTERNAL = 70


class WimbleError(Exception):
    """An error with a message for the user.

    `what` is one line; `where` names the place in the user's files or command line; `details` are further lines
    (found, allowed, nearest; the SUT's last output); `hint` says what to do.
    """

    exit_code: ExitCode = ExitCode.INTERNAL

    def __init__(self, slug: str, what: str, *, where: str = "", details: tuple[str, ...] = (), hint: str = "") -> None:
        super().__init__(what)
        self.slug = slug
        self.what = what
        self.where = where
        self.details = details
        self.hint = hint

    def add_detail(self, line: str) -> None:
        """Adds a further line to the message."""
        self.details = (*self.details, line)

    def redact(self, clean: Callable[[str], str]) -> None:
        """Removes secrets from all parts of the message."""
        self.what, self.where, self.hint = clean(self.what), clean(self.where), clean(self.hint)
        self.details = tuple(map(clean, self.details))

    def lines(self) -> list[str]:
        """The message as shown to the user, without colour."""
        first = f"error: {self.where}: {self.what}" if self.where else f"error: {self.what}"
        out = [first, *(f"  {line}" for line in self.details)]
        if self.hint:
            out.append(f"  {self.hint}")
        out.append(f"  (see docs/reference/messages.md#{self.slug})")
        return out


class UsageError(WimbleError):
    """The command line or a document of the user cannot be used. Nothing has been started."""

    exit_code = ExitCode.USAGE


class SchemaError(UsageError):
    """The API description cannot be used at all. If only parts of it cannot be used, there are warnings instead."""


class OutputError(UsageError):
    """The output folder cannot be written, or was not made by wimble."""


class TargetError(WimbleError):
    """The SUT did not start, did not listen, or does not answer."""

    exit_code = ExitCode.TARGET


class ProtocolError(WimbleError):
    """Core and agent cannot communicate."""

    exit_code = ExitCode.INTERNAL
