"""Results of calls as arguments of others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from wimble.library.function_binding import FunctionBinding, is_setter
from wimble.library.invocation import Invocation, Step
from wimble.library.made_objects import MADE, METHOD, NEW, USED, is_made, is_used
from wimble.types import ABSENT, Absent, Json


def passed_again(value: Json | Absent) -> Json | Absent:
    """Returns a result as an argument that samples and mutants can change; ABSENT if it holds more than JSON does.

    An object without a prototype becomes a plain one.
    """
    if isinstance(value, list):
        return _all_or_absent([passed_again(item) for item in value])
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and "$bare" in value:
        return passed_again(value["$bare"])
    if any(key.startswith("$") for key in value):
        return ABSENT
    members = _all_or_absent([passed_again(member) for member in value.values()])
    return members if isinstance(members, Absent) else dict(zip(value, members, strict=True))


def _all_or_absent(values: list[Json | Absent]) -> list[Json] | Absent:
    present = [value for value in values if not isinstance(value, Absent)]
    return present if len(present) == len(values) else ABSENT


def is_kept_by_library(value: Json | Absent) -> bool:
    """Whether a result is an object of a class of the library, or holds one, so that only the library can make it."""
    if isinstance(value, list):
        return any(map(is_kept_by_library, value))
    return isinstance(value, dict) and ("$instance" in value or any(map(is_kept_by_library, value.values())))


def made_again(binding: FunctionBinding, invocation: Invocation) -> Json | Absent:
    """Returns an argument for which the library makes the call once more, and that is what it returns then; ABSENT for
    a call that cannot be written so: one that waits for a promise, reads a getter or sets a member."""
    name = ".".join(binding.path) or binding.package
    if binding.kind == "constructor":
        return {MADE: [f"{NEW}{name}", *invocation.arguments]}
    if binding.kind == "function":
        return {MADE: [name, *invocation.arguments]}
    links = invocation.made(binding.method)
    are_methods = bool(links) and all(one.method and not is_setter(one.method) for one in links)
    if binding.access != "call" or not are_methods or any(invocation.awaited):
        return ABSENT
    given = list(invocation.receiver or ())
    owner: Json = {MADE: [name if binding.is_of_result else f"{NEW}{name}", *given]}
    if binding.is_made:
        owner = given[0] if given else ABSENT
    return _made_by_calls(owner, links, invocation.chained or ())


def _made_by_calls(owner: Json | Absent, links: Sequence[Step], chained: Sequence[bool]) -> Json | Absent:
    """chained: for each call, whether it was on what the one before has returned."""
    calls: list[Json] = []
    for index, (before, _) in enumerate(pairwise(links), start=1):
        if chained[index : index + 1] == (True,):
            owner = {MADE: [METHOD + before.method, _used(owner, calls), *before.arguments]}
            calls = []
        else:
            calls.append([before.method, *before.arguments])
    if not (is_made(owner) or is_used(owner)):
        return ABSENT
    return {MADE: [METHOD + links[-1].method, _used(owner, calls), *links[-1].arguments]}


def _used(owner: Json, calls: list[Json]) -> Json:
    """Returns an object on which calls were made."""
    if not calls:
        return owner
    made, before = owner[USED] if is_used(owner) else (owner, [])
    return {USED: [made, [*before, *calls]]}
