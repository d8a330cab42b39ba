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
from wimble.feedback.comparison.named_members import places_named
from wimble.feedback.comparison.omitted_inputs import is_site_named
from wimble.feedback.comparison.question import OperandPair
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.origin import Place
from wimble.genes import Gene
from wimble.genes.taint_markers import taint_marker
from wimble.json_texts import held_json
from wimble.model.testcase import GeneAddress
from wimble.types import ABSENT, Absent, Json

NAMED_COST = 0
TYPE_COST = 4
"""Cost of an edit of an input's type if it is unknown which input's type was compared."""
MAX_SITES = 4
"""Number of inputs that are tried: any input of that type may be the one that was compared."""


def typed_edits(pair: OperandPair, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields proposals for the name of a type that was compared with another one, of a value that has a name."""
    actual, expected = pair.left, pair.right
    if not isinstance(actual, str) or not isinstance(expected, str):
        return
    if not {actual, expected} <= index.values.type_names:
        return
    question = pair.question(actual, expected, is_left=True)
    for place in _named_places(pair, actual, expected, index, rng):
        why = question.because(f"type of {pair.name} may become another")
        yield proposal(pair.target, NAMED_COST, [place], why)
    for place, how in retyped(index, actual, expected, wanted=pair.wanted, rng=rng):
        yield proposal(pair.target, TYPE_COST, [place], question.because(how))


def _named_places(pair: OperandPair, actual: str, expected: str, index: InputIndex, rng: Random) -> Iterator[Place]:
    """Yields edits that give the input of that name, or a member that no object has yet, a wanted type."""
    type_of = index.values.type_of
    wanted = [value for value in _examples(rng) if (type_of(value) == expected) is pair.wanted]
    sites = [site for site in index.sites_of_call() if site.is_free()]
    named = [site for site in sites if is_site_named(site, pair.name, index.test_case)][:MAX_SITES]
    for site in named:
        places = [site.put(value) for value in wanted if type_of(site.value) == actual]
        yield from [place for place in places if place is not None][:1]
    if named or actual != type_of(ABSENT):
        return
    for value in [one for one in wanted if one is not ABSENT][:1]:
        added = places_named(pair.name, value, index.test_case, pair.call)
        yield from (place for _, place in added[:MAX_SITES])


def _examples(rng: Random) -> tuple[Json | Absent, ...]:
    """Returns a value of each type."""
    return (ABSENT, taint_marker(rng), 1, True, {})


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
