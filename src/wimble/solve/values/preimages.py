"""Other texts with the same parts: what a program removes before it looks at a text may be put back.

A number of a card is compared without its blanks, but a condition on the length counts them; a title is compared in
small letters, but must not be written so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from wimble.solve.path_conditions import CONSTANT, Path, Scalar
from wimble.solve.patterns.regex import matching_string

MAX_ADDED: Final = 8
MAX_REMOVED: Final = 4
"""Different texts that are put back."""
MAX_INSERTED: Final = 3
"""The length of a text that is put back."""
GROUPS: Final = (2, 3, 4)
"""Characters between two that are put back."""
_CASES: Final = frozenset(("toLowerCase", "toUpperCase"))


def preimages(path: Path, values: Mapping[str, Scalar]) -> Iterator[dict[str, Scalar]]:
    """Yields values that a program may see in the same way, if it removes parts of texts or changes their case."""
    involved = sorted(path.reachable([entry.node for entry in path.entries]))
    removed = list(dict.fromkeys(text for index in involved for text in _removed_by(path, index)))[:MAX_REMOVED]
    has_cases = any(path.nodes[index].op in _CASES for index in involved)
    for place, value in values.items():
        if not isinstance(value, str) or not value:
            continue
        if has_cases:
            yield from ({**values, place: changed} for changed in (value.upper(), value.lower(), value.capitalize()))
        for text in removed:
            yield from ({**values, place: changed} for changed in _with_inserted(value, text))


def _removed_by(path: Path, index: int) -> Iterator[str]:
    """Yields what the operation of a node removes from a text."""
    node = path.nodes[index]
    rest = [path.nodes[arg].value for arg in node.args[1:] if path.nodes[arg].op == CONSTANT]
    if node.op.startswith("trim"):
        yield " "
    elif node.op in ("replace", "replaceAll") and len(rest) == 2 and rest[1] == "":
        yield from _short(str(rest[0]))
    elif node.op == "replaceMatches" and len(rest) == 3 and rest[2] == "":
        for seed in range(2):
            yield from _short(matching_string(str(rest[0]), str(rest[1]), Random(seed)) or "")


def _short(text: str) -> list[str]:
    return [text] if 0 < len(text) <= MAX_INSERTED else []


def _with_inserted(text: str, added: str) -> Iterator[str]:
    for size in GROUPS:
        yield added.join(text[at : at + size] for at in range(0, len(text), size))
    for count in range(1, MAX_ADDED + 1):
        yield text + count * added
        yield count * added + text
        yield text[:1] + count * added + text[1:]
