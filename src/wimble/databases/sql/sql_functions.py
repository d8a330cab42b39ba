"""Compiles functions of texts, numbers and dates, by the parser's node types.

A function that is missing here makes a command unsupported.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlglot import exp

from wimble.databases.conditions.stored_values import EPOCH, Value, from_ms, number_of, shifted, text_of, to_time
from wimble.databases.sql.compiling import Compiler, Valued, ValueRule
from wimble.databases.sql.expressions import cast, interval_of
from wimble.databases.sql.scope import NOW, Scope, Unsupported


def _of_parts(*names: str, compute: Callable[..., Value], is_strict: bool = True) -> ValueRule:
    """Returns the rule for a function of these parts of the node; absent parts are left out.

    is_strict: whether the function returns NULL if an argument is NULL.
    """

    def rule(compiler: Compiler, node: exp.Expr) -> Valued:
        parts = [compiler.value(part) for name in names if isinstance(part := node.args.get(name), exp.Expr)]

        def evaluate(scope: Scope) -> Value:
            values = [part(scope) for part in parts]
            if is_strict and any(value is None for value in values):
                return None
            try:
                return compute(*values)
            except (TypeError, ValueError, OverflowError, IndexError):
                return None

        return evaluate

    return rule


def _of_list(compute: Callable[[list[Value]], Value], *, with_this: bool) -> ValueRule:
    """Returns the rule for a function of any number of values. with_this: whether the node's `this` is the first."""

    def rule(compiler: Compiler, node: exp.Expr) -> Valued:
        nodes = [node.this, *node.expressions] if with_this else node.expressions
        parts = [compiler.value(part) for part in nodes]

        def evaluate(scope: Scope) -> Value:
            return compute([part(scope) for part in parts])

        return evaluate

    return rule


def _first_known(values: list[Value]) -> Value:
    return next((value for value in values if value is not None), None)


def _concatenated(values: list[Value]) -> Value:
    return "".join(text_of(value) or "" for value in values)


def _extreme(choose: Callable[..., Value]) -> Callable[[list[Value]], Value]:
    def compute(values: list[Value]) -> Value:
        known = [value for value in values if value is not None]
        try:
            return choose(known, default=None)
        except TypeError:
            return None

    return compute


def _text(convert: Callable[[str], Value]) -> Callable[[Value], Value]:
    return lambda value: convert(text_of(value) or "")


def _substring(text: Value, start: Value = 1, length: Value = None) -> Value:
    whole, first = text_of(text) or "", int(start)
    if first < 0:
        first = len(whole) + first + 1
    end = len(whole) + 1 if length is None else first + int(length)
    return whole[max(first, 1) - 1 : max(end - 1, 0)]


def _trimmed(compiler: Compiler, node: exp.Expr) -> Valued:
    inner = compiler.arg(node, "this")
    given = node.args.get("expression")
    characters = compiler.value(given) if isinstance(given, exp.Expr) else None
    strip = {"LEADING": str.lstrip, "TRAILING": str.rstrip}.get(node.text("position").upper(), str.strip)

    def evaluate(scope: Scope) -> Value:
        text = text_of(inner(scope))
        return None if text is None else strip(text, text_of(characters(scope)) if characters else " ")

    return evaluate


def _rounded(number: Value, digits: Value = 0) -> Value:
    value = number_of(number)
    if value is None:
        return None
    scale = 10 ** int(digits)
    return math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)


def _numeric(compute: Callable[[float], float]) -> Callable[[Value], Value]:
    def of_number(value: Value) -> Value:
        number = number_of(value)
        return None if number is None else compute(number)

    return of_number


# -- dates --------------------------------------------------------------------------------------------------------


def moment_of(value: Value) -> datetime | None:
    """Returns the value as a time, with NOW for `now` (SQLite); None if it is not a time."""
    if value == "now":
        return NOW
    return to_time(value) if isinstance(value, str) else value if isinstance(value, datetime) else None


