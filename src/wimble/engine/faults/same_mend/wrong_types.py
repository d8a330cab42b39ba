"""Recognises what a program calls on a value that is missing in one run, and of another type in the next.

`reason.trim()` fails as "Cannot read properties of undefined" where no reason was sent, and as "reason.trim is not a
function" where it is a number. One check of the value's type mends both.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.model.observation import Cause

_READ_OF_NOTHING: Final = re.compile(r"Cannot read properties of (?:undefined|null) \(reading '([\w$]+)'\)")
_NO_FUNCTION: Final = re.compile(r"\.([\w$]+) is not a function\b")


def called_member(cause: Cause, line: str) -> str:
    """Returns the member that could not be read or called where the error was thrown; empty if it is not certain.

    line: the text of the cause's line. If it has the member of several values, one may be missing and another one of a
    wrong type.
    """
    member = failed_member(cause)
    if not member:
        return ""
    calls = re.findall(rf"(?<![\w$])([\w$.]*)(\?)?\.{re.escape(member)}\s*\(", line)
    return member if len(calls) == 1 and not calls[0][1] else ""


def failed_member(cause: Cause) -> str:
    """Returns the member of which an error says that it could not be read or called; empty if it names none."""
    found = _READ_OF_NOTHING.search(cause.message) or _NO_FUNCTION.search(cause.message)
    return "" if found is None else found[1]
