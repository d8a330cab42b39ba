"""Finds that a program looks at the host that it is called by: `req.hostname === 'admin.example'`, `sites[host]`.

Each call has this header, so nothing is missing that a program could ask for. Only the address at which it is called
shows, where a name is looked for.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.model.hints import ComparisonHint, KeyHint, OperandHint, PatternHint, SubstringHint, TableHint
from wimble.model.learned_input import LearnedInput

HOST: Final = LearnedInput(location="header", path=("Host",))
_OWN_ADDRESS: Final = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?")
_CALLER: Final = re.compile(r"(?:ips?|addr|address|remote\w*)$", re.IGNORECASE)
"""Names of what holds the address of a caller, which is the same on one machine."""
_LETTER: Final = re.compile(r"[A-Za-z]")


def host_compared(hint: OperandHint) -> LearnedInput | None:
    """Returns the header if the program compares the address at which it is called with a name."""
    if not isinstance(hint, ComparisonHint | SubstringHint | PatternHint | KeyHint | TableHint):
        return None
    if isinstance(hint, ComparisonHint | SubstringHint | PatternHint) and not hint.wanted:
        return None
    if isinstance(hint, ComparisonHint) and _CALLER.search(hint.name):
        return None
    own, wanted = hint.operands
    if not isinstance(own, str) or not isinstance(wanted, str) or _OWN_ADDRESS.fullmatch(own) is None:
        return None
    return HOST if _LETTER.search(wanted) and own != wanted else None
