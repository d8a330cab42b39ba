"""Small id types and JSON aliases that all layers share. Imports nothing else of wimble."""

from __future__ import annotations

from typing import Any, Final, NewType, TypeAlias

TargetId = NewType("TargetId", int)
"""Dense id of a target within one session, counted from 0 in order of first registration."""

OperationId = NewType("OperationId", str)
"""Verb and path template, such as `GET /books/{id}`; unique within one specification."""

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict of such."""


class Absent:
    """The type of `ABSENT`, the value of an optional input that a test case leaves out."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent()
