"""What a package's documentation shows: calls, with the operations that they are calls of, values and texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from wimble.library.argument_shape import Shape
from wimble.library.function_binding import FunctionKind
from wimble.types import Json

MAX_EXAMPLES: Final = 40
"""Maximum number of calls that are kept for one operation."""
MAX_TEXTS: Final = 40
MAX_VALUES: Final = 30
"""Shown values of one parameter."""
MAX_TEXT_LENGTH: Final = 200
"""Longer ones are whole documents, which are made for one operation."""


class ExampleCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call in an example, with arguments as protocol/README.md says."""

    name: str
    """The last name of what is called; empty for the package itself."""
    is_new: bool = False
    is_method: bool = False
    """Whether something stands before the name: an object, or the package."""
    arguments: tuple[Json, ...] = ()


class Documentation(msgspec.Struct, frozen=True, kw_only=True):
    """The examples in a package's documentation."""

    calls: tuple[ExampleCall, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that stand by themselves: blocks in other languages, such as the one that the package parses, and words in
    code type, such as `$..book[0]`."""
    tells_exit: bool = False
    """Whether it says that a function may end the process."""
    usual: tuple[str, ...] = ()
    """Texts that are usual for what the package is about (usual_texts.py)."""
    values: tuple[Json, ...] = ()
    """Objects and arrays that stand by themselves, as protocol/README.md says."""


NOTHING_SHOWN: Final = Documentation()


def examples_of(
    kind: FunctionKind, path: Sequence[str], method: str, examples: Iterable[ExampleCall], class_name: str = ""
) -> tuple[tuple[Json, ...], ...]:
    """Returns the arguments of the calls that seem to be of an operation, each list once, in order.

    A name does not say of which object a method is, so methods of one name share their examples.

    class_name: of what the package exports as a whole or as its default, which programs may also import by that name.
    """
    name = method or (path[-1] if path else "")
    # `default` is what a module exports as a whole.
    names = {"", class_name} if name in ("", "default") else {name}
    found: dict[str, tuple[Json, ...]] = {}
    for one in examples:
        is_called = one.is_method if kind == "method" else one.is_new == (kind == "constructor")
        if is_called and one.name in names:
            found.setdefault(json.dumps(one.arguments, sort_keys=True), one.arguments)
    return tuple(found.values())[:MAX_EXAMPLES]


def texts_of(documentation: Documentation) -> tuple[str, ...]:
    """Returns the texts that examples pass to anything, and those that stand by themselves: versions, paths or dates of
    the kind that the library reads."""
    passed = (one for example in documentation.calls for one in example.arguments if isinstance(one, str))
    short = dict.fromkeys(text for text in passed if 0 < len(text) <= MAX_TEXT_LENGTH)
    return tuple(dict.fromkeys((*list(short)[:MAX_TEXTS], *documentation.texts)))


def values_for(shape: Shape, documentation: Documentation) -> tuple[Json, ...]:
    """Returns the shown values that an argument of this shape may be: of objects with known members, those that have
    one of them."""
    fitting = (one for one in documentation.values if _may_be(shape, one))
    return tuple(fitting)[:MAX_VALUES]


def _may_be(shape: Shape, value: Json) -> bool:
    if isinstance(value, list):
        return not shape.kinds or "array" in shape.kinds
    if not isinstance(value, dict) or (shape.kinds and "object" not in shape.kinds):
        return False
    members = [name for one in (shape, *shape.choices) for name in one.members]
    return not members or any(name in value for name in members)
