"""Recognises what a program reads of a member that should be in each request: `req.user`, `ctx.state.session`.

Middleware puts it there, or does not. Where it is missing, each handler fails at a line of its own; one check before
them mends all. What clients send (`req.body`) is checked for each operation instead.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.model.observation import Cause

_READ: Final = re.compile(r"Cannot read properties of (?:undefined|null) \(reading '([\w$]+)'\)")
_DESTRUCTURED: Final = re.compile(r"Cannot destructure property '[^']*' of '([\w$.]+)' as it is (?:undefined|null)")
_REQUESTS: Final = {"req": "request", "request": "request", "ctx": "context", "context": "context"}
"""Names of the object that stands for a request in all handlers of a program -> one name."""
_SENT: Final = frozenset(["body", "query", "params", "param", "headers", "cookies", "files", "file", "args", "payload"])
"""Members with what clients send."""


def missing_member(cause: Cause, line: str) -> str:
    """Returns the member of the request that is null or undefined where an error was thrown, or an empty text.

    line: the text of the cause's line.
    """
    read, destructured = _READ.search(cause.message), _DESTRUCTURED.search(cause.message)
    if destructured is not None:
        paths = {destructured[1]}
    elif read is not None:
        before = re.finditer(rf"(?<![\w$.])([A-Za-z_$][\w$]*(?:\.[\w$]+)+)\.{re.escape(read[1])}(?![\w$])", line)
        paths = {match[1] for match in before}
    else:
        return ""
    return _told(paths.pop()) if len(paths) == 1 else ""


def _told(path: str) -> str:
    root, *members = path.split(".")
    if root not in _REQUESTS or not members or not _SENT.isdisjoint(members):
        return ""
    return ".".join((_REQUESTS[root], *members))
