"""Files with tables: programs that import them parse a text of several lines, and read its columns by name.

A learnt file is tried once as a table with made-up columns. An object that a program makes of a row holds the values
of that row, by which it is recognised; a member that it lacks is a column that the program wants.
"""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from wimble.genes import StringGene
from wimble.genes.taint_markers import made_up_name, taint_marker
from wimble.genes.text_table import TextTableGene
from wimble.genes.undeclared import FileGene, FileTraitGene
from wimble.model.hints import InputHint
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call
from wimble.search.learned.held_values import files_sent

N_ROWS: Final = 2
TYPE: Final = "text/csv"


def as_table(one: LearnedInput, rng: Random) -> LearnedInput:
    """Returns a learnt file whose content is a table with a made-up column."""
    table = TextTableGene((made_up_name(rng),), tuple(StringGene(taint_marker(rng)) for _ in range(N_ROWS)))
    return msgspec.structs.replace(one, template=_file(one.path[-1], table))


def with_column_read(call: Call, hint: InputHint, rng: Random) -> LearnedInput | None:
    """Returns the file of the call from a row of which the program has read a column that is not there, with the
    column; None if the hint is about something else.
    """
    if not hint.path or hint.path[0].isdigit() or not isinstance(hint.held, dict) or not hint.held:
        return None
    for name, file in files_sent(call):
        table = file.content
        if isinstance(table, TextTableGene) and hint.path[0] not in table.columns and _holds_row(hint.held, table):
            wider = table.with_column(hint.path[0], StringGene(taint_marker(rng)))
            return LearnedInput(location="file", path=(name,), template=_file(name, wider))
    return None


def _holds_row(held: dict[str, object], table: TextTableGene) -> bool:
    """Whether an object has members of the names of columns, with values of the table."""
    values = [cell.phenotype() for cell in table.cells]
    return any(name in table.columns and value in values for name, value in held.items() if isinstance(value, str))


def _file(name: str, table: TextTableGene) -> FileGene:
    return FileGene(table, FileTraitGene(TYPE), FileTraitGene(f"{name}.csv", is_name=True))
