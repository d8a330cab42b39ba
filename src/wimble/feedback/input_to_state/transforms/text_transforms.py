"""Text to text: case, trimming, characters removed or replaced, padding, reversal, normal forms, templates, parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from wimble.feedback.input_to_state.transforms.transform import (
    CHANGED_COST,
    GUESS_COST,
    MIN_PART_LENGTH,
    MIN_TEMPLATE_LENGTH,
    NOTHING,
    PART_COST,
    TEMPLATE_COST,
    Inverse,
    Nothing,
    Step,
    checked,
    identity,
    text_inverse,
)
from wimble.model.operands import DateValue, Operand, to_text
from wimble.types import ABSENT, Json

MAX_POSITIONS = 3
"""Number of positions that are tried for an operand of one character."""
_WHOLE_TEXT: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("reversed", lambda text: text[::-1]),
    ("normalised", lambda text: unicodedata.normalize("NFC", text)),
    ("normalised", lambda text: unicodedata.normalize("NFD", text)),
    ("normalised", lambda text: unicodedata.normalize("NFKC", text)),
    ("normalised", lambda text: unicodedata.normalize("NFKD", text)),
    ("without accents", lambda text: "".join(filter(str.isascii, unicodedata.normalize("NFD", text)))),
    ("its letters and digits", lambda text: "".join(filter(str.isalnum, text))),
    ("its digits", lambda text: re.sub(r"\D", "", text, flags=re.ASCII)),
    ("its letters", lambda text: re.sub(r"[^A-Za-z]", "", text)),
    ("without spaces", lambda text: "".join(text.split())),
    ("single spaces", lambda text: " ".join(text.split())),
    ("as a slug", lambda text: re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")),
)
"""Transformations that usually leave a wanted text unchanged; `reversed` is its own inverse."""


def case_inverse(own: str, operand: str) -> Inverse:
    """Returns an inverse that gives the wanted text itself, if the observed change of case leaves it unchanged."""
    is_lower = operand == operand.lower() and own != own.lower()
    is_upper = operand == operand.upper() and own != own.upper()

    def inverse(wanted: Operand) -> Json | Nothing:
        if not isinstance(wanted, str):
            return identity(wanted)
        if (is_lower and wanted != wanted.lower()) or (is_upper and wanted != wanted.upper()):
            return NOTHING
        return wanted

    return inverse


def template_inverse(before: str, after: str) -> Inverse:
    """Returns the inverse of a template: what stands between `before` and `after` in the wanted text."""

    def inverse(wanted: Operand) -> Json | Nothing:
        if not isinstance(wanted, str) or len(wanted) < len(before) + len(after):
            return NOTHING
        if not wanted.startswith(before) or not wanted.endswith(after):
            return NOTHING
        return wanted[len(before) : len(wanted) - len(after)]

    return inverse


def part_inverse(before: str, after: str) -> Inverse:
    """Returns the inverse of taking a part: the wanted text between `before` and `after`."""

    def inverse(wanted: Operand) -> Json | Nothing:
        if wanted is ABSENT or wanted is None or isinstance(wanted, DateValue):
            return NOTHING
        return before + to_text(wanted) + after

    return inverse


def whole_text(own: Json, operand: Operand) -> Iterator[Step]:
    """The operand is the input after one change of its whole text."""
    if not isinstance(own, str) or not isinstance(operand, str) or not operand or own == operand:
        return
    for how, change in _WHOLE_TEXT:
        if change(own) == operand:
            yield Step(CHANGED_COST, how, checked(change, change if how == "reversed" else _unchanged))
            return
    yield from _characters_changed(own, operand)


def _unchanged(text: str) -> str:
    return text


def _characters_changed(own: str, operand: str) -> Iterator[Step]:
    """`replace(/-/g, "")`, `replaceAll("_", " ")`: punctuation is removed or replaced, letters and digits are kept."""
    removed = {char for char in own if not char.isalnum()} - set(operand)
    if removed and _kept(own, removed) == operand:
        yield Step(CHANGED_COST, "without some characters", checked(lambda text: _kept(text, removed)))
    elif len(own) == len(operand):
        exchanged = {mine: other for mine, other in zip(own, operand, strict=True) if mine != other}
        if 0 < len(exchanged) <= 2 and not any(char.isalnum() for char in exchanged):
            table = str.maketrans(exchanged)
            if own.translate(table) == operand:
                yield Step(CHANGED_COST, "characters exchanged", checked(lambda text: text.translate(table)))


def _kept(text: str, removed: set[str]) -> str:
    return "".join(char for char in text if char not in removed)


def padded(own: Json, operand: Operand, *, text_of: Callable[[Json], str]) -> Iterator[Step]:
    """`padStart`, `padEnd`: the operand is the input with padding."""
    if not isinstance(operand, str) or isinstance(own, bool) or own is None:
        return
    text = text_of(own)
    missing = len(operand) - len(text)
    if missing <= 0 or not text:
        return
    length = len(operand)
    if operand.endswith(text) and len(set(operand[:missing])) == 1:
        yield Step(TEMPLATE_COST, "padded in front", text_inverse(_unpadded(length, operand[0], is_start=True)))
    elif operand.startswith(text) and len(set(operand[len(text) :])) == 1:
        yield Step(TEMPLATE_COST, "padded behind", text_inverse(_unpadded(length, operand[-1], is_start=False)))


def _unpadded(length: int, filling: str, *, is_start: bool) -> Callable[[str], str | None]:
    def convert(wanted: str) -> str | None:
        if len(wanted) > length:
            return wanted
        stripped = wanted.lstrip(filling) if is_start else wanted.rstrip(filling)
        return stripped if len(wanted) == length else None

    return convert


def within_operand(own: Json, operand: Operand, *, text_of: Callable[[Json], str]) -> Iterator[Step]:
    """A template: the operand is the input between fixed texts."""
    if not isinstance(operand, str):
        return
    text = text_of(own)
    if len(text) >= MIN_TEMPLATE_LENGTH and len(text) < len(operand):
        at = operand.lower().find(text.lower())
        if at >= 0:
            around = (operand[:at], operand[at + len(text) :])
            yield Step(TEMPLATE_COST, "within the operand", template_inverse(*around))


def part(own: Json, operand: Operand) -> Iterator[Step]:
    """`split`, `slice`, `charAt`: the operand is a part of the input."""
    if not isinstance(own, str) or not isinstance(operand, str) or not 0 < len(operand) < len(own):
        return
    for cost, at in _part_positions(own, operand):
        yield Step(cost, "a part of it", part_inverse(own[:at], own[at + len(operand) :]))


def _part_positions(own: str, operand: str) -> Iterator[tuple[int, int]]:
    """Yields where the operand occurs in the input, with the cost; a single character may occur anywhere."""
    folded, sought = own.lower(), operand.lower()
    if len(operand) >= MIN_PART_LENGTH:
        at = folded.find(sought)
        if at >= 0:
            yield PART_COST, at
        return
    bounded = re.search(rf"(?<![^\W_]){re.escape(sought)}(?![^\W_])", folded)
    if bounded:
        yield PART_COST, bounded.start()
    positions = [at for at, char in enumerate(folded) if char == sought and not (bounded and at == bounded.start())]
    for at in positions[:MAX_POSITIONS]:
        yield GUESS_COST, at