def _extracted(compiler: Compiler, node: exp.Expr) -> Valued:
    unit, inner = node.this.name.upper(), compiler.arg(node, "expression")
    return lambda scope: date_part(unit, moment_of(inner(scope)))


def _part(unit: str) -> ValueRule:
    return _of_parts("this", compute=lambda value: date_part(unit, moment_of(value)))


def date_part(unit: str, moment: datetime | None) -> Value:
    """Returns a part of a time, such as its YEAR or EPOCH; None for no time. Raises: Unsupported, for unknown units."""
    if moment is None:
        return None
    match unit.rstrip("S"):
        case "YEAR" | "MONTH" | "DAY" | "HOUR" | "MINUTE" | "SECOND":
            return getattr(moment, unit.rstrip("S").lower())
        case "EPOCH":
            return (moment - EPOCH).total_seconds()
        case "DOW" | "DAYOFWEEK":
            return moment.isoweekday() % 7
        case "QUARTER":
            return (moment.month + 2) // 3
    raise Unsupported(f"unit {unit}")


def _truncated(compiler: Compiler, node: exp.Expr) -> Valued:
    unit, inner = node.text("unit").upper(), compiler.arg(node, "this")
    fields = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
    if unit not in fields:
        raise Unsupported(f"unit {unit}")
    kept = fields.index(unit) + 1

    def evaluate(scope: Scope) -> Value:
        moment = moment_of(inner(scope))
        if moment is None:
            return None
        parts = [moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second]
        filled = [*parts[:kept], *(1, 1, 1, 0, 0, 0)[kept:]]
        return datetime(filled[0], filled[1], filled[2], filled[3], filled[4], filled[5])

    return evaluate


def _moved(sign: int) -> ValueRule:
    """Returns the rule for `DATE_ADD(moment, INTERVAL 1 DAY)` (sign 1) or `DATE_SUB` (sign -1).

    The parser returns the interval's amount and unit as separate nodes.
    """

    def rule(compiler: Compiler, node: exp.Expr) -> Valued:
        inner = compiler.arg(node, "this")
        amount = node.args.get("expression")
        if not isinstance(amount, exp.Expr):
            raise Unsupported("interval")
        if not isinstance(amount, exp.Interval):
            amount = exp.Interval(this=amount.copy(), unit=node.args.get("unit"))
        interval = compiler.value(amount)

        def evaluate(scope: Scope) -> Value:
            moment, span = moment_of(inner(scope)), interval(scope)
            return shifted(moment, sign * span) if moment is not None and isinstance(span, timedelta) else None

        return evaluate

    return rule


def _day(compiler: Compiler, node: exp.Expr) -> Valued:
    """Compiles `DATE(moment)`, which is a text in SQLite."""
    inner, is_text = compiler.arg(node, "this"), compiler.dialect == "sqlite"

    def evaluate(scope: Scope) -> Value:
        day = cast(moment_of(inner(scope)), "date")
        return text_of(day) if is_text else day

    return evaluate


def _days_between(left: Value, right: Value) -> Value:
    one, other = moment_of(left), moment_of(right)
    return None if one is None or other is None else (one - other).days


# -- functions without a node type in the parser ------------------------------------------------------------------


def _sqlite_time(shape: Callable[[datetime], str]) -> Callable[..., Value]:
    def compute(value: Value = "now", *modifiers: Value) -> Value:
        moment = moment_of(value)
        if isinstance(value, (int, float)) and "unixepoch" in modifiers:
            moment = from_ms(value * 1000)
        for modifier in modifiers:
            if moment is None or modifier in ("unixepoch", "utc", "localtime", "auto"):
                continue
            span = interval_of(str(modifier).lstrip("+"), "")
            if span is None:
                raise Unsupported(f"modifier {modifier}")
            moment = shifted(moment, span)
        return None if moment is None else shape(moment)

    return compute


def _strftime(pattern: Value, *rest: Value) -> Value:
    text = str(pattern).replace("%f", "%S.000").replace("%s", str(0))
    return _sqlite_time(lambda moment: moment.strftime(text))(*rest)


