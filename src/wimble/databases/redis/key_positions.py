"""Where an input stands in a command of Redis, and what would be syntax there."""

from __future__ import annotations

from typing import Final

from wimble.databases.injections.probes import HEAD, TAIL, Position, Template
from wimble.databases.injections.sent_texts import positions_in_programs
from wimble.model.database import DatabaseCommand

SCRIPTS: Final = frozenset({"EVAL", "EVAL_RO", "SCRIPT"})
"""Commands with a program in Lua as an argument."""
ARRAYS: Final[tuple[Template, ...]] = ([HEAD, TAIL],)
"""An array instead of a value: drivers send its items as arguments of their own."""


def positions_in_keys(command: DatabaseCommand, value: str) -> list[Position]:
    """Returns the positions of an input: a whole argument, or a literal in the text of a script."""
    params = [str(one) for one in command.params]
    found = [Position("argument", ARRAYS)] if value in params else []
    if command.text in SCRIPTS:
        found += positions_in_programs(value, params[:2])
    return found
