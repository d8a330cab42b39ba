"""The lines of a program's output that tell why it has ended: the last ones, and the error whose stack they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_ERROR: Final = re.compile(r"\s*(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*:")
"""Such as `Error: Cannot find module 'koa'` or `TypeError [ERR_INVALID_ARG_TYPE]: The ...`. Stack frames begin with
`at`.
"""
LEFT_OUT: Final = "..."


def last_with_error(lines: Sequence[str], n_lines: int) -> tuple[str, ...]:
    """Returns at most so many of the last lines.

    If none of them names an error, the last line before them that does comes first: its stack is longer than they are.
    """
    last = tuple(lines[-n_lines:])
    if n_lines < 3 or any(map(_ERROR.match, last)):
        return last
    error = next((line for line in reversed(lines[:-n_lines]) if _ERROR.match(line)), None)
    return last if error is None else (error, LEFT_OUT, *last[2:])
