"""Which text the program wants before the credentials in `Authorization`, as far as it compares what it gets there."""

from __future__ import annotations

import re
from typing import Final

from wimble.model.carried_credentials import carried_by, iter_sent_in
from wimble.model.hints import ComparisonHint, Hint, PatternHint, SubstringHint
from wimble.model.testcase import Call
from wimble.search.access.ways import SCHEMES

PLACE: Final = "header authorization"
_KNOWN: Final = tuple(scheme for scheme in SCHEMES if scheme)
"""Schemes under which credentials are tried whatever the program names."""
_IN_PATTERN: Final = re.compile(r"\^?(?:\(\?:|\()?(?P<scheme>[A-Za-z][A-Za-z0-9_-]{1,24})\)?(?: |\\s|\[ |\\x20)")
"""Begins the source of a regular expression: a word and a space."""
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,24}[ :=]?")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,24}")


def scheme_named(call: Call, hint: Hint) -> str:
    """Returns the text before the credentials, with the space behind it; empty if the hint tells none."""
    if isinstance(hint, PatternHint):
        found = _IN_PATTERN.match(hint.source) if hint.wanted and _is_sent(call, hint.text) else None
        return f"{found['scheme']} " if found is not None else ""
    if isinstance(hint, SubstringHint):
        is_prefix = hint.place == "start" and hint.wanted and isinstance(hint.part, str)
        return str(hint.part) if is_prefix and _PREFIX.fullmatch(str(hint.part)) and _is_sent(call, hint.text) else ""
    if isinstance(hint, ComparisonHint):
        for sent, other in ((hint.left, hint.right), (hint.right, hint.left)):
            if isinstance(other, str) and _WORD.fullmatch(other) and _is_first_word(call, sent):
                return f"{other} "
    return ""


def _is_sent(call: Call, text: object) -> bool:
    """Whether the text is what the call sends in `Authorization`."""
    if not isinstance(text, str) or not text:
        return False
    return text in _values_sent(call) or (bool(carried_by(call).fields) and text.startswith(_KNOWN))


def _is_first_word(call: Call, word: object) -> bool:
    if not isinstance(word, str) or not word:
        return False
    firsts = {value.split(" ")[0].lower() for value in _values_sent(call)}
    return word.lower() in firsts or (bool(carried_by(call).fields) and f"{word} " in _KNOWN)


def _values_sent(call: Call) -> list[str]:
    """Returns what the call sends in `Authorization` as an input of its own."""
    return [one for place, one in iter_sent_in(call, "header") if place == PLACE and isinstance(one, str)]
