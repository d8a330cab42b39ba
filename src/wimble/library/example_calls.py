"""Calls that a package's documentation shows, and which of its operations they are calls of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from wimble.library.function_binding import FunctionKind
from wimble.types import Json

MAX_EXAMPLES: Final = 40
"""Of one operation."""
MAX_TEXTS: Final = 40
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


def examples_of(
    kind: FunctionKind, path: Sequence[str], method: str, examples: Iterable[ExampleCall]
) -> tuple[tuple[Json, ...], ...]:
    """Returns the arguments of the calls that seem to be of an operation, each list once, in order.

    A name does not say of which object a method is, so methods of one name share their examples.
    """
    name = method or (path[-1] if path else "")
    found: dict[str, tuple[Json, ...]] = {}
    for one in examples:
        is_called = one.is_method if kind == "method" else one.is_new == (kind == "constructor")
        # `default` is what a module exports as a whole.
        if is_called and one.name == ("" if name == "default" else name):
            found.setdefault(json.dumps(one.arguments, sort_keys=True), one.arguments)
    return tuple(found.values())[:MAX_EXAMPLES]


def texts_of(examples: Iterable[ExampleCall]) -> tuple[str, ...]:
    """Returns the texts that examples pass to anything: versions, paths or dates of the kind that the library reads."""
    texts = (one for example in examples for one in example.arguments if isinstance(one, str))
    return tuple(dict.fromkeys(text for text in texts if 0 < len(text) <= MAX_TEXT_LENGTH))[:MAX_TEXTS]
