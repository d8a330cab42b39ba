"""Recognises what a program reads of a member that should be in each request: `req.user`, `ctx.state.session`.

Middleware puts it there, or does not. Where it is missing, each handler fails at a line of its own; one check before
them mends all. What clients send is checked for each operation instead, but for the whole body: where a request has
none, middleware leaves it undefined (Express 5) in all handlers, and one line mends all.
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
_WHOLE_BODIES: Final = frozenset(["req.body", "request.body", "ctx.request.body", "context.request.body"])
_ALWAYS_THERE: Final = frozenset(["params", "headers"])
"""Members that frameworks give each request, as objects."""
_OF_NOTHING: Final = re.compile(
    r"Cannot use 'in' operator to search for '.*' in (?:undefined|null)|Cannot convert undefined or null to object"
)
"""Messages that do not say what is missing. A body is, if it is all that the line takes from the request."""
_READ_OF_REQUEST: Final = re.compile(rf"(?<![\w$.])(?:{'|'.join(_REQUESTS)})(?:\.[\w$]+)+")
_READ_BY_NAME: Final = re.compile(rf"({_READ_OF_REQUEST.pattern})\[")
"""`req.body[name]`, where the message says the name."""


def missing_member(cause: Cause, line: str) -> str:
    """Returns the member of the request that is null or undefined where an error was thrown, or an empty text.

    line: the text of the cause's line.
    """
    read, destructured = _READ.search(cause.message), _DESTRUCTURED.search(cause.message)
    if destructured is not None:
        paths = {destructured[1]}
    elif read is not None:
        before = re.finditer(rf"(?<![\w$.])([A-Za-z_$][\w$]*(?:\.[\w$]+)+)\.{re.escape(read[1])}(?![\w$])", line)
        paths = {match[1] for match in before} or set(_READ_BY_NAME.findall(line))
    elif _OF_NOTHING.search(cause.message):
        paths = set(_READ_OF_REQUEST.findall(line))
    else:
        return ""
    absent = {path for path in paths if path.rpartition(".")[2] not in _ALWAYS_THERE}
    return _told(absent.pop()) if len(absent) == 1 else ""


def _told(path: str) -> str:
    root, *members = path.split(".")
    if root not in _REQUESTS or not members:
        return ""
    if not _SENT.isdisjoint(members) and path not in _WHOLE_BODIES:
        return ""
    return ".".join((_REQUESTS[root], *members))