_ANONYMOUS: dict[str, Callable[..., Value]] = {
    "NOW": lambda *precision: NOW,
    "DATE": _sqlite_time(lambda moment: moment.date().isoformat()),
    "TIME": _sqlite_time(lambda moment: moment.strftime("%H:%M:%S")),
    "DATETIME": _sqlite_time(lambda moment: moment.strftime("%Y-%m-%d %H:%M:%S")),
    "STRFTIME": _strftime,
    "UNIXEPOCH": _sqlite_time(lambda moment: str(int((moment - EPOCH).total_seconds()))),
    "INSTR": lambda text, part: (text_of(text) or "").find(text_of(part) or "") + 1,
    "LTRIM": lambda text: (text_of(text) or "").lstrip(" "),
    "RTRIM": lambda text: (text_of(text) or "").rstrip(" "),
}


def _anonymous(compiler: Compiler, node: exp.Expr) -> Valued:
    compute = _ANONYMOUS.get(str(node.this).upper())
    if compute is None:
        raise Unsupported(f"function {node.this}")
    known, parts = compute, [compiler.value(part) for part in node.expressions]

    def evaluate(scope: Scope) -> Value:
        values = [part(scope) for part in parts]
        return None if any(value is None for value in values) else known(*values)

    return evaluate


FUNCTIONS: dict[type[exp.Expr], ValueRule] = {
    exp.Coalesce: _of_list(_first_known, with_this=True),
    exp.Concat: _of_list(_concatenated, with_this=False),
    exp.Greatest: _of_list(_extreme(max), with_this=True),
    exp.Least: _of_list(_extreme(min), with_this=True),
    exp.Nullif: _of_parts("this", "expression", compute=lambda a, b: None if a == b else a, is_strict=False),
    exp.Lower: _of_parts("this", compute=_text(str.lower)),
    exp.Upper: _of_parts("this", compute=_text(str.upper)),
    exp.Length: _of_parts("this", compute=_text(len)),
    exp.Initcap: _of_parts("this", compute=_text(str.title)),
    exp.Reverse: _of_parts("this", compute=_text(lambda text: text[::-1])),
    exp.Trim: _trimmed,
    exp.Left: _of_parts("this", "expression", compute=lambda text, n: (text_of(text) or "")[: int(n)]),
    exp.Right: _of_parts("this", "expression", compute=lambda text, n: (text_of(text) or "")[-int(n) :] if n else ""),
    exp.Replace: _of_parts(
        "this", "expression", "replacement", compute=lambda t, a, b="": (text_of(t) or "").replace(a, b)
    ),
    exp.Substring: _of_parts("this", "start", "length", compute=_substring),
    exp.StrPosition: _of_parts("this", "substr", compute=lambda text, part: (text_of(text) or "").find(str(part)) + 1),
    exp.Abs: _of_parts("this", compute=_numeric(abs)),
    exp.Ceil: _of_parts("this", compute=_numeric(math.ceil)),
    exp.Floor: _of_parts("this", compute=_numeric(math.floor)),
    exp.Sqrt: _of_parts("this", compute=_numeric(math.sqrt)),
    exp.Sign: _of_parts("this", compute=_numeric(lambda number: (number > 0) - (number < 0))),
    exp.Round: _of_parts("this", "decimals", compute=_rounded),
    exp.Date: _day,
    exp.TsOrDsToDate: _day,
    exp.TsOrDsToTimestamp: _of_parts("this", compute=moment_of),
    exp.StrToTime: _of_parts("this", compute=moment_of),
    exp.Extract: _extracted,
    exp.Year: _part("YEAR"),
    exp.Month: _part("MONTH"),
    exp.Day: _part("DAY"),
    exp.DayOfMonth: _part("DAY"),
    exp.TimestampTrunc: _truncated,
    exp.DateTrunc: _truncated,
    exp.DateAdd: _moved(1),
    exp.DateSub: _moved(-1),
    exp.DateDiff: _of_parts("this", "expression", compute=_days_between),
    exp.Anonymous: _anonymous,
}
