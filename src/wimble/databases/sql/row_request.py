"""What rows are asked for: a command, the schema and the rows that are there."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.databases.sql.scope import Tables
from wimble.databases.sql.sql_statements import Statement
from wimble.databases.sql.sql_values import Value
from wimble.model.database import Database


class RowRequest(msgspec.Struct, frozen=True, eq=False):
    """Asks for rows that a command would find."""

    statement: Statement
    database: Database
    tables: Tables
    """The rows that are there, of all tables that the command names."""
    params: Sequence[Value] = ()
    """The command's parameters, in order."""
    kept_params: frozenset[int] = frozenset()
    """Indexes of parameters that have to stay as they are, though rows were easier to find with others."""
