"""The sources of a query's rows: tables, sub-queries and common table expressions, with their joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from sqlglot import exp

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.conditions.truth import UNKNOWN, Truth, all_of
from wimble.databases.conditions.value_distance import equal
from wimble.databases.sql.compiling import Compiler, Judged
from wimble.databases.sql.scope import Scope, Unsupported

MAX_COMBINATIONS = 4_000
"""The largest number of combinations of rows that are evaluated (60 rows joined with 60, for example). The limit
affects distances only, since the driver reports what a query really found."""

Condition: TypeAlias = Judged


class Source(msgspec.Struct, frozen=True):
    """A member of FROM, with the conditions of its join. A left join adds a row of NULLs if no row matches."""

    alias: str
    rows: Callable[[Scope], Sequence[Cells]]
    conditions: tuple[Condition, ...] = ()
    is_left: bool = False


def compile_sources(compiler: Compiler, node: exp.Expr) -> tuple[Source, ...]:
    """Compiles FROM and JOINs of a SELECT, or the table, FROM or USING, and JOINs of an UPDATE or DELETE."""
    first = node.args.get("from_")
    members: list[exp.Expr] = []
    if isinstance(node, (exp.Update, exp.Delete)):
        members.append(node.this)
        members += node.args.get("using") or ()
    if isinstance(first, exp.From):
        members.append(first.this)
    sources: list[Source] = []
    for member in members:
        sources += [_member(compiler, member), *_joined(compiler, member)]
    sources += _joined(compiler, node)
    return _turned(sources, node)


def _joined(compiler: Compiler, node: exp.Expr) -> list[Source]:
    return [_join(compiler, join) for join in node.args.get("joins") or ()]


def _turned(sources: list[Source], node: exp.Expr) -> tuple[Source, ...]:
    """Replaces `a RIGHT JOIN b` by `b LEFT JOIN a`. Raises: Unsupported, for other outer joins than LEFT."""
    sides = [join.side.upper() for join in node.args.get("joins") or ()]
    if "FULL" in sides or ("RIGHT" in sides and len(sources) != 2):
        raise Unsupported("outer join")
    if sides == ["RIGHT"]:
        left, right = sources
        return (
            msgspec.structs.replace(right, conditions=(), is_left=False),
            msgspec.structs.replace(left, conditions=right.conditions, is_left=True),
        )
    return tuple(sources)


def _member(compiler: Compiler, node: exp.Expr) -> Source:
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        name, schema = node.name.lower(), node.text("db").lower()
        return Source(node.alias_or_name.lower(), lambda scope: scope.table(name, schema))
    if isinstance(node, exp.Subquery):
        query = compiler.query(node.this)
        alias = node.args.get("alias")
        names = [column.name.lower() for column in alias.args.get("columns") or ()] if alias is not None else []

        def rows(scope: Scope) -> Sequence[Cells]:
            found = query.rows(scope)
            return [dict(zip(names, row.values(), strict=False)) for row in found] if names else found

        return Source(node.alias.lower(), rows)
    raise Unsupported(f"from {type(node).__name__}")


def _join(compiler: Compiler, join: exp.Join) -> Source:
    member = _member(compiler, join.this)
    conditions: list[Condition] = []
    on, using = join.args.get("on"), join.args.get("using")
    if isinstance(on, exp.Expr):
        conditions = conjuncts(compiler, on)
    elif using:
        conditions = [_shared_column(member.alias, column.name.lower()) for column in using]
    elif join.method == "NATURAL":
        conditions = [lambda scope: _natural(scope, member.alias)]
    return msgspec.structs.replace(member, conditions=tuple(conditions), is_left=join.side.upper() == "LEFT")


def conjuncts(compiler: Compiler, node: exp.Expr) -> list[Condition]:
    """Compiles the members of a chain of ANDs.

    A member that is not understood has an unknown truth, so that the others still contribute to the distance.
    """
    inner = node.unnest()
    if isinstance(inner, exp.And):
        return [*conjuncts(compiler, inner.this), *conjuncts(compiler, inner.expression)]
    try:
        return [compiler.truth(node)]
    except Unsupported:
        return [not_understood]


def not_understood(scope: Scope) -> Truth:
    """Returns UNKNOWN: replaces a condition that is not understood."""
    return UNKNOWN


def _shared_column(alias: str, column: str) -> Condition:
    def judge(scope: Scope) -> Truth:
        others = [row[column] for name, row in scope.aliases.items() if name != alias and column in row]
        if not others:
            raise Unsupported(f"column {column}")
        return equal(scope.column(column, alias), others[-1])

    return judge


def _natural(scope: Scope, alias: str) -> Truth:
    own = scope.aliases[alias]
    return all_of(
        [
            equal(own[column], row[column])
            for name, row in scope.aliases.items()
            if name != alias
            for column in row
            if column in own
        ]
    )


def iter_matches(sources: Sequence[Source], scope: Scope) -> Iterator[Scope]:
    """Yields the combinations of rows that meet the conditions of all joins.

    Ends after MAX_COMBINATIONS evaluated rows.
    """
    seen = 0

    def below(index: int, current: Scope) -> Iterator[Scope]:
        nonlocal seen
        if index == len(sources):
            yield current
            return
        source = sources[index]
        has_match = False
        for row in source.rows(current):
            seen += 1
            if seen > MAX_COMBINATIONS:
                return
            extended = current.with_alias(source.alias, row)
            if all(condition(extended).value for condition in source.conditions):
                has_match = True
                yield from below(index + 1, extended)
        if source.is_left and not has_match:
            yield from below(index + 1, current.with_alias(source.alias, _Nulls()))

    yield from below(0, scope)


def least_distance(sources: Sequence[Source], conditions: Sequence[Condition], scope: Scope) -> float:
    """Returns the mean distance of all conditions, of joins and others, for the nearest combination of rows.

    1 if there is none.

    Evaluates at most MAX_COMBINATIONS rows, the last rows of each table first, since a plan adds its rows there and
    these are often nearest. A combination is evaluated only until its distance reaches the least one so far.
    """
    n_conditions = sum(len(source.conditions) for source in sources) + len(conditions)
    least = float(n_conditions)
    seen = 0

    def below(index: int, current: Scope, total: float) -> None:
        nonlocal least, seen
        if index == len(sources):
            least = min(least, _total(conditions, current, total, least))
            return
        source = sources[index]
        has_match = False
        for row in reversed(source.rows(current)):
            seen += 1
            if seen > MAX_COMBINATIONS:
                return
            extended = current.with_alias(source.alias, row)
            is_match, joined = _join_distance(source, extended, total, least)
            has_match = has_match or is_match
            if joined < least:
                below(index + 1, extended, joined)
        if source.is_left and not has_match:
            below(index + 1, current.with_alias(source.alias, _Nulls()), total)

    if n_conditions:
        below(0, scope, 0.0)
    return least / n_conditions if n_conditions else 1.0


def _total(conditions: Sequence[Condition], scope: Scope, total: float, least: float) -> float:
    """Returns `total` plus the distances of the conditions; stops adding when the sum reaches `least`."""
    for condition in conditions:
        total += condition(scope).to_true
        if total >= least:
            break
    return total


def _join_distance(source: Source, scope: Scope, total: float, least: float) -> tuple[bool, float]:
    """Returns whether a row meets the conditions of its join, and `total` plus their distances.

    Stops when the sum reaches `least`, except for an outer join, which needs to know whether any row matches.
    """
    is_match = True
    for condition in source.conditions:
        truth = condition(scope)
        total += truth.to_true
        is_match = is_match and truth.value is True
        if total >= least and not source.is_left:
            break
    return is_match, total


class _Nulls(dict[str, None]):
    """The row that an outer join adds if no row matches: every column is NULL."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> None:
        return None
