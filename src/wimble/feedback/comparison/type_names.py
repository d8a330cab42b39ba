"""Names of types that were compared: edits change the type of an input whose value has the first type now.

An input can take another type if its gene can (left out, null, another shape of a choice), and anywhere in a JSON body.
A query parameter that is sent twice is a list for most programs. A text that holds JSON has the type of what it holds,
too, for a program that parses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from wimble.feedback.comparison.list_inputs import listed
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes import Gene
from wimble.genes.taint_markers import taint_marker
from wimble.json_texts import held_json
from wimble.model.testcase import GeneAddress
from wimble.types import ABSENT, Absent, Json

MAX_SITES = 4
"""Number of inputs that are tried: any input of that type may be the one that was compared."""


def retyped(
    index: InputIndex, actual: str, expected: str, *, wanted: bool, rng: Random
) -> Iterator[tuple[tuple[GeneAddress, Gene], str]]:
    """Yields edits by which an input of type `actual` gets type `expected`, with the reason.

    If not `wanted`, the input gets a type other than `expected`.
    """
    type_of = index.values.type_of
    text_type, list_type = type_of(""), index.values.object_type
    candidates = [site for site in index.sites_of_call() if site.is_free() and type_of(site.value) == actual]
    for site in rng.sample(candidates, min(len(candidates), MAX_SITES)):
        values: tuple[Json | Absent, ...] = (ABSENT, None, taint_marker(rng), 1, True, {})
        for value in values:
            name = type_of(value)
            if name == actual or (name == expected) is not wanted:
                continue
            place = site.put(value)
            if place is not None and type_of(place[1].phenotype()) == name:
                yield place, f"type may become {name}"
                break
        if actual == text_type and not site.is_json and (expected == list_type) is wanted:
            twice = listed(site, index.test_case, rng)
            if twice is not None:
                yield twice, f"type may become {list_type}, sent twice"
    yield from _retyped_texts(index, actual, expected, wanted=wanted, rng=rng)


def _retyped_texts(
    index: InputIndex, actual: str, expected: str, *, wanted: bool, rng: Random
) -> Iterator[tuple[tuple[GeneAddress, Gene], str]]:
    """Yields edits by which a text that holds JSON of type `actual` holds JSON of type `expected`."""
    type_of = index.values.type_of
    n_left = MAX_SITES
    for site in index.sites_of_call():
        held = _held(site.value) if site.is_free() else ABSENT
        if n_left == 0 or held is ABSENT or type_of(held) != actual:
            continue
        n_left -= 1
        for value in ({taint_marker(rng): taint_marker(rng)}, [taint_marker(rng)], None, taint_marker(rng), 1, True):
            name = type_of(value)
            if name == actual or (name == expected) is not wanted:
                continue
            place = site.put(json.dumps(value))
            if place is not None:
                yield place, f"JSON text may become {name}"
                break


def _held(value: Json | Absent) -> Json | Absent:
    """Returns what a text holds as JSON; ABSENT if the value is no such text."""
    return held_json(value) if isinstance(value, str) else ABSENT
