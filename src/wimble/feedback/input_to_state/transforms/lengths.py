"""Counts: the length of a text, the length of its trimmed form, and the number of parts after splitting it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wimble.feedback.input_to_state.transforms.transform import LENGTH_COST, NOTHING, PART_COST, Inverse, Nothing, Step
from wimble.model.operands import Operand, is_number
from wimble.types import Json

MAX_WANTED_LENGTH = 5_000
"""Maximum number of characters: a longer string costs more than it finds."""
MAX_WANTED_PARTS = 200
_SEPARATORS = (",", ";", " ", "/", "|", "-", ".", "\n", ":", "&")


def length(own: Json, operand: Operand, *, text_length: Callable[[str], int]) -> Iterator[Step]:
    """The operand is the length of the input, or of the trimmed input."""
    if not isinstance(own, str) or not is_number(operand):
        return
    if text_length(own) == operand:
        yield Step(LENGTH_COST, "its length", length_inverse(own))
    elif text_length(own.strip()) == operand:
        yield Step(LENGTH_COST, "its length when trimmed", length_inverse(own.strip()))


def n_parts(own: Json, operand: Operand) -> Iterator[Step]:
    """`text.split(",").length`, if the text contains the separator already."""
    if not isinstance(own, str) or not is_number(operand):
        return
    for separator in _SEPARATORS:
        if separator in own and own.count(separator) + 1 == operand:
            yield Step(PART_COST, "how many parts it has", _parts_inverse(own, separator))
            return


def length_inverse(text: str) -> Inverse:
    """Returns an inverse that cuts or repeats the text to a wanted length."""

    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted != int(wanted) or not 0 <= wanted <= MAX_WANTED_LENGTH:
            return NOTHING
        if wanted <= len(text):
            return text[: int(wanted)]
        # The text is repeated, since it meets the same validators.
        filling = text if text.isascii() and text else "a"
        return (text + filling * int(wanted))[: int(wanted)]

    return inverse


def _parts_inverse(text: str, separator: str) -> Inverse:
    parts = text.split(separator)

    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted != int(wanted) or not 1 <= wanted <= MAX_WANTED_PARTS:
            return NOTHING
        filled = parts + [parts[-1] or "a"] * int(wanted)
        return separator.join(filled[: int(wanted)])

    return inverse
