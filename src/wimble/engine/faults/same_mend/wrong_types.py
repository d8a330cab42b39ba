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
    found = _READ_OF_NOTHING.search(cause.message) or _NO_FUNCTION.search(cause.message)
    if found is None:
        return ""
    calls = re.findall(rf"(?<![\w$])([\w$.]*)(\?)?\.{re.escape(found[1])}\s*\(", line)
    return found[1] if len(calls) == 1 and not calls[0][1] else ""
