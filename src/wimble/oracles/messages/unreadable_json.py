"""Which text an error about JSON is about, where the error quotes none: it tells at most a position and a character."""

from __future__ import annotations

import re
from typing import Final

from wimble.json_texts import holds_json

_AT: Final = re.compile(r" JSON at position (?P<position>\d+)")
_CHARACTER: Final = re.compile(r"Unexpected token (?P<quote>['\"]?)(?P<character>.)(?P=quote) in JSON", re.DOTALL)
_END: Final = "Unexpected end of JSON input"
_BEGINNINGS: Final = tuple('{["-0123456789tfn')
"""First characters of JSON."""
_NAMES: Final = ("true", "false", "null")


def may_have_refused(message: str, text: str) -> bool:
    """Whether the error may say of the text that it is no JSON. False if the error quotes a text, or tells nothing."""
    if holds_json(text):
        return False
    if _END in message:
        stripped = text.strip()
        return not stripped or stripped[0] in '{["-' or any(name.startswith(stripped) for name in _NAMES)
    at = _AT.search(message)
    if at is None:
        return False
    position = int(at["position"])
    character = _CHARACTER.search(message)
    if character is not None and text[position : position + 1] != character["character"]:
        return False
    return position <= len(text) and (position == 0 or text.lstrip().startswith(_BEGINNINGS))
