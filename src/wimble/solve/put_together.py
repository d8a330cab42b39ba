"""Texts that a program puts together, compared with a constant: which part of the constant each of them has to be.

`region + '-' + zone.toLowerCase() === 'eu-west-b'` is one condition over two texts of unknown lengths, which is hard.
As `region === 'eu-west'` and `zone.toLowerCase() === 'b'`, it is two simple ones, and there are few ways to cut a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final

from wimble.solve.path_conditions import CONSTANT, Expression, Path, PathEntry

MAX_CUTS: Final = 8
"""Ways to cut a text that are tried."""
MAX_PIECES: Final = 24
"""Of longer texts, which are mostly put together character by character, the characters are solved for."""
_CHARACTERS: Final = frozenset(("at", "charAt", "fromCharCode"))
_CASES: Final = {"toLowerCase": str.lower, "toUpperCase": str.upper}
_NUMBERS: Final = {"toText": re.compile(r"-?(?:0|[1-9][0-9]{0,14})")}


def cut_apart(path: Path) -> Iterator[Path]:
    """Yields the path with the asked equality as several ones, if it is one of a text that is put together."""
    asked = path.entries[-1]
    test = path.nodes[path.without_negation(asked.node)]
    if test.op != "===" or test.value is not False:
        return
    for whole, other in (test.args, test.args[::-1]):
        wanted = path.nodes[other]
        pieces = [
            piece for piece in _pieces(path, whole) if path.nodes[piece].value != "" or not _is_known(path, piece)
        ]
        n_open = sum(not _is_known(path, piece) for piece in pieces)
        if wanted.op == CONSTANT and isinstance(wanted.value, str) and n_open > 1 and len(pieces) <= MAX_PIECES:
            for texts in islice(_cuts(path, pieces, wanted.value), MAX_CUTS):
                made = _with_equalities(path, list(zip(pieces, texts, strict=True)))
                if made is not None:
                    yield made


def _is_known(path: Path, index: int) -> bool:
    return path.nodes[index].op == CONSTANT


def _pieces(path: Path, index: int) -> list[int]:
    """Returns the texts that a text is put together of, from left to right, without empty constants."""
    node = path.nodes[index]
    if node.op != "concat":
        return [] if _is_known(path, index) and node.value == "" else [index]
    return [piece for arg in node.args for piece in _pieces(path, arg)]


def _cuts(path: Path, pieces: Sequence[int], text: str) -> Iterator[list[str]]:
    """Yields what the pieces may be of a text, the longest first ones before others."""

    @cache
    def ends(at: int, start: int) -> tuple[int, ...]:
        """Returns where a piece may end, so that the rest can be cut, too."""
        if at == len(pieces):
            return ()
        found = range(len(text), start - 1, -1)
        return tuple(end for end in found if _may_be(path, pieces[at], text[start:end]) and is_cut(at + 1, end))

    @cache
    def is_cut(at: int, start: int) -> bool:
        return start == len(text) if at == len(pieces) else bool(ends(at, start))

    def cuts(at: int, start: int) -> Iterator[list[str]]:
        if at == len(pieces):
            yield []
            return
        for end in ends(at, start):
            yield from ([text[start:end], *rest] for rest in cuts(at + 1, end))

    yield from cuts(0, 0)


def _may_be(path: Path, index: int, text: str) -> bool:
    """Whether the operation of a piece can return a text, as far as its form says."""
    node = path.nodes[index]
    if node.op == CONSTANT:
        return node.value == text
    if node.op in _NUMBERS:
        return _NUMBERS[node.op].fullmatch(text) is not None
    change = _CASES.get(node.op)
    if change is not None:
        return text == change(text) and _may_be(path, node.args[0], text)
    return node.op not in _CHARACTERS or len(text) == 1


def _with_equalities(path: Path, pieces: Sequence[tuple[int, str]]) -> Path | None:
    """Returns the path in which each piece has to be a text; the last one that is not yet is asked about."""
    nodes, entries = list(path.nodes), list[PathEntry]()
    site = path.entries[-1].site
    for index, text in pieces:
        node = path.nodes[index]
        if node.op == CONSTANT:
            continue
        is_number = node.op in _NUMBERS
        compared, value = (node.args[0], int(text)) if is_number else (index, text)
        nodes.append(Expression(CONSTANT, (), value))
        nodes.append(Expression("===", (compared, len(nodes) - 1), node.value == text))
        entries.append(PathEntry(site, node.value == text, len(nodes) - 1))
    asked = next((entry for entry in reversed(entries) if not entry.is_taken), None)
    if asked is None:
        return None
    others = [PathEntry(one.site, True, one.node) for one in entries if one is not asked]
    return Path(tuple(nodes), (*path.entries[:-1], *others, asked))
