"""Compiles commands, with a cache by text, to the tables that they read and their distances from finding rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec
from sqlglot import exp

from wimble.databases.conditions.stored_values import Value
from wimble.databases.conditions.truth import Truth
from wimble.databases.sql.aggregates import AGGREGATES, is_aggregate
from wimble.databases.sql.compiling import Compiler, Query
from wimble.databases.sql.expressions import EXPRESSIONS
from wimble.databases.sql.parsing import conjuncts, parse
from wimble.databases.sql.predicates import PREDICATES
from wimble.databases.sql.scope import Scope, Tables, Unsupported
from wimble.databases.sql.select import compile_query, shows_existence
from wimble.databases.sql.sql_functions import FUNCTIONS
from wimble.model.database import Dialect

VALUES = {**EXPRESSIONS, **FUNCTIONS, **AGGREGATES}


class Statement(msgspec.Struct, frozen=True, eq=False):
    """A command that looks for rows: SELECT, UPDATE, DELETE."""

    tree: exp.Expr
    tables: tuple[tuple[str, str], ...]
    """(name, schema or empty) of all tables that the command reads, also in sub-queries, in lower case."""
    query: Query | None
    """None if a part of the command is not understood."""
    is_read: bool
    """Whether the command only reads."""
    is_count: bool
    """Whether the command returns a row even if it finds none: an aggregate without groups, or `SELECT EXISTS`."""

    def truth(self, tables: Tables, params: Sequence[Value]) -> Truth | None:
        """Returns whether the command finds rows, and the distance to the other outcome; None if that is not known."""
        if self.query is None:
            return None
        try:
            return self.query.returning(Scope(tables, params))
        except (Unsupported, RecursionError, ArithmeticError, TypeError, ValueError, AttributeError):
            return None


def new_compiler(dialect: Dialect) -> Compiler:
    """Returns a compiler with the rules for all known nodes."""
    return Compiler(dialect, VALUES, PREDICATES, compile_query)


@lru_cache(maxsize=2048)
def statement(text: str, dialect: Dialect) -> Statement | None:
    """Returns the compiled command; None if it looks for no rows, or if its text is not understood."""
    tree = parse(text, dialect)
    if not isinstance(tree, (exp.Select, exp.SetOperation, exp.Update, exp.Delete, exp.Subquery)):
        return None
    return statement_of(tree, dialect)


def near_misses(command: Statement, dialect: Dialect) -> Iterator[Statement]:
    """Yields the command with one condition of its WHERE negated, for each of several conditions.

    The rows that such a command finds meet all conditions of the original command but one.
    """
    where = command.tree.args.get("where")
    n_conditions = len(conjuncts(where.this)) if where is not None else 0
    for index in range(n_conditions if n_conditions > 1 else 0):
        tree = command.tree.copy()
        condition = conjuncts(tree.args["where"].this)[index]
        condition.replace(exp.Not(this=exp.Paren(this=condition.copy())))
        yield statement_of(tree, dialect)


def with_literals(command: Statement, new: Mapping[tuple[str, Value], Value], dialect: Dialect) -> Statement:
    """Returns the command with other literals: of the columns (in lower case) and values of `new` that it compares.

    Some libraries write values into the text of a command instead of sending them as parameters.
    """
    if not new or not any(_replacement(one, new) for one in command.tree.find_all(exp.EQ)):
        return command
    tree = command.tree.copy()
    for one in list(tree.find_all(exp.EQ)):
        found = _replacement(one, new)
        if found is not None:
            found[0].replace(found[1])
    return statement_of(tree, dialect)


def _replacement(comparison: exp.EQ, new: Mapping[tuple[str, Value], Value]) -> tuple[exp.Literal, exp.Expr] | None:
    """Returns the literal of a comparison with a column, and the one that takes its place; None if it stays."""
    for column, literal in ((comparison.this, comparison.expression), (comparison.expression, comparison.this)):
        if isinstance(column, exp.Column) and isinstance(literal, exp.Literal):
            value = new.get((column.name.lower(), literal.this if literal.is_string else literal.to_py()))
            if isinstance(value, int | float | str) and not isinstance(value, bool):
                return literal, exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(value)
    return None


def statement_of(tree: exp.Expr, dialect: Dialect) -> Statement:
    """Compiles a syntax tree; the result has no query if a part of the tree is not understood."""
    query: Query | None = None
    try:
        query = new_compiler(dialect).query(tree)
    except (Unsupported, RecursionError, AttributeError, KeyError, TypeError, ValueError):
        query = None
    is_read = tree.find(exp.Update, exp.Delete, exp.Insert) is None
    return Statement(tree, _tables(tree), query, is_read, _is_count(tree))


def _tables(tree: exp.Expr) -> tuple[tuple[str, str], ...]:
    derived = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    found: dict[tuple[str, str], None] = {}
    for table in tree.find_all(exp.Table):
        name, schema = table.name.lower(), table.text("db").lower()
        if name and (schema or name not in derived):
            found[name, schema] = None
    return tuple(found)


def _is_count(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Select) and (
        shows_existence(tree)
        or (
            tree.args.get("group") is None
            and tree.args.get("having") is None
            and any(is_aggregate(one) for one in tree.expressions)
        )
    )
