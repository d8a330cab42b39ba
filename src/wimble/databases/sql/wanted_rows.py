"""Plans rows that a command would find, for a command that found none.

Values for simple conditions are constructed: comparisons with constants, joins, lists, patterns, sub-queries. Other
conditions (an inequality of two columns, a CASE) are left to `hill_climb.py`, which starts from the constructed values.
"""

from __future__ import annotations

from functools import partial
from random import Random

from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, parsed_json
from wimble.databases.conditions.value_distance import equal, ordered
from wimble.databases.sql.inverting import Wish, beside, inverted, matching_like
from wimble.databases.sql.row_plan import Cell, Plan
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.scope import Scope, Unsupported
from wimble.databases.sql.select import shows_existence
from wimble.databases.sql.sql_statements import new_compiler
from wimble.model.database import Dialect
from wimble.solve.patterns.regex import matching_string

MAX_ROWS = 12
"""The largest number of rows of a plan; a test with more rows would be too large."""
_OPPOSITES = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=", exp.NullSafeEQ: "=",
    exp.NullSafeNEQ: "<>",
}  # fmt: skip


class _Derived:
    """A sub-query in FROM, or a common table expression: its frame, and the expressions of its columns."""

    def __init__(self, frame: _Frame, columns: dict[str, exp.Expr]) -> None:
        self.frame = frame
        self.columns = columns


class _Frame:
    """The members of a query's FROM by alias: indexes of planned rows, or derived tables."""

    def __init__(self, outer: _Frame | None) -> None:
        self.outer = outer
        self.members: dict[str, int | _Derived] = {}
        self.common: dict[str, exp.Expr] = dict(outer.common) if outer is not None else {}


def planned_rows(request: RowRequest, rng: Random) -> Plan | None:
    """Returns rows with the values that the command's conditions determine; None if a table is unknown or a view."""
    planner = _Planner(request, rng)
    try:
        planner.query(request.statement.tree, None)
    except Unsupported:
        return None
    return planner.plan if planner.plan.rows else None


