"""The shape of a set of JSON values: what they have in common, from which a JSON Schema is made.

A shape only grows. Values can be added in any order, and shapes can be merged in any order and grouping, with the same
result. Its size is bounded, whatever the values are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from wimble.describe.text_formats import formats_of
from wimble.genes.probabilities import MARKER_LENGTH
from wimble.types import Json

MAX_TEXTS: Final = 12
"""Number of different texts that a shape remembers; if there are more, it is no enumeration."""
MAX_TEXT_LENGTH: Final = 60
"""Length of a text in an enumeration, in characters."""
MAX_MEMBERS: Final = 300
"""Number of different members of the objects at one place. If there are more, all keys are taken for data."""
MAX_DEPTH: Final = 24
"""Depth below which values are not looked into."""

_NAME: Final = re.compile(r"(?!.*\d{4})(?![0-9a-f-]*\d[0-9a-f-]{7,}\Z)[A-Za-z_$@][\w$@:-]{0,60}\Z", re.ASCII)
"""A key that a programmer may have written, as opposed to an address, a date or an id."""

_MADE_UP: Final = re.compile(r"[a-z][a-z0-9]*[0-9][a-z0-9]*[a-z][a-z0-9]*\Z")
"""Taint markers with a digit inside; few names have one."""


class Shape(msgspec.Struct):
    """The common form of the values at one place."""

    n_nulls: int = 0
    n_booleans: int = 0
    n_integers: int = 0
    n_fractions: int = 0
    n_texts: int = 0
    n_lists: int = 0
    n_objects: int = 0
    n_deep: int = 0
    """Number of values below MAX_DEPTH, of any type."""
    formats: frozenset[str] = frozenset()
    """Formats that all texts have."""
    texts: dict[str, int] | None = msgspec.field(default_factory=dict)
    """Each text with the number of its occurrences; None if there are more than MAX_TEXTS, or long ones."""
    elements: Shape | None = None
    """The elements of all lists; None if there are none."""
    members: dict[str, Shape] = msgspec.field(default_factory=dict)
    """The members of the objects by key. A member's `n_values` is the number of objects that have it."""
    entries: Shape | None = None
    """The values under keys that are data; None if there are none."""
    has_data_keys: bool = False
    """Whether some of these keys are data of the SUT, and not only keys that were made up here."""
    is_map: bool = False
    """Whether all keys are taken for data, because there are too many."""

    @property
    def n_values(self) -> int:
        """Number of values of all types."""
        return self.n_nulls + self.n_known + self.n_deep

    @property
    def n_known(self) -> int:
        """Number of values that are not null, of a known type."""
        return self.n_scalars + self.n_lists + self.n_objects

    @property
    def n_scalars(self) -> int:
        """Number of texts, numbers and booleans."""
        return self.n_booleans + self.n_integers + self.n_fractions + self.n_texts

    def add(self, value: Json, depth: int = 0) -> None:
        """Adds a value. depth: number of containers around it."""
        if isinstance(value, str):
            self._add_text(value)
        elif value is None:
            self.n_nulls += 1
        elif isinstance(value, bool):
            self.n_booleans += 1
        elif isinstance(value, int):
            self.n_integers += 1
        elif isinstance(value, float):
            self.n_fractions += 1
        elif depth >= MAX_DEPTH:
            self.n_deep += 1
        elif isinstance(value, dict):
            self._add_object(value, depth)
        else:
            self._add_list(value, depth)

    def _add_text(self, text: str) -> None:
        if self.n_texts == 0:
            self.formats = formats_of(text)
        elif self.formats:
            self.formats &= formats_of(text)
        self.n_texts += 1
        if self.texts is not None:
            if len(text) > MAX_TEXT_LENGTH or (text not in self.texts and len(self.texts) >= MAX_TEXTS):
                self.texts = None
            else:
                self.texts[text] = self.texts.get(text, 0) + 1

    def _add_list(self, values: list[Json], depth: int) -> None:
        self.n_lists += 1
        if values:
            if self.elements is None:
                self.elements = Shape()
            for value in values:
                self.elements.add(value, depth + 1)

    def _add_object(self, members: dict[str, Json], depth: int) -> None:
        self.n_objects += 1
        for key, value in members.items():
            known = self.members.get(key)
            if known is None:
                known = self._new_member(key)
            known.add(value, depth + 1)

    def _new_member(self, key: str) -> Shape:
        """Returns the shape of the values under a key that is none of `members`."""
        if not self.is_map and is_name(key):
            member = self.members[key] = Shape()
            if len(self.members) <= MAX_MEMBERS:
                return member
            self._take_keys_for_data()
        self.has_data_keys |= not is_made_up(key)
        if self.entries is None:
            self.entries = Shape()
        return self.entries

    def _take_keys_for_data(self) -> None:
        for member in self.members.values():
            self.entries = _absorbed(self.entries, member)
        self.members, self.is_map, self.has_data_keys = {}, True, True

    def absorb(self, other: Shape) -> None:
        """Adds the values of another shape, which stays as it is. Shapes of parts of this one stay the same objects."""
        if self.n_texts == 0 or other.n_texts == 0:
            self.formats |= other.formats
        else:
            self.formats &= other.formats
        self.n_nulls += other.n_nulls
        self.n_booleans += other.n_booleans
        self.n_integers += other.n_integers
        self.n_fractions += other.n_fractions
        self.n_texts += other.n_texts
        self.n_lists += other.n_lists
        self.n_objects += other.n_objects
        self.n_deep += other.n_deep
        self.texts = _united_texts(self.texts, other.texts)
        self.elements = _absorbed(self.elements, other.elements)
        self.entries = _absorbed(self.entries, other.entries)
        for key, member in other.members.items():
            known = _absorbed(self.members.get(key), member)
            if known is not None:
                self.members[key] = known
        self.is_map |= other.is_map
        self.has_data_keys |= other.has_data_keys
        if self.is_map or len(self.members) > MAX_MEMBERS:
            self._take_keys_for_data()


def is_name(key: str) -> bool:
    """Whether a key of an object is a name that a programmer may have written, and not data or a key made up here."""
    return bool(_NAME.match(key)) and not is_made_up(key)


def is_made_up(key: str) -> bool:
    """Whether it is a taint marker by its looks; few names look like that."""
    return len(key) == MARKER_LENGTH and bool(_MADE_UP.match(key))


def shape_of(values: Iterable[Json]) -> Shape:
    """Returns the shape of the values."""
    shape = Shape()
    for value in values:
        shape.add(value)
    return shape


def merged(one: Shape | None, other: Shape | None) -> Shape:
    """Returns the shape of the values of both. It shares no part with them that can grow."""
    result = Shape() if one is None else copied(one)
    if other is not None:
        result.absorb(other)
    return result


def copied(shape: Shape) -> Shape:
    """Returns a deep copy."""
    return msgspec.structs.replace(
        shape,
        texts=None if shape.texts is None else dict(shape.texts),
        elements=None if shape.elements is None else copied(shape.elements),
        members={key: copied(member) for key, member in shape.members.items()},
        entries=None if shape.entries is None else copied(shape.entries),
    )


def _absorbed(one: Shape | None, other: Shape | None) -> Shape | None:
    """Returns `one`, which now describes the values of both."""
    if one is None or other is None:
        return one if other is None else copied(other)
    one.absorb(other)
    return one


def _united_texts(one: dict[str, int] | None, other: dict[str, int] | None) -> dict[str, int] | None:
    if one is None or other is None:
        return None
    united = dict(one)
    for text, count in other.items():
        united[text] = united.get(text, 0) + count
    return united if len(united) <= MAX_TEXTS else None
