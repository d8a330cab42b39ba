"""What a member may be that the program reads of an answer of a service: the values that are tried, in order.

What the program does with the member tells (`for (... of answer.items)`): then only values of that kind are tried.
Otherwise each kind is.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from wimble.genes.taint_markers import taint_marker
from wimble.genes.value_names import draw_for
from wimble.model.hints import Use
from wimble.search.access.own_tokens import issued_token
from wimble.types import Json

N_ELEMENTS: Final = 3
"""Elements of a list of objects that are told apart."""
UNUSUAL: Final = 7919
"""A number that is recognised where it is compared: it is in no usual table, and neither 0 nor a round number."""
LATER: Final = "2999-12-31T23:59:59.000Z"
"""A time that is still to come."""

Kind: TypeAlias = Callable[[Random], Json]


def _text(rng: Random) -> Json:
    return taint_marker(rng)


def list_of_objects(rng: Random) -> list[Json]:
    return [{}]


def _object(rng: Random) -> Json:
    return {}


def _number(rng: Random) -> Json:
    return UNUSUAL + rng.randrange(UNUSUAL)


def _truth(rng: Random) -> Json:
    return True


def _texts(rng: Random) -> Json:
    return [taint_marker(rng)]


def _numbers(rng: Random) -> Json:
    return [_number(rng) for _ in range(N_ELEMENTS)]


def _json(rng: Random) -> Json:
    return "{}"


def _base64(rng: Random) -> Json:
    return base64.b64encode(b"{}").decode()


def _token(rng: Random) -> Json:
    return issued_token(rng)


def _with_a_text(rng: Random) -> Json:
    return {taint_marker(rng): taint_marker(rng)}


def list_with_texts(rng: Random) -> list[Json]:
    return [{marker: marker} for marker in (taint_marker(rng) for _ in range(N_ELEMENTS))]


def _record(rng: Random) -> Json:
    return {taint_marker(rng): taint_marker(rng) for _ in range(N_ELEMENTS)}


def _record_of_numbers(rng: Random) -> Json:
    return {taint_marker(rng): _number(rng) for _ in range(N_ELEMENTS)}


def _record_of_objects(rng: Random) -> Json:
    return {taint_marker(rng): {} for _ in range(N_ELEMENTS)}


def _time(rng: Random) -> Json:
    return LATER


ANY: Final[tuple[Kind, ...]] = (
    _text,
    list_of_objects,
    _object,
    _number,
    _truth,
    _texts,
    _json,
    _base64,
    _token,
    _with_a_text,
    list_with_texts,
)
"""All kinds; a text first, since a comparison with another type changes it. Objects with a text are known by it where
nothing else tells which one the program has read."""

LISTS_FIRST: Final = (list_of_objects, *(kind for kind in ANY if kind is not list_of_objects))
_SEVERAL: Final = re.compile(r"[a-z]{2}(?<![sui])s$|(?:[a-z]|[_-])(?:[Ll]ist|[Aa]rray)$")
"""Names of several things: `bindings` and `userList`, but not `address`, `status` or `basis`."""

MAX_KINDS: Final = len(ANY) + 1
"""Maximum number of kinds that are tried for a member."""

_OF_USES: Final[dict[Use, tuple[Kind, ...]]] = {
    "list": (list_of_objects, _texts, list_with_texts, _numbers),
    "iterable": (list_of_objects, _texts, list_with_texts, _numbers),
    "record": (_record, _record_of_numbers, _record_of_objects),
    "object": (_object, _with_a_text),
    "text": (_text,),
    "number": (_number, _text),
    "boolean": (_truth,),
    "condition": (_text, _truth),
    "date": (_time, _text),
    "json": (_json, _text),
    "base64": (_base64, _text),
    "token": (_token, _text),
    "address": (_text,),
}


def kinds_for(uses: Sequence[Use], name: str = "") -> tuple[Kind, ...]:
    """Returns the kinds of values that are tried for a member: the first one of each use, then the second ones.

    What its name says a text is (`version`, `country_code`) is tried after a text that is recognised. Where nothing
    else tells, a name of several things (`bindings`) is a list first.
    """
    ranked = [_OF_USES[use] for use in uses if use in _OF_USES]
    longest = max(map(len, ranked), default=0)
    kinds = tuple(dict.fromkeys(kinds[at] for at in range(longest) for kinds in ranked if at < len(kinds)))
    if not kinds:
        kinds = LISTS_FIRST if _SEVERAL.search(name) else ANY
    named = draw_for(name)
    if named is None or _text not in kinds:
        return kinds
    after = kinds.index(_text) + 1
    return (*kinds[:after], named, *kinds[after:])
