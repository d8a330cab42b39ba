"""Parameters that a database reads as a language of their own: patterns, and queries of a full-text search.

Such a parameter is no injection, but a text that the database cannot read fails the command: `title ~ $1` with `(`,
`to_tsquery($1)` with two words, `LIKE $1` with a backslash at its end.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.databases.injections.probes import HEAD, TAIL
from wimble.model.database import DatabaseCommand

_PATTERN: Final = (f"{HEAD}({TAIL}", f"{HEAD}[{TAIL}", f"*{HEAD}")
_SEARCH: Final = (f"{HEAD} {TAIL}", f"{HEAD}&", f'"{HEAD}', f"{HEAD}(")
_LANGUAGES: Final = (
    (re.compile(r"(?:!?~\*?|\b(?:REGEXP|RLIKE|SIMILAR\s+TO))\s*\Z", re.IGNORECASE), _PATTERN),
    (re.compile(r"\bREGEXP_\w+\s*\((?:[^()]*,)?\s*\Z", re.IGNORECASE), _PATTERN),
    (re.compile(r"\b(?:to_tsquery\s*\((?:[^(),]*,)?|MATCH|AGAINST\s*\()\s*\Z", re.IGNORECASE), _SEARCH),
    (re.compile(r"\bI?LIKE\s*\Z", re.IGNORECASE), (f"{HEAD}\\",)),
)
"""What stands before a parameter of a language, and texts that are none of it."""
_PLACEHOLDER: Final = re.compile(r"\$(\d+)|\?")
MAX_PLACEHOLDERS: Final = 50


def texts_not_parsed(command: DatabaseCommand, value: str) -> tuple[str, ...]:
    """Returns templates of texts that the database cannot read in the place of the first such parameter which has the
    value; none if it reads no parameter with the value.
    """
    for number, found in enumerate(_PLACEHOLDER.finditer(command.text)):
        if number >= MAX_PLACEHOLDERS:
            break
        index = int(found[1]) - 1 if found[1] else number
        if index < len(command.params) and str(command.params[index]) == value:
            before = command.text[: found.start()]
            templates = next((texts for language, texts in _LANGUAGES if language.search(before)), ())
            if templates:
                return templates
    return ()