class _Planner:
    def __init__(self, request: RowRequest, rng: Random) -> None:
        self.plan = Plan()
        self._database = request.database
        self._dialect: Dialect = request.database.dialect
        self._scope = Scope(request.tables, request.params)
        self._compiler = new_compiler(self._dialect)
        self._rng = rng

    # -- queries --------------------------------------------------------------------------------------------------

    def query(self, node: exp.Expr, outer: _Frame | None) -> _Frame:
        """Plans a row for each table of the query, with values that its conditions ask for. Raises: Unsupported."""
        inner = node.unnest()
        if isinstance(inner, exp.Union):
            return self.query(inner.this, outer)
        frame = _Frame(outer)
        given = inner.args.get("with_")
        for cte in given.expressions if given is not None else ():
            frame.common[cte.alias.lower()] = cte.this
        conditions = self._members(inner, frame)
        where, having = inner.args.get("where"), inner.args.get("having")
        if where is not None:
            conditions.append(where.this)
        if having is not None:
            conditions.append(having.this)
        if shows_existence(inner):
            conditions.append(inner.expressions[0].unalias())
        for condition in conditions:
            self.want(condition, frame, True)
            self.plan.conditions.append((condition, partial(self._cell, frame=frame)))
        return frame

    def _members(self, node: exp.Expr, frame: _Frame) -> list[exp.Expr]:
        """Adds the tables to the frame. Returns the conditions of the joins."""
        first = node.args.get("from_")
        members: list[exp.Expr] = []
        if isinstance(node, (exp.Update, exp.Delete)):
            members = [node.this, *(node.args.get("using") or ())]
        if isinstance(first, exp.From):
            members.append(first.this)
        joins = [join for member in (*members, node) for join in member.args.get("joins") or ()]
        for member in members:
            self._member(member, frame)
        conditions: list[exp.Expr] = []
        for join in joins:
            earlier = list(frame.members)
            self._member(join.this, frame)
            if isinstance(join.args.get("on"), exp.Expr):
                conditions.append(join.args["on"])
            for column in join.args.get("using") or ():
                conditions += [
                    exp.EQ(
                        this=exp.column(column.name, alias), expression=exp.column(column.name, join.this.alias_or_name)
                    )
                    for alias in earlier[:1]
                ]
        return conditions

    def _member(self, node: exp.Expr, frame: _Frame) -> None:
        alias = node.alias_or_name.lower()
        if isinstance(node, exp.Subquery):
            frame.members[alias] = self._derived(node.this, frame)
            return
        name, schema = node.name.lower(), node.text("db").lower()
        if not schema and name in frame.common:
            frame.members[alias] = self._derived(frame.common[name], frame)
            return
        table = self._database.table_called(name, schema)
        if table is None or table.is_view or len(self.plan.rows) >= MAX_ROWS:
            raise Unsupported(f"rows of {name}")
        frame.members[alias] = self.plan.add(table)

    def _derived(self, node: exp.Expr, frame: _Frame) -> _Derived:
        inner = self.query(node, frame)
        select = node.unnest()
        while isinstance(select, exp.SetOperation):
            select = select.this.unnest()
        return _Derived(inner, {one.alias_or_name.lower(): one.unalias() for one in select.expressions})

    # -- conditions -----------------------------------------------------------------------------------------------

    def want(self, node: exp.Expr, frame: _Frame, wanted: bool) -> bool:
        """Plans values with which a condition has the truth value `wanted`; returns False if none are known."""
        inner = node.unnest()
        if isinstance(inner, exp.Not):
            return self.want(inner.this, frame, not wanted)
        if isinstance(inner, (exp.And, exp.Or)):
            sides = (inner.this, inner.expression)
            if isinstance(inner, exp.And) == wanted:
                are_known = [self.want(side, frame, wanted) for side in sides]
                return all(are_known)
            return any(self.want(side, frame, wanted) for side in sides)
        if inner.args.get("negate"):
            wanted = not wanted
        if type(inner) in _OPERATORS:
            operator = _OPERATORS[type(inner)]
            return self._compare(operator if wanted else _OPPOSITES[operator], inner, frame)
        return self._want_other(inner, frame, wanted)

    def _want_other(self, node: exp.Expr, frame: _Frame, wanted: bool) -> bool:
        match node:
            case exp.Exists():
                return self._want_exists(node.this, frame) if wanted else True
            case exp.In():
                return (
                    self._want_in(node, frame)
                    if wanted
                    else self._assign(node.this, "<>", self._first_listed(node), frame)
                )
            case exp.Between():
                end = node.args["low"] if wanted else node.args["high"]
                return self._assign(node.this, ">=" if wanted else ">", self._constant(end), frame)
            case exp.Is():
                return self._want_is(node, frame, wanted)
            case exp.Like() | exp.ILike() | exp.Escape() | exp.Glob():
                return self._want_pattern(node, frame) if wanted else True
            case exp.RegexpLike() | exp.RegexpILike() | exp.SimilarTo():
                return self._want_regex(node, frame) if wanted else True
            case exp.ArrayContainsAll():
                value = self._constant(node.expression)
                return wanted and self._assign(
                    node.this, "=", parsed_json(value) if isinstance(value, str) else value, frame
                )
            case exp.JSONBContainsTopKey():
                return wanted and self._assign(node.this, "=", {str(self._constant(node.expression)): 1}, frame)
            case exp.Column():
                return self._assign(node, "=", wanted, frame)
        return False

    def _compare(self, operator: str, node: exp.Expr, frame: _Frame) -> bool:
        left, right = node.this, node.expression
        quantified = right.unnest()
        if isinstance(quantified, (exp.Any, exp.All)):
            return operator == "=" and self._want_any(left, quantified.this.unnest(), frame)
        for side in (left, right):
            # Here, the sub-query only gets one row. Hill climbing and copies of rows adjust its value.
            if isinstance(side.unnest(), (exp.Select, exp.SetOperation)):
                return self._want_exists(side.unnest(), frame)
        if _has_columns(left) and _has_columns(right):
            return operator == "=" and self._link(left, right, frame)
        if _has_columns(right):
            left, right, operator = right, left, _MIRRORED[operator]
        return self._assign(left, operator, self._constant(right), frame)

    def _want_any(self, left: exp.Expr, values: exp.Expr, frame: _Frame) -> bool:
        if isinstance(values, (exp.Select, exp.SetOperation)):
            return self._want_member_of(left, values, frame)
        listed = self._constant(values)
        listed = parsed_json(listed) if isinstance(listed, str) else listed
        return self._assign(left, "=", listed[0], frame) if isinstance(listed, list) and listed else False

    def _want_in(self, node: exp.Expr, frame: _Frame) -> bool:
        query = node.args.get("query")
        if isinstance(query, exp.Expr):
            return self._want_member_of(node.this, query, frame)
        if isinstance(node.this.unnest(), exp.Tuple):
            rows = [one.unnest() for one in node.expressions if isinstance(one.unnest(), exp.Tuple)]
            pairs = zip(node.this.unnest().expressions, rows[0].expressions, strict=False) if rows else ()
            are_known = [self._assign(left, "=", self._constant(right), frame) for left, right in pairs]
            return all(are_known)
        return self._assign(node.this, "=", self._first_listed(node), frame)

    def _first_listed(self, node: exp.Expr) -> Value:
        values = [self._constant(part) for part in node.expressions]
        if len(values) == 1 and isinstance(values[0], list):
            values = values[0]
        return next((value for value in values if value is not None), None)

    def _want_member_of(self, left: exp.Expr, query: exp.Expr, frame: _Frame) -> bool:
        inner = self.query(query, frame)
        select = query.unnest()
        ours = self._cell(left, frame)
        if not isinstance(select, exp.Select) or not select.expressions or ours is None:
            return False
        theirs = self._cell(select.expressions[0].unalias(), inner)
        if theirs is None:
            return False
        self.plan.link(theirs, ours)
        return True

    def _want_exists(self, query: exp.Expr, frame: _Frame) -> bool:
        self.query(query, frame)
        return True

    def _want_is(self, node: exp.Expr, frame: _Frame, wanted: bool) -> bool:
        if isinstance(node.expression, exp.Null):
            # A column without a planned value gets a sampled one later if a condition mentions it.
            return self._assign(node.this, "=", None, frame) if wanted else True
        if isinstance(node.expression, exp.Boolean):
            return self.want(node.this, frame, bool(node.expression.this) == wanted)
        return self._compare("=" if wanted else "<>", node, frame)

    def _want_pattern(self, node: exp.Expr, frame: _Frame) -> bool:
        escape: str | None = None if self._dialect == "sqlite" else "\\"
        if isinstance(node, exp.Escape):
            node, escape = node.this, node.expression.name or None
        pattern = self._constant(node.expression)
        if not isinstance(pattern, str):
            return False
        if isinstance(node, exp.Glob):
            pattern, escape = pattern.replace("*", "%").replace("?", "_"), None
        return self._assign(node.this, "=", matching_like(pattern, escape), frame)

    def _want_regex(self, node: exp.Expr, frame: _Frame) -> bool:
        pattern = self._constant(node.expression)
        if not isinstance(pattern, str):
            return False
        if isinstance(node, exp.SimilarTo):
            pattern = "^(" + pattern.replace("%", ".*").replace("_", ".") + ")$"
        value = matching_string(pattern, "", self._rng)
        return value is not None and self._assign(node.this, "=", value, frame)

    # -- cells ----------------------------------------------------------------------------------------------------

    def _constant(self, node: exp.Expr) -> Value:
        """Returns the value of an expression without columns; None if it depends on rows or is not understood."""
        try:
            return self._compiler.value(node)(self._scope)
        except (Unsupported, ArithmeticError, TypeError, ValueError):
            return None

    def _assign(self, node: exp.Expr, operator: str, value: Value, frame: _Frame) -> bool:
        if value is None and operator != "=":
            return False
        wanted = beside(operator, value)
        wish = inverted(node, wanted, self._constant)
        cell = self._cell(wish.column, frame) if wish is not None else None
        if wish is None or cell is None:
            return False
        if wish.path:
            self.plan.put(cell, _with_path(self.plan.value(cell), wish.path, wish.value))
            return True
        if self.plan.has(cell) and wish.is_same and _holds(operator, self.plan.value(cell), value):
            return True
        self.plan.put(cell, wish.value, value if wish.is_same and wanted == value else None)
        return True

    def _link(self, left: exp.Expr, right: exp.Expr, frame: _Frame) -> bool:
        one, other = self._cell(left, frame), self._cell(right, frame)
        if one is None or other is None:
            return False
        self.plan.link(one, other)
        return True

    def _cell(self, node: exp.Expr, frame: _Frame | None) -> Cell | None:
        """Returns the cell of a column, or of the column in an expression that can be inverted; None for others."""
        wish: Wish | None = inverted(node, None, self._constant)
        if wish is None or wish.path:
            return None
        name, alias = wish.column.name.lower(), wish.column.text("table").lower()
        while frame is not None:
            for member_alias, member in frame.members.items():
                if alias in ("", member_alias):
                    cell = self._cell_in(member, name)
                    if cell is not None:
                        return cell
            frame = frame.outer
        return None

    def _cell_in(self, member: int | _Derived, name: str) -> Cell | None:
        if isinstance(member, int):
            columns = self.plan.rows[member].table.columns
            return (member, name) if any(column.name.lower() == name for column in columns) else None
        inner = member.columns.get(name)
        if inner is not None:
            return self._cell(inner, member.frame)
        return self._cell(exp.column(name), member.frame) if "*" in member.columns else None


def _has_columns(node: exp.Expr) -> bool:
    return node.find(exp.Column) is not None


def _holds(operator: str, value: Value, limit: Value) -> bool:
    if operator == "=":
        return equal(value, limit).value is True
    if operator == "<>":
        return equal(value, limit).value is False
    return ordered(operator, value, limit).value is True


def _with_path(value: Value, path: tuple[str | int, ...], leaf: Value) -> Value:
    """Returns the JSON value with `leaf` at a path; missing objects are created."""
    if not path:
        return leaf
    if isinstance(path[0], int):
        return [_with_path(None, path[1:], leaf)]
    owner = dict(value) if isinstance(value, dict) else {}
    owner[path[0]] = _with_path(owner.get(path[0]), path[1:], leaf)
    return owner
