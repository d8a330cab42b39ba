"""Transformations between one input and one operand: a family per file, and the table that says which are tried where."""

from wimble.feedback.transforms.base import Family
from wimble.feedback.transforms.codings import coded
from wimble.feedback.transforms.dates import date_field, parsed_date
from wimble.feedback.transforms.lengths import length, n_parts
from wimble.feedback.transforms.numbers import (
    arithmetic,
    character_code,
    digit_groups,
    leading_number,
    mixed_units,
    other_base,
    remainder,
    rounded,
    truth_word,
)
from wimble.feedback.transforms.texts import padded, part, whole_text, within_operand
from wimble.feedback.transforms.urls import missing_url_part

ALWAYS: tuple[Family, ...] = (parsed_date, length)
"""Tried even where an input equals the operand."""
OTHERWISE: tuple[Family, ...] = (
    whole_text,
    coded,
    padded,
    within_operand,
    part,
    leading_number,
    other_base,
    rounded,
    truth_word,
    digit_groups,
    mixed_units,
    date_field,
    n_parts,
    missing_url_part,
)
"""Tried where no input equals the operand."""
LAST: tuple[Family, ...] = (arithmetic, character_code, remainder)
"""Tried where nothing else was found: they fit by chance."""

__all__ = ["ALWAYS", "LAST", "OTHERWISE", "Family"]
