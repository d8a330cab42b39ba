"""Texts that a program splits, and whose parts it splits again: `9:00-12:30,14:00-18:00`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, NamedTuple

from wimble.genes import StringGene
from wimble.model.hints import SplitHint
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call
from wimble.search.learned.held_values import MIN_TEXT, places

NUMBER_PART: Final = r"(?:-?\d{1,2}|\d{1,3}\.\d)"
WORD_PART: Final = r"(?:[a-z]{2,6}|\d{1,2})"
UNSIGNED_PART: Final = r"\d{1,2}"
"""A number where a separator of the text is a minus sign."""
MAX_PARTS: Final = 3
"""Parts of a text of which the program does not say how many it wants."""
MAX_PARTS_IN_ALL: Final = 100


class Level(NamedTuple):
    """How a text, or each of its parts, is split."""

    separator: str
    n_parts: int
    """0: not known."""


def of_parts(call: Call, hints: Sequence[SplitHint]) -> LearnedInput | None:
    """Returns the input that the program split into parts; None if no input of the call is that text, or has it as a
    part.

    hints: all of the call, in their order, in which outer texts come before their parts: the innermost one counts.
    """
    for number, hint in reversed(list(enumerate(hints))):
        found = _of_parts(call, hint, hints[:number]) if hint.parts else None
        if found is not None:
            return found
    return None


def _of_parts(call: Call, hint: SplitHint, earlier: Sequence[SplitHint]) -> LearnedInput | None:
    text, separator = hint.text, hint.separator
    if not isinstance(text, str) or not isinstance(separator, str) or len(text) < MIN_TEXT:
        return None
    for location, path, value in places(call):
        levels = _levels_above(value, text, earlier) if path and isinstance(value, str) else None
        if levels is not None:
            levels = [*(one for one in levels if one.separator != separator), Level(separator, hint.parts)]
            if prod(level.n_parts or MAX_PARTS for level in levels) > MAX_PARTS_IN_ALL:
                return None
            template = text_of_parts(levels, are_numbers=hint.are_numbers)
            return LearnedInput(location=location, path=path, template=template)
    return None


def _levels_above(value: str, text: str, hints: Sequence[SplitHint]) -> list[Level] | None:
    """Returns how a value is split before the text becomes one of its parts; None if it does not."""
    levels: list[Level] = []
    for hint in hints:
        separator = hint.separator
        is_outer = hint.text == value or not isinstance(hint.text, str)
        if not is_outer or not isinstance(separator, str) or not separator or separator in text:
            continue
        part = next((part for part in value.split(separator) if text in part), None)
        if part is not None and all(separator != level.separator for level in levels):
            levels.append(Level(separator, hint.parts))
            value = part
    return levels if value == text else None


def text_of_parts(levels: Sequence[Level], *, are_numbers: bool) -> StringGene:
    """Returns a gene for texts of so many parts, and parts of parts.

    are_numbers: whether those of the last level are.
    """
    separators = [level.separator for level in levels]
    number = UNSIGNED_PART if "-" in separators or "." in separators else NUMBER_PART
    pattern = number if are_numbers else WORD_PART
    for separator, n_parts in reversed(levels):
        escaped = "".join(letter if letter.isalnum() else f"\\x{ord(letter):02x}" for letter in separator)
        times = f"{{{n_parts - 1}}}" if n_parts else f"{{0,{MAX_PARTS - 1}}}"
        pattern = f"{pattern}(?:{escaped}{pattern}){times}"
    return StringGene(pattern=f"^{pattern}$")
