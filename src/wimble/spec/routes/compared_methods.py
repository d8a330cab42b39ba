"""Finds further operations of a program without a router in what it compares while it is searched.

A program may look for the thing that a path names before it looks at the method, or at the rest of the path. Then
exploring shows neither, for it knows no such thing; the search does, as soon as it has made one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from wimble.model.hints import ComparisonHint, Hint, KeyHint
from wimble.spec.routes.path_hints import METHOD_AND_REST
from wimble.types import Json, TargetId

JOINING_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})


class ComparedOperation(msgspec.Struct, frozen=True):
    """An operation that the program seems to serve: another method of a path, or a text in place of a parameter."""

    method: str
    template: str
    target: TargetId
    """The outcome that a call of it leads to."""


def compared_operations(
    hints: Iterable[Hint], method: str, template: str, sent_path: str
) -> Iterator[ComparedOperation]:
    """Yields what hints of a call tell.

    template: the path of its operation, with parameters as `{name}`. sent_path: the path that was sent.
    """
    for hint in hints:
        for seen, wanted in _pairs(hint):
            if not isinstance(seen, str) or not isinstance(wanted, str):
                continue
            if seen.upper() == method and wanted.upper() in JOINING_METHODS:
                yield ComparedOperation(wanted.upper(), template, hint.target)
                continue
            own, other = METHOD_AND_REST.match(seen), METHOD_AND_REST.match(wanted)
            if own is None or other is None or own[1].upper() != method or other[1].upper() not in JOINING_METHODS:
                continue
            path = _with_text(template, sent_path, own[2], other[2])
            if path:
                yield ComparedOperation(other[1].upper(), path, hint.target)


def _pairs(hint: Hint) -> Iterator[tuple[Json, Json]]:
    """Yields what the program has seen, and what it would have wanted to see."""
    if isinstance(hint, KeyHint):
        yield hint.key, hint.other
    elif isinstance(hint, ComparisonHint) and hint.wanted and hint.operator in ("identical", "equal"):
        yield hint.left, hint.right
        yield hint.right, hint.left


def _with_text(template: str, sent_path: str, own: str, text: str) -> str:
    """Returns the template with a text in place of the parameter that was sent as `own`; empty if there is none."""
    parts, sent = template.strip("/").split("/"), sent_path.strip("/").split("/")
    if len(parts) != len(sent):
        return ""
    for at in reversed(range(len(parts))):
        if sent[at] == own and (parts[at].startswith("{") or own == text):
            parts[at] = text
            return "/" + "/".join(parts)
    return ""
