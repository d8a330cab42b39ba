"""Resolves references to other files and URLs by including the documents that they name.

Each document is read once and put at `#/x-external/NAME`, and references to it are rewritten to that place. So all
later steps work on one document, even if files refer to each other in cycles. Only related documents are read: files
for a file, URLs on the same host for a URL. A reference that cannot be read stays as it is, with a warning that names
its place.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from wimble.errors import SchemaError
from wimble.spec.loading.document import MAX_WALK_DEPTH, at
from wimble.spec.loading.document_text import load_text
from wimble.types import Json

Read = Callable[[str], bytes]
"""Returns the content of a location (a path or a URL). Raises OSError or ValueError."""

SECTION = "x-external"
MAX_DOCUMENTS = 2000
"""Some repositories keep each schema in its own file."""
_REFERENCE_KEYS = ("$ref", "operationRef", "externalValue")
_DATA_KEYS = frozenset(["example", "examples", "default", "enum", "const", "value", "dataValue", "x-example"])
"""The values of these keys are data: a `$ref` in them is ordinary text. `examples` are searched one level deep."""


def bundled(root: Json, source: str, read: Read, notes: list[str]) -> Json:
    """Returns `root`, which was read from `source`, with all documents that it refers to. Does not change `root`."""
    if not isinstance(root, dict) or not any(_is_outside(text, root) for _, text in _references(root, "#", 0)):
        return root
    return _Bundler(root, source, read, notes).bundle()


class _Bundler:
    def __init__(self, root: dict[str, Any], source: str, read: Read, notes: list[str]) -> None:
        self._root = root
        self._source = source
        self._read = read
        self._notes = notes
        self._names: dict[str, str | None] = {}
        """Location -> name within the section; None if the location cannot be read."""
        self._documents: dict[str, Any] = {}
        self._waiting: deque[tuple[str, str, Any]] = deque()
        own = root.get("$self")
        self._self = urljoin(source, own) if isinstance(own, str) else source

    def bundle(self) -> dict[str, Any]:
        self._ids = set(_identifiers(self._root, 0))
        out = self._rewritten(self._root, "#", self._source, "#", 0)
        while self._waiting:
            location, name, value = self._waiting.popleft()
            place = at("#", SECTION, name)
            self._documents[name] = self._rewritten(value, place, location, place, 0)
        return {**out, SECTION: self._documents} if self._documents else out

    def _rewritten(self, value: Any, place: str, location: str, top: str, depth: int) -> Any:
        if depth > MAX_WALK_DEPTH:
            return value
        if isinstance(value, list):
            return [self._rewritten(item, at(place, i), location, top, depth + 1) for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        out: dict[str, Any] = {}
        is_named = place.endswith(("/properties", "/schemas", "/definitions", "/patternProperties"))
        for key, item in value.items():
            here = at(place, key)
            if isinstance(item, str) and key in _REFERENCE_KEYS:
                out[key] = self._reference(item, here, location, top)
            elif key in _DATA_KEYS and not is_named and not _has_example_objects(key, item):
                out[key] = item
            elif key == "mapping" and place.endswith("/discriminator") and isinstance(item, dict):
                out[key] = {
                    name: self._reference(target, at(here, name), location, top)
                    if isinstance(target, str) and ("/" in target or "#" in target or "." in target)
                    else target
                    for name, target in item.items()
                }
            else:
                out[key] = self._rewritten(item, here, location, top, depth + 1)
        return out

    def _reference(self, reference: str, place: str, location: str, top: str) -> str:
        base, _, fragment = reference.partition("#")
        if not base:
            return reference if top == "#" or not fragment.startswith("/") else top + fragment
        if base == self._root.get("$self"):
            return "#" + fragment
        if base in self._ids or reference in self._ids:
            return reference
        target = self._located(base, location)
        if target is None:
            self._note(place, f"`{reference}` is outside of the document, and not beside it", "ignored")
            return reference
        if target in (self._source, self._self):
            return "#" + fragment
        name = self._name(target, base, place)
        if name is None:
            return reference
        if fragment and not fragment.startswith("/"):
            return "#" + fragment  # an anchor
        return at("#", SECTION, name) + fragment

    def _located(self, base: str, location: str) -> str | None:
        """Returns the location of `base` (the text before `#`) relative to `location`; None if it must not be read."""
        try:
            if "://" in location:
                target = urljoin(self._self if location == self._source else location, base)
                return target if urlsplit(target)[:2] == urlsplit(self._source)[:2] else None
            if "://" in base or base.startswith(("/", "file:")):
                return None
            return posixpath.normpath(posixpath.join(posixpath.dirname(location), unquote(base)))
        except ValueError:
            return None

    def _name(self, target: str, base: str, place: str) -> str | None:
        if target in self._names:
            return self._names[target]
        self._names[target] = None
        if len(self._names) > MAX_DOCUMENTS:
            self._note(place, f"more than {MAX_DOCUMENTS} documents", f"`{base}` is ignored")
            return None
        try:
            value = load_text(self._read(target), target, self._notes)
        except SchemaError as error:
            self._note(place, f"`{base}` cannot be used: {error.what}", "ignored")
            return None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            self._note(place, f"`{base}` cannot be read: {reason}", "ignored")
            return None
        name, n = base.removeprefix("./"), 2
        while name in self._names.values():
            name, n = f"{base} {n}", n + 1
        self._names[target] = name
        self._waiting.append((target, name, value))
        return name

    def _note(self, place: str, what: str, instead: str) -> None:
        line = f"{place}: {what}; {instead}"
        if line not in self._notes:
            self._notes.append(line)


def _has_example_objects(key: str, item: Any) -> bool:
    """Whether the item is the `examples` of a parameter or media type: named objects, which may be references."""
    return key == "examples" and isinstance(item, dict)


def _references(value: Any, place: str, depth: int) -> Iterator[tuple[str, str]]:
    if depth > MAX_WALK_DEPTH:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str):
                if key in _REFERENCE_KEYS or place == "mapping":
                    yield key, item
            elif isinstance(item, (dict, list)):
                yield from _references(item, key, depth + 1)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, (dict, list)):
                yield from _references(item, "", depth + 1)


def _identifiers(value: Any, depth: int) -> Iterator[str]:
    """Yields the `$id` of each schema that has one: references to these stay within the document."""
    if depth > MAX_WALK_DEPTH:
        return
    if isinstance(value, dict):
        if isinstance(own := value.get("$id"), str):
            yield own
    elif not isinstance(value, list):
        return
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            yield from _identifiers(item, depth + 1)


def _is_outside(reference: str, root: dict[str, Any]) -> bool:
    base = reference.partition("#")[0]
    return bool(base) and base != root.get("$self")
