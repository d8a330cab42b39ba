"""Reads a regular expression that a program uses as a path: literal segments, and segments with a pattern.

^\\/books\\/(\\d+)$   ->   /books/{part}, part: ^(?:\\d+)$
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Segment: TypeAlias = tuple[str, bool, str]
"""(literal text, False, "") or (name, True, pattern)"""

_SPECIAL: Final = frozenset("[](){}.*+?|^$\\")
_NAMED_GROUP = re.compile(r"\(\?<(\w+)>")
_END = re.compile(r"(?:\\?/\?|\(\?:\\?/\)\?|\(\?:\\?/\(\?=\$\)\)\?)?(?:\$|\(\?=\\?/\|\$\)|\(\?:\\?/\|\$\))$")
_ANYTHING_BELOW = re.compile(r"(?:\\?/\(\.[*+]\??\)|\((?:\?:)?\\?/\.[*+]\??\)\??)$")
"""`/(.*)`, `(/.*)`, `(/.*)?` at the end: any number of segments."""
_OPTIONAL_SLASH_END = re.compile(r"(?:\\?/\?|\(\?:\\?/\)\?)$")


def regex_segments(source: str) -> list[list[Segment]] | None:
    """Returns the alternatives of a path; None if the expression cannot be read as segments between slashes."""
    text = source.removeprefix("^")
    text = _OPTIONAL_SLASH_END.sub("", _END.sub("", text))
    alternatives = _split(text, "|")
    if alternatives is None:
        return None
    if len(alternatives) > 1:
        read = [regex_segments(one) for one in alternatives]
        return None if any(one is None for one in read) else [one for some in read if some is not None for one in some]
    rest = _ANYTHING_BELOW.search(text)
    if rest is not None:
        above = regex_segments(text[: rest.start()]) or [[]]
        below: Segment = ("wildcard", True, "")
        longer: list[list[Segment]] = [[*one, ("/", False, ""), below] for one in above]
        return longer + [one for one in above if one] if rest[0].endswith("?") else longer
    segments = _split(text, "/")
    if segments is None:
        return None
    path: list[Segment] = []
    for index, segment in enumerate(segments):
        if index == 0 and segment == "":
            continue
        path.append(("/", False, ""))
        literal = _literal(segment)
        if literal is not None:
            path.append((literal, False, ""))
            continue
        if _has_slash(segment):
            return None
        named = _NAMED_GROUP.search(segment)
        name = named[1] if named else "part"
        path.append((name, True, f"^(?:{_NAMED_GROUP.sub('(', segment)})$"))
    return [path] if path else None


def _split(text: str, separator: str) -> list[str] | None:
    """Splits at a separator (also `\\/`) outside of groups and classes; None if brackets do not match."""
    parts, depth, in_class, start, at = [], 0, False, 0, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            if text[at + 1 : at + 2] == "/" == separator and depth == 0 and not in_class:
                parts.append(text[start:at])
                start = at + 2
            at += 2
            continue
        if in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    parts.append(text[start:])
    return parts if depth == 0 and not in_class else None


def _literal(segment: str) -> str | None:
    """Returns the text that a segment stands for, or None if it stands for several."""
    plain, at = "", 0
    while at < len(segment):
        char = segment[at]
        if char == "\\" and at + 1 < len(segment):
            at += 1
            char = segment[at]
            if char.isalnum():
                return None
        elif char in _SPECIAL:
            return None
        plain += char
        at += 1
    return plain


def _has_slash(segment: str) -> bool:
    """Whether the pattern of a segment contains a slash outside of classes, so that it stands for several segments."""
    return "/" in re.sub(r"\[[^\]]*\]", "", segment)
