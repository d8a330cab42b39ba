"""Hints in a short notation: `hint("abc", "===", "x")` for the comparison `"abc" === "x"` in JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wimble.model.hints import (
    UNDEFINED,
    ComparisonHint,
    ComparisonRequirement,
    FormatHint,
    FormatRequirement,
    GroupHint,
    KeyHint,
    LengthRequirement,
    ListHint,
    OperandHint,
    PatternHint,
    PatternRequirement,
    PresenceRequirement,
    Requirement,
    SchemaHint,
    SplitHint,
    SubstringHint,
    SubstringRequirement,
    TruthinessHint,
    TypeRequirement,
)
from wimble.types import Json, TargetId

COMPARISONS = {
    "===": "identical",
    "==": "equal",
    "<": "less",
    "<=": "less-or-equal",
    ">": "greater",
    ">=": "greater-or-equal",
}
PLACES = {"startsWith": "start", "endsWith": "end", "includes": "anywhere"}
_OTHERS: dict[str, Callable[[Json, Json, dict[str, Any]], OperandHint]] = {
    "regex": lambda left, right, more: PatternHint(text=left, source=right, **more),
    "format": lambda left, right, more: FormatHint(value=left, format=right, **more),
    "truthy": lambda left, right, more: TruthinessHint(value=left, **more),
    "key": lambda left, right, more: KeyHint(key=left, other=right, **_without_outcome(more)),
    "split": lambda left, right, more: SplitHint(text=left, separator=right, **_without_outcome(more)),
    "groups": lambda left, right, more: GroupHint(text=left, source=right, **_without_outcome(more)),
    "list": lambda left, right, more: ListHint(value=left, **_without_outcome(more)),
}
OPERATORS = (*COMPARISONS, *PLACES, *_OTHERS)


def hint(left: Json, operator: str, right: Json = None, *, wanted: bool = True, **more: Any) -> OperandHint:
    """more: fields of the hint, such as `flags`; the target is 1, the call 0, unless it says otherwise."""
    more = {"target": TargetId(1), "call": 0, "wanted": wanted, **more}
    if operator in COMPARISONS:
        return ComparisonHint(operator=COMPARISONS[operator], left=left, right=right, **more)
    if operator in PLACES:
        return SubstringHint(place=PLACES[operator], text=left, part=right, **more)
    return _OTHERS[operator](left, right, more)


def _without_outcome(more: dict[str, Any]) -> dict[str, Any]:
    assert more["wanted"]
    return {key: value for key, value in more.items() if key != "wanted"}


def required(path: str, operator: str = "there", right: Json = None, *, target: int = 1, call: int = 0) -> SchemaHint:
    """A member that a schema library found wrong, and what it has to be."""
    return SchemaHint(target=TargetId(target), call=call, path=path, requirement=_requirement(operator, right))


def _requirement(operator: str, right: Json) -> Requirement:
    if operator in COMPARISONS:
        return ComparisonRequirement(COMPARISONS[operator], right)
    if operator in PLACES:
        return SubstringRequirement(PLACES[operator], right)
    kinds: dict[str, Callable[[Any], Requirement]] = {
        "regex": PatternRequirement,
        "format": FormatRequirement,
        "there": lambda _: PresenceRequirement(),
        "length": LengthRequirement,
        "type": TypeRequirement,
    }
    return kinds[operator](right)


__all__ = ["OPERATORS", "UNDEFINED", "hint", "required"]
