"""Transformations between one input and one operand.

There is a file for each group of families, and a table that says when each family is tried.
"""

from __future__ import annotations

from functools import lru_cache, partial

import msgspec

from wimble.feedback.input_to_state.transforms.codings import coded
from wimble.feedback.input_to_state.transforms.date_transforms import date_field, date_fields, parsed_date
from wimble.feedback.input_to_state.transforms.lengths import length, n_parts
from wimble.feedback.input_to_state.transforms.number_transforms import (
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
from wimble.feedback.input_to_state.transforms.text_transforms import padded, part, whole_text, within_operand
from wimble.feedback.input_to_state.transforms.transform import Family
from wimble.feedback.input_to_state.transforms.url_parts import missing_url_part
from wimble.runtimes.value_semantics import ValueSemantics


class Families(msgspec.Struct, frozen=True):
    """The families of transformations, bound to the value semantics of one language."""

    always: tuple[Family, ...]
    """Tried even if an input equals the operand."""
    otherwise: tuple[Family, ...]
    """Tried if no input equals the operand."""
    last: tuple[Family, ...]
    """Tried if nothing else was found, since they often fit by chance."""


@lru_cache(maxsize=8)
def families_of(values: ValueSemantics) -> Families:
    """Returns the families for SUTs of one language."""
    return Families(
        always=(parsed_date, partial(length, text_length=values.text_length)),
        otherwise=(
            whole_text,
            partial(coded, text_of=values.to_text),
            partial(padded, text_of=values.to_text),
            partial(within_operand, text_of=values.to_text),
            part,
            leading_number,
            other_base,
            rounded,
            truth_word,
            digit_groups,
            mixed_units,
            partial(date_field, fields=date_fields(values.weekday, values.first_weekday)),
            n_parts,
            missing_url_part,
        ),
        last=(arithmetic, character_code, remainder),
    )


__all__ = ["Families", "Family", "families_of"]
