"""What declarations of a library say beside the shapes of arguments: signatures that exclude each other, who makes
objects, and what is internal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from wimble.library.argument_shape import Overload
from wimble.library.made_objects import NEW


class DeclaredClasses(msgspec.Struct, frozen=True, kw_only=True):
    """Signatures, classes and their objects, and names that are not meant for users."""

    makers: Mapping[str, Sequence[str]] = {}
    """Name of a class -> operations that make its objects."""
    overloads: Mapping[str, Sequence[Overload]] = {}
    """Name of an operation -> its signatures, if there are several."""
    hidden: frozenset[str] = frozenset()
    """Names of operations that users may not call, such as a private constructor."""
    data: frozenset[str] = frozenset()
    """Names of methods of what functions return that are declared as something else."""
    names: frozenset[str] = frozenset()
    """All that the declarations name, such as `helpers`, `helpers.each` and `Reader#next`, if somebody has written them
    for users; else empty."""


NO_CLASSES: Final = DeclaredClasses()


class InternalNames:
    """Which operations are internal: what is declared as such, and what the declarations of its object leave out."""

    def __init__(self, classes: DeclaredClasses) -> None:
        self._hidden = classes.hidden
        self._names = classes.names
        self._owners = {_owner_of(name) for name in classes.names}

    def has(self, name: str) -> bool:
        plain = name.removeprefix(NEW)
        if name in self._hidden:
            return True
        return any(part in self._hidden or self._is_left_out(part) for part in _iter_parts(plain))

    def _is_left_out(self, name: str) -> bool:
        return name not in self._names and _owner_of(name) in self._owners


def _owner_of(name: str) -> str:
    """Returns what a name is a member of: `Reader#`, `helpers.`, or nothing."""
    return name[: max(name.rfind("#"), name.rfind(".")) + 1]


def _iter_parts(name: str) -> Iterator[str]:
    """Yields a name and all that leads to it: `helpers` and `helpers.each`."""
    for at, sign in enumerate(name):
        if sign in ".#":
            yield name[:at].removesuffix("()")
    yield name
