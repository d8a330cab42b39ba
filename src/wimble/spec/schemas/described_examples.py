"""Examples in the words of a description: `time of day, such as 12:30`.

Many documents give the form of a text there only, and a text drawn at random hardly ever has it.
"""

from __future__ import annotations

import re
from typing import Any, Final

MAX_EXAMPLES: Final = 3
_INTRODUCED: Final = re.compile(
    r"(?:\bsuch as|\be\.\s?g\.?,?|\beg\.?|\bfor example:?,?|\bfor instance,?|\bexamples?:)\s+", re.I
)
_QUOTED: Final = re.compile(r"`([^`\n]{1,60})`|\"([^\"\n]{1,60})\"|'([^'\n]{1,60})'")
_PLAIN: Final = re.compile(r"[^\s,;`\"'()]{1,60}")
_BETWEEN: Final = re.compile(r"(?:,| or| and|, or|, and) ?", re.I)
_OTHERWISE: Final = ("enum", "const", "format", "pattern", "examples")
"""Keywords that say more about a text than its description."""


def described_examples(schema: dict[str, Any], description: Any) -> list[str]:
    """Returns the examples in the description of a text: after `such as` or `e.g.`, what is quoted, or has a digit.

    None if another keyword says what form the text has.
    """
    if schema.get("type") != "string" or not isinstance(description, str) or any(key in schema for key in _OTHERWISE):
        return []
    found: list[str] = []
    for introduced in _INTRODUCED.finditer(description):
        found += _listed(description, introduced.end())
    return list(dict.fromkeys(found))[:MAX_EXAMPLES]


def _listed(text: str, start: int) -> list[str]:
    """Returns the examples from there on, one after the other."""
    found: list[str] = []
    while len(found) < MAX_EXAMPLES:
        quoted, plain = _QUOTED.match(text, start), _PLAIN.match(text, start)
        if quoted is not None:
            found.append(next(filter(None, quoted.groups())))
            start = quoted.end()
        elif plain is not None and any(char.isdigit() for char in plain[0]):
            found.append(plain[0].rstrip(".:!?"))
            start = plain.end()
        else:
            break
        between = _BETWEEN.match(text, start)
        if between is None:
            break
        start = between.end()
    return found
