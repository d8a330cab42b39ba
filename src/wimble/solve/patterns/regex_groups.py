"""Groups of ECMAScript regular expressions."""

from __future__ import annotations

import re


def group_source(source: str, number: int) -> str | None:
    """Returns the text of group `number` of a regular expression; 0 is the whole of it."""
    if number == 0:
        return source.removeprefix("^").removesuffix("$")
    opened: list[tuple[int, int]] = []
    n_groups = at = 0
    while at < len(source):
        char = source[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = _class_end(source, at)
        elif char == "(":
            named = re.match(r"\((?:\?<(?![=!])[^>]*>|(?!\?))", source[at:])
            n_groups += named is not None
            opened.append((n_groups if named else 0, at + (named.end() if named else 1)))
        elif char == ")":
            group, start = opened.pop() if opened else (0, 0)
            if group == number:
                return source[start:at]
        at += 1
    return None


def _class_end(source: str, at: int) -> int:
    at += 1
    while at < len(source) and source[at] != "]":
        at += 2 if source[at] == "\\" else 1
    return at
