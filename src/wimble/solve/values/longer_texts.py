"""The traced text with more beside it: a match where a pattern is to be found in it, or more characters of a loop.

A parameter of a query, or a digit in a password, is added to what is there: a text that is made anew loses all that the
program has computed of the traced one without a condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from wimble.solve.path_conditions import CONSTANT, Expression, Path, Scalar
from wimble.solve.patterns.regex import matching_string

N_MATCHES: Final = 6
MAX_LENGTH: Final = 40
"""Of a text that gets longer."""


def with_more_text(path: Path) -> Iterator[dict[str, Scalar]]:
    """Yields values for the asked condition with an input that begins or ends with the traced one."""
    asked = path.nodes[path.without_negation(path.entries[-1].node)]
    if asked.value is not False:
        return
    makers = {"test": _with_matches, "<": _longer}
    if asked.op in makers:
        yield from ({**path.inputs(), place: made} for place, made in makers[asked.op](path, asked))


def _with_matches(path: Path, asked: Expression) -> Iterator[tuple[str, str]]:
    text, source, flags = (path.nodes[arg] for arg in asked.args[:3])
    if not text.place or not isinstance(text.value, str):
        return
    matches = (matching_string(str(source.value), str(flags.value), Random(seed)) for seed in range(N_MATCHES))
    for match in dict.fromkeys(filter(None, matches)):
        yield from ((text.place, made) for made in (text.value + match, match + text.value))


def _longer(path: Path, asked: Expression) -> Iterator[tuple[str, str]]:
    """Yields a text with more of its last character, since a loop is likely to take that once more."""
    number, length = (path.nodes[arg] for arg in asked.args)
    text = path.nodes[length.args[0]] if length.op == "length" else number
    if number.op != CONSTANT or not isinstance(number.value, int) or not text.place or not isinstance(text.value, str):
        return
    n_added = number.value + 1 - len(text.value)
    if text.value and n_added > 0 and number.value < MAX_LENGTH:
        yield text.place, text.value + n_added * text.value[-1]
