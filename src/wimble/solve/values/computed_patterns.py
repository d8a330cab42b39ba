"""Values of operations with regular expressions, as JavaScript computes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from wimble.solve.path_conditions import NoValue
from wimble.solve.patterns.ecmascript import compiled


def pieces(text: str, source: str, flags: str) -> list[str]:
    """Returns the parts of `split` by a regular expression without groups."""
    pattern, found, start, at = _pattern(source, flags), list[str](), 0, 0
    if not text:
        return [] if pattern.match(text) else [text]
    while at < len(text):
        match = pattern.match(text, at)
        if match is None or match.end() == start or match.end() > len(text):
            at += 1
            continue
        found.append(text[start:at])
        start = at = match.end()
    return [*found, text[start:]]


def _pattern(source: str, flags: str) -> re.Pattern[str]:
    found = compiled(source, "".join(flag for flag in flags if flag not in "gdy"))
    if found is None:
        raise NoValue(f"/{source}/{flags}")
    return found


def match_at(text: str, source: str, flags: str, start: float = 0) -> re.Match[str] | None:
    """Returns the match that `exec` finds from a position on. Raises: NoValue."""
    pattern = _pattern(source, flags)
    return pattern.match(text, int(start)) if "y" in flags else pattern.search(text, int(start))


def _tested(text: str, source: str, flags: str, start: float = 0) -> bool:
    return match_at(text, source, flags, start) is not None


def _found_at(text: str, source: str, flags: str, start: float, span: str) -> bool:
    found = match_at(text, source, flags, start)
    return found is not None and f"{found.start()}-{found.end()}" == span


def _captured(text: str, source: str, flags: str, group: float, start: float = 0) -> bool:
    found = match_at(text, source, flags, start)
    return found is not None and found.group(int(group)) is not None


def _capture(text: str, source: str, flags: str, group: float, start: float = 0) -> str:
    found = match_at(text, source, flags, start)
    value = None if found is None else found.group(int(group))
    if value is None:
        raise NoValue("no capture")
    return str(value)


def _search(text: str, source: str, flags: str) -> int:
    found = match_at(text, source, flags)
    return -1 if found is None else found.start()


def _matches(text: str, source: str, flags: str) -> int:
    return sum(1 for _ in _pattern(source, flags).finditer(text))


def _replaced_matches(text: str, source: str, flags: str, given: str) -> str:
    def expanded(found: re.Match[str]) -> str:
        def one(dollar: re.Match[str]) -> str:
            sign = dollar.group(1)
            if sign == "$":
                return "$"
            if sign == "&":
                return found.group()
            number = int(sign)
            return (found.group(number) or "") if number <= (found.re.groups or 0) else dollar.group()

        return re.sub(r"\$([$&]|[1-9])", one, given)

    if re.search(r"\$[`'<]|\$\d\d", given):
        raise NoValue("a replacement")
    return _pattern(source, flags).sub(expanded, text, count=0 if "g" in flags else 1)


PATTERN_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "partBetween": lambda text, source, flags, number: pieces(text, source, flags)[int(number)],
    "partsBetween": lambda text, source, flags: len(pieces(text, source, flags)),
    "test": _tested,
    "foundAt": _found_at,
    "search": _search,
    "captured": _captured,
    "capture": _capture,
    "matches": _matches,
    "replaceMatches": _replaced_matches,
}
