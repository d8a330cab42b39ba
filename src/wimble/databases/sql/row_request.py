"""A request for rows that a command would find: the command, the schema and the existing rows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.databases.conditions.stored_values import Value
from wimble.databases.sql.scope import Tables
from wimble.databases.sql.sql_statements import Statement
from wimble.model.database import Database


class RowRequest(msgspec.Struct, frozen=True, eq=False):
    """A request for rows that a command would find."""

    statement: Statement
    database: Database
    tables: Tables
    """The existing rows of all tables that the command names."""
    params: Sequence[Value] = ()
    """The command's parameters, in order."""
    kept_params: frozenset[int] = frozenset()
    """Indexes of the parameters that must not be changed to make the conditions satisfiable."""
