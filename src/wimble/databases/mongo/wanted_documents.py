"""Derives a document that a filter would find from a filter that found nothing.

Each operator of a field yields candidate values. The field gets the first candidate that satisfies all its operators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

import msgspec

from wimble.databases.mongo.aggregation_expressions import COMPARISONS
from wimble.databases.mongo.document_values import MISSING, ObjectId, Regex, Value
from wimble.databases.mongo.matching import document_truth, is_operators
from wimble.databases.mongo.unsupported import Unsupported
from wimble.solve.patterns.regex import matching_string

_OPPOSITES = {
    "$eq": "$ne", "$ne": "$eq", "$gt": "$lte", "$gte": "$lt", "$lt": "$gte", "$lte": "$gt", "$in": "$nin",
    "$nin": "$in",
}  # fmt: skip
_MIRRORED = {"$gt": "$lt", "$gte": "$lte", "$lt": "$gt", "$lte": "$gte"}
_SAMPLES: dict[Value, Value] = {
    "string": "a", 2: "a", "int": 1, 16: 1, "long": 1, 18: 1, "double": 1.5, 1: 1.5, "number": 1, "bool": True,
    8: True, "object": {}, 3: {}, "array": [], 4: [], "date": datetime(2024, 1, 1), 9: datetime(2024, 1, 1),
    "null": None, 10: None, "objectId": ObjectId("0" * 23 + "1"),
}  # fmt: skip
_OTHERS = ("a", 1, True, datetime(2024, 1, 1))


class Wish(msgspec.Struct):
    """The value that a field should hold."""

    value: Value
    operand: Value = None
    """The operand of the command that is equal to the value; None if there is none."""
    parts: dict[str, Wish] = {}
    """For a list with one document: the wishes for the fields of this document, by path."""


class PlannedDocument(msgspec.Struct):
    """The fields that a document needs so that a filter finds it."""

    wishes: dict[str, Wish]
    """The wished values by path. MISSING: the field should be absent."""
    mentioned: tuple[str, ...]
    """Fields that must be present, whatever their value."""


class _Asked(NamedTuple):
    operator: str
    operand: Value
    beside: Value


def planned_document(condition: Value, rng: Random) -> PlannedDocument | None:
    """Returns the plan of a document that meets the condition; None if none can be derived."""
    planner = _Planner(rng)
    try:
        planner.ask(condition, is_wanted=True)
        return planner.planned()
    except (Unsupported, AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError):
        return None


class _Planner:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._asked: dict[str, list[_Asked]] = {}

    # -- collecting the conditions of each field ----------------------------------------------------------------------

    def ask(self, condition: Value, *, is_wanted: bool) -> None:
        """Records what each field needs so that the condition is true (`is_wanted`) or false. Raises: Unsupported."""
        parts = list(condition.items())
        if not is_wanted and len(parts) > 1:  # one false part makes the conjunction false
            parts = [self._rng.choice(parts)]
        for name, operand in parts:
            if name in ("$and", "$or", "$nor"):
                self._ask_combined(name, operand, is_wanted)
            elif name == "$expr":
                self._ask_expression(operand, is_wanted)
            elif name.startswith("$") and name != "$comment":
                raise Unsupported(name)
            elif name != "$comment":
                self._ask_field(name, operand, is_wanted)

    def _ask_combined(self, name: str, conditions: Value, is_wanted: bool) -> None:
        inner_wanted = is_wanted != (name == "$nor")
        needs_all = (name == "$and") == inner_wanted
        for one in conditions if needs_all else [self._rng.choice(conditions)]:
            self.ask(one, is_wanted=inner_wanted)

    def _ask_field(self, path: str, wanted: Value, is_wanted: bool) -> None:
        operators = wanted if is_operators(wanted) else {"$eq": wanted}
        for name, operand in operators.items():
            if name != "$options":
                self._note(path, name, operand, operators, is_wanted)

    def _note(self, path: str, name: str, operand: Value, beside: Value, is_wanted: bool) -> None:
        asked = self._asked.setdefault(path, [])
        if name == "$not":
            inner = operand if is_operators(operand) else {"$eq": operand}
            for one, value in inner.items():
                if one != "$options":
                    self._note(path, one, value, inner, not is_wanted)
        elif is_wanted:
            asked.append(_Asked(name, operand, beside))
        elif name in _OPPOSITES:
            asked.append(_Asked(_OPPOSITES[name], operand, {}))
        elif name == "$exists":
            asked.append(_Asked("$exists", not operand, {}))
        else:
            asked.append(_Asked("$not", {name: operand, **_options(beside)}, {}))

    def _ask_expression(self, expression: Value, is_wanted: bool) -> None:
        if not isinstance(expression, dict) or len(expression) != 1:
            raise Unsupported("$expr")
        ((name, operands),) = expression.items()
        if name in ("$and", "$or"):
            needs_all = (name == "$and") == is_wanted
            for one in operands if needs_all else [self._rng.choice(operands)]:
                self._ask_expression(one, is_wanted)
            return
        if name == "$not":
            self._ask_expression(operands[0] if isinstance(operands, list) else operands, not is_wanted)
            return
        if name not in COMPARISONS or len(operands) != 2:
            raise Unsupported(name)
        self._ask_compared(name if is_wanted else _OPPOSITES[name], *operands)

    def _ask_compared(self, name: str, left: Value, right: Value) -> None:
        if _is_path(left) and _is_path(right):
            # The right field gets a fixed value, and the left one is placed relative to it.
            anchor = 100
            self._ask_field(right[1:], {"$eq": anchor}, True)
            right = anchor
        if _is_path(left):
            self._ask_field(left[1:], {name: right}, True)
        elif _is_path(right):
            self._ask_field(right[1:], {_MIRRORED.get(name, name): left}, True)
        else:
            raise Unsupported("$expr")

    # -- values that meet the conditions ------------------------------------------------------------------------------

    def planned(self) -> PlannedDocument | None:
        wishes: dict[str, Wish] = {}
        mentioned = []
        for path, asked in self._asked.items():
            if all(one == _Asked("$exists", True, one.beside) for one in asked):
                mentioned.append(path)
                continue
            wish = self._wish(asked)
            if wish is None:
                return None
            wishes[path] = wish
        return PlannedDocument(wishes, tuple(mentioned))

    def _wish(self, asked: list[_Asked]) -> Wish | None:
        together = [{one.operator: one.operand, **_options(one.beside)} for one in asked]
        for wish in [*self._between(asked), *(wish for one in asked for wish in self._candidates(one))]:
            document = {} if wish.value is MISSING else {"field": wish.value}
            if all(document_truth(document, {"field": condition}).value for condition in together):
                return wish
        return None

    def _between(self, asked: list[_Asked]) -> list[Wish]:
        """Returns the values halfway between two bounds, if the field has two."""
        low = next((one.operand for one in asked if one.operator in ("$gt", "$gte")), None)
        high = next((one.operand for one in asked if one.operator in ("$lt", "$lte")), None)
        if isinstance(low, datetime) and isinstance(high, datetime):
            return [Wish(low + (high - low) / 2)]
        if isinstance(low, (int, float)) and isinstance(high, (int, float)):
            middle = (low + high) / 2
            return [Wish(int(middle)), Wish(middle)]
        return []

    def _candidates(self, asked: _Asked) -> Iterator[Wish]:
        """Yields values that may meet one operator. Raises: Unsupported."""
        name, _, beside = asked
        rule = _CANDIDATES.get(name)
        if rule is None:
            raise Unsupported(str(name))
        yield from rule(self, asked)
        if isinstance(beside, dict) and "$size" in beside and name in ("$eq", "$in"):
            yield Wish([asked.operand] * beside["$size"])

    def _equal(self, asked: _Asked) -> Iterator[Wish]:
        operand = asked.operand
        if isinstance(operand, Regex):
            yield from self._matching(operand.pattern, operand.options)
        else:
            yield Wish(operand, operand)

    def _one_of(self, asked: _Asked) -> Iterator[Wish]:
        for one in self._rng.sample(asked.operand, len(asked.operand)):
            yield from self._candidates(_Asked("$eq", one, {}))

    def _ordered(self, asked: _Asked) -> Iterator[Wish]:
        name, operand, _ = asked
        if name in ("$gte", "$lte"):
            yield Wish(operand, operand)
        yield Wish(_moved(operand, 1 if name in ("$gt", "$gte") else -1))

    def _by_pattern(self, asked: _Asked) -> Iterator[Wish]:
        operand = asked.operand
        pattern, options = (operand.pattern, operand.options) if isinstance(operand, Regex) else (operand, "")
        yield from self._matching(pattern, asked.beside.get("$options", options))

    def _existing(self, asked: _Asked) -> Iterator[Wish]:
        yield from (Wish(one) for one in (_OTHERS if asked.operand else (MISSING,)))

    def _of_type(self, asked: _Asked) -> Iterator[Wish]:
        yield from (Wish(_SAMPLES[one]) for one in _listed(asked.operand) if one in _SAMPLES)

    def _with_all(self, asked: _Asked) -> Iterator[Wish]:
        yield Wish([element for one in _listed(asked.operand) for element in self._elements(one)])

    def _of_size(self, asked: _Asked) -> Iterator[Wish]:
        yield Wish(["a"] * asked.operand)

    def _with_element(self, asked: _Asked) -> Iterator[Wish]:
        yield self._list_with(asked.operand)

    def _with_remainder(self, asked: _Asked) -> Iterator[Wish]:
        divisor, remainder = asked.operand[0], asked.operand[1]
        yield Wish(remainder)
        yield Wish(remainder + divisor)

    def _unequal(self, asked: _Asked) -> Iterator[Wish]:
        yield from self._others(asked.operand)

    def _matching(self, pattern: str, options: str) -> Iterator[Wish]:
        flags = "".join(letter for letter in options if letter in "ims")
        for _ in range(3):
            text = matching_string(pattern, flags, self._rng)
            if text is not None:
                yield Wish(text)

    def _others(self, operand: Value) -> Iterator[Wish]:
        """Yields values that differ from the excluded ones, first those of the same type."""
        for one in _listed(operand):
            if isinstance(one, (bool, int, float, str, datetime, ObjectId)):
                yield Wish(_moved(one, 1))
        yield from (Wish(one) for one in (*_OTHERS, MISSING))

    def _elements(self, wanted: Value) -> list[Value]:
        """Returns the elements that a list needs for one operand of `$all`. Raises: Unsupported."""
        if isinstance(wanted, dict) and "$elemMatch" in wanted:
            elements: list[Value] = self._list_with(wanted["$elemMatch"]).value
            return elements
        return [wanted]

    def _list_with(self, condition: Value) -> Wish:
        """Returns a list with one element. Raises: Unsupported."""
        is_plain = is_operators(condition) and not any(name in ("$and", "$or", "$nor") for name in condition)
        planned = planned_document({"element": condition} if is_plain else condition, self._rng)
        if planned is None:
            raise Unsupported("$elemMatch")
        document = document_with({path: wish.value for path, wish in planned.wishes.items()})
        return Wish([document.get("element")]) if is_plain else Wish([document], parts=planned.wishes)


_CANDIDATES: Final[dict[str, Callable[[_Planner, _Asked], Iterator[Wish]]]] = {
    "$eq": _Planner._equal,
    "$in": _Planner._one_of,
    **dict.fromkeys(("$gt", "$gte", "$lt", "$lte"), _Planner._ordered),
    "$regex": _Planner._by_pattern,
    "$exists": _Planner._existing,
    "$type": _Planner._of_type,
    "$all": _Planner._with_all,
    "$size": _Planner._of_size,
    "$elemMatch": _Planner._with_element,
    "$mod": _Planner._with_remainder,
    **dict.fromkeys(("$ne", "$nin", "$not"), _Planner._unequal),
}
"""Operator -> the generator of values that may meet it, the likeliest first."""


def document_with(values: dict[str, Value]) -> dict[str, Value]:
    """Returns a document with these values at these dotted paths. Each part of a path, also a number, is a key."""
    document: dict[str, Value] = {}
    for path, value in values.items():
        if value is MISSING:
            continue
        inner, parts = document, path.split(".")
        for part in parts[:-1]:
            inner = inner.setdefault(part, {})
        inner[parts[-1]] = value
    return document


def _options(beside: Value) -> dict[str, Value]:
    return {"$options": beside["$options"]} if isinstance(beside, dict) and "$options" in beside else {}


def _listed(operand: Value) -> list[Value]:
    return operand if isinstance(operand, list) else [operand]


def _is_path(operand: Value) -> bool:
    return isinstance(operand, str) and operand.startswith("$") and not operand.startswith("$$")


def _moved(value: Value, step: int) -> Value:
    """Returns the next value above or below. Raises: Unsupported."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + step
    if isinstance(value, datetime):
        return value + timedelta(days=step)
    if isinstance(value, str):
        return value + "a" if step > 0 else value[:-1]
    if isinstance(value, ObjectId):
        return ObjectId(f"{(int(value.hex, 16) + step) % 2**96:024x}")
    raise Unsupported(type(value).__name__)
