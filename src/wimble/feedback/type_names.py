"""`typeof x === "string"`: both operands are names of types, so the input behind is one whose value has that type now.

An input takes another type where its gene can (left out, null, another shape of a choice), and anywhere in a JSON body. A query parameter that
is sent twice is a list for most programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.feedback.lists import listed
from wimble.feedback.sites import Site
from wimble.genes import Gene
from wimble.genes.marks import mark
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import ABSENT, Absent, Json

TYPE_NAMES = frozenset(("undefined", "object", "string", "number", "boolean", "function", "symbol", "bigint"))
MAX_SITES = 4
"""Inputs tried: any input of that type may be the one."""


def type_of(value: Json | Absent) -> str:
    """JavaScript's `typeof`."""
    if value is ABSENT:
        return "undefined"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "object"


def retyped(
    sites: list[Site], test_case: TestCase, actual: str, expected: str, wanted: bool, rng: Random
) -> Iterator[tuple[tuple[GeneAddress, Gene], str]]:
    """Edits with which some input of type `actual` gets type `expected` (or, not wanted, another one), and why."""
    candidates = [site for site in sites if site.is_free() and type_of(site.value) == actual]
    for site in rng.sample(candidates, min(len(candidates), MAX_SITES)):
        values: tuple[Json | Absent, ...] = (ABSENT, None, mark(rng), 1, True, {})
        for value in values:
            name = type_of(value)
            if name == actual or (name == expected) is not wanted:
                continue
            place = site.put(value)
            if place is not None and type_of(place[1].phenotype()) == name:
                yield place, f"typeof may become {name}"
                break
        if actual == "string" and not site.is_json and (expected == "object") is wanted:
            twice = listed(site, test_case, rng)
            if twice is not None:
                yield twice, "typeof may become object, sent twice"
