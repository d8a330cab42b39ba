"""Reads a regular expression that a program uses as a path: literal segments, and segments with a pattern.

^\\/books\\/(\\d+)$   ->   /books/{part}, part: ^(?:\\d+)$
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from wimble.solve.patterns.ecmascript import matches

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
        return _of_each(alternatives)
    rest = _ANYTHING_BELOW.search(text)
    if rest is not None:
        return _with_wildcard(text[: rest.start()], is_optional=rest[0].endswith("?"))
    expanded = _without_group(text)
    if expanded is not None:
        return _of_each(expanded)
    path = _path(text)
    return [path] if path else None


def _of_each(sources: list[str]) -> list[list[Segment]] | None:
    """Returns the alternatives of all expressions; None if one of them cannot be read."""
    paths: list[list[Segment]] = []
    for source in sources:
        alternatives = regex_segments(source)
        if alternatives is None:
            return None
        paths += alternatives
    return paths


def _with_wildcard(above: str, *, is_optional: bool) -> list[list[Segment]]:
    """Returns the paths of an expression with any segments below them; also those paths, if none need be there."""
    paths = regex_segments(above) or [[]]
    longer: list[list[Segment]] = [[*one, ("/", False, ""), ("wildcard", True, "")] for one in paths]
    return longer + [one for one in paths if one] if is_optional else longer


def _path(text: str) -> list[Segment] | None:
    """Returns the segments of a path without alternatives; None if one cannot be read."""
    segments = _split(text, "/")
    if segments is None:
        return None
    path: list[Segment] = []
    for segment in segments[1:] if segments[0] == "" else segments:
        literal = _literal(segment)
        if literal is None and _has_slash(segment):
            return None
        path += [("/", False, ""), _pattern(segment) if literal is None else (literal, False, "")]
    return path


def _pattern(segment: str) -> Segment:
    """Returns a segment that stands for several texts, with the name of its group."""
    named = _NAMED_GROUP.search(segment)
    return (named[1] if named else "part", True, f"^(?:{_NAMED_GROUP.sub('(', segment)})$")


def regex_variants(source: str) -> list[str]:
    """Returns an expression for each form of the path; none if it cannot be read as segments between slashes."""
    return list(dict.fromkeys(_source_of(segments) for segments in regex_segments(source) or ()))


def with_literal(source: str, index: int, text: str) -> str | None:
    """Returns the expression with one of its segments, counted from 0, replaced by a text.

    None if there is no such segment, or the text does not match it.
    """
    for segments in regex_segments(source) or ():
        places = [at for at, segment in enumerate(segments) if segment != ("/", False, "")]
        if index < len(places):
            _, is_pattern, pattern = segments[places[index]]
            if is_pattern and "/" not in text and (not pattern or matches(pattern, "", text)):
                return _source_of([*segments[: places[index]], (text, False, ""), *segments[places[index] + 1 :]])
    return None


def _source_of(segments: list[Segment]) -> str:
    source = "^"
    for text, is_pattern, pattern in segments:
        if is_pattern:
            inner = pattern.removeprefix("^(?:").removesuffix(")$") if pattern else ".+"
            name = "" if text in ("part", "wildcard") else f"?<{text}>"
            source += f"({name}{inner[1:-1] if _is_group(inner) else inner})"
        else:
            source += re.escape(text).replace("/", r"\/").replace(r"\-", "-")
    return source + "$"


def _is_group(text: str) -> bool:
    """Whether a text is one capturing group, and nothing else."""
    is_wrapped = text.startswith("(") and text.endswith(")") and not text.startswith("(?")
    return is_wrapped and _split(text[1:-1], "|") is not None


def _without_group(text: str) -> list[str] | None:
    """Returns the forms of a path without its first group that has a slash: `/a(?:/(b|c))?` is `/a` and `/a/(b|c)`.

    None if there is no such group, or it occurs several times.
    """
    start = depth = 0
    in_class = False
    for at, char in enumerate(text):
        if at and text[at - 1] == "\\" and text[at - 2 : at] != "\\\\":
            continue
        if in_class or char == "[":
            in_class = char != "]"
        elif char == "(":
            start = at if depth == 0 else start
            depth += 1
        elif char == ")":
            depth -= 1
            inner = text[start + 1 : at]
            if depth == 0 and _has_slash(inner) and not inner.startswith(("?=", "?!", "?<=", "?<!")):
                quantifier = text[at + 1 : at + 2]
                if quantifier in ("*", "+", "{"):
                    return None
                inner = re.sub(r"^\?(?::|<\w+>)", "", inner)
                alternatives = _split(inner, "|") or []
                after = text[at + 1 :].removeprefix("?")
                forms = [text[:start] + one + after for one in alternatives]
                return [text[:start] + after, *forms] if quantifier == "?" else forms
    return None


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
