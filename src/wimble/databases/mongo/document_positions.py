"""Where an input stands in a command of MongoDB, and what would be syntax there."""

from __future__ import annotations

from typing import Final

from wimble.databases.injections.probes import HEAD, TAIL, Position, Template
from wimble.databases.injections.sent_texts import positions_in_programs
from wimble.databases.mongo.document_values import plain
from wimble.databases.mongo.filter_conditions import expressions_of, keys_of, operands_of, programs_of
from wimble.databases.mongo.mongo_statements import document_statement
from wimble.model.database import DatabaseCommand
from wimble.model.operands import to_text

OPERATORS: Final[tuple[Template, ...]] = ({"$ne": TAIL}, {"$gt": ""}, {"$ne": None})
EXPRESSIONS: Final[tuple[Template, ...]] = (f"{HEAD}({TAIL}", f"{HEAD}[{TAIL}")
"""Regular expressions that no engine accepts, unless their signs were escaped."""


def positions_in_document(command: DatabaseCommand, value: str) -> list[Position]:
    """Returns the positions of an input: a field that is compared, a regular expression, a literal of a program, or the
    name of a field.
    """
    found: list[Position] = []
    statement = document_statement(command.text, command.params)
    if statement is not None:
        operands = (plain(one) for one in operands_of(statement.condition) if not isinstance(one, (dict, list)))
        if any(one is not None and to_text(one) == value for one in operands):
            found.append(Position("operand", OPERATORS))
        if any(value in one for one in expressions_of(statement.condition)):
            found.append(Position("expression", EXPRESSIONS))
        found += positions_in_programs(value, programs_of(statement.condition))
    if value in keys_of(command.params):
        found.append(Position("name", (f"${HEAD}-{TAIL}",)))
    return found
