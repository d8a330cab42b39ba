"""Finds the path parameters whose values are keys of what a program does: of a table of functions or of collections,
or the cases of a `switch`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import quote, unquote

import msgspec

from wimble.model.hints import ComparisonHint, Hint, TableHint
from wimble.model.targets import TargetTable
from wimble.types import TargetId

MIN_CASES: Final = 2
"""Number of cases of a `switch` that hints have to name: one alone is what an input is compared with."""

_KEY: Final = re.compile(r"[A-Za-z_$][\w.$:@-]{0,99}")
"""What names a function or a collection: no number, no id."""
_LONG_ID: Final = re.compile(r"[0-9a-f-]{16,}|.*\d{5,}.*", re.IGNORECASE)
_NAME_OF_THING: Final = re.compile(
    r"(?:.*(?:[_-]|(?<=[a-z])(?=[A-Z])))?(?:ids?|uuid|guid|key|code|slug|user|user_?name|login|email|owner|author)",
    re.IGNORECASE,
)
"""Names of parameters that stand for a thing: a list that is looked up with one belongs to that thing."""


class KeyedSegment(msgspec.Struct, frozen=True):
    """A parameter that makes up a whole segment of a path, and the keys that the program knows for it."""

    path: str
    """The path up to the parameter, with it."""
    keys: tuple[str, ...]
    target: TargetId
    """The outcome that the look-up leads to."""
    found: str = ""
    """The key that was looked up, if it is one of them: then the program may look it up by chance, whatever is sent."""

    def is_of(self, path: str) -> bool:
        """Whether a path has the parameter at the same place."""
        return path == self.path or path.startswith(f"{self.path}/")


def keyed_segments(hints: Iterable[Hint], template: str, sent_path: str, table: TargetTable) -> Iterator[KeyedSegment]:
    """Yields what hints of a call tell.

    template: the path of its operation, with parameters as `{name}`. sent_path: the path that was sent.
    """
    for asked, keys, target, is_of_things in _looked_up(hints, table):
        path = _path_up_to(template, sent_path, asked)
        name = path.rpartition("/")[2].strip("{}")
        usable = tuple(key for key in keys if _KEY.fullmatch(key) and not _LONG_ID.fullmatch(key))
        if path and usable and not (is_of_things and _NAME_OF_THING.fullmatch(name)):
            yield KeyedSegment(path, usable, target, asked if asked in keys else "")


def with_key(path: str, segment: KeyedSegment, key: str) -> str:
    """Returns a path that has the parameter, with a key in its place."""
    return f"{segment.path.rpartition('/')[0]}/{quote(key, safe='$:@')}{path[len(segment.path) :]}"


_LookUp = tuple[str, tuple[str, ...], TargetId, bool]
"""What was looked up, the keys that exist, where, and whether those may be of things."""


def _looked_up(hints: Iterable[Hint], table: TargetTable) -> Iterator[_LookUp]:
    hints = list(hints)
    yield from _in_tables([one for one in hints if isinstance(one, TableHint) and one.holds != "things"])
    yield from _in_switches([one for one in hints if isinstance(one, ComparisonHint)], table)


def _in_tables(hints: Sequence[TableHint]) -> Iterator[_LookUp]:
    times = Counter(hint.target for hint in hints)
    for one in hints:
        if times[one.target] == 1 or one.key not in one.keys:  # else a loop over the keys
            yield one.key, one.keys, one.target, one.holds == "lists"


def _in_switches(hints: Sequence[ComparisonHint], table: TargetTable) -> Iterator[_LookUp]:
    cases: dict[tuple[str, str], list[ComparisonHint]] = {}
    for hint in hints:
        if hint.operator == "identical" and hint.wanted and isinstance(hint.left, str) and isinstance(hint.right, str):
            target = table[hint.target]
            if target.kind == "case":
                cases.setdefault((target.file, hint.left), []).append(hint)
    for (_, asked), found in cases.items():
        if len(found) >= MIN_CASES:
            yield asked, tuple(str(hint.right) for hint in found), found[0].target, False


def _path_up_to(template: str, sent_path: str, asked: str) -> str:
    """Returns the path up to the one parameter that was sent with this text; empty if there is none, or if another
    segment of the path is the text as well, for that may be the one that the program looks up.
    """
    parts, sent = template.rstrip("/").split("/"), sent_path.rstrip("/").split("/")
    if len(parts) != len(sent):
        return ""
    places = [at for at, text in enumerate(sent) if unquote(text).casefold() == asked.casefold()]
    if len(places) != 1 or not _is_parameter(parts[places[0]]):
        return ""
    return "/".join(parts[: places[0] + 1])


def _is_parameter(part: str) -> bool:
    return part.startswith("{") and part.endswith("}")
