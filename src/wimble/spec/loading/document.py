"""A loaded document with its pointers, references and warnings. Malformed content causes warnings, not exceptions."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import unquote

from wimble.types import Json

MAX_WARNINGS = 200
"""A generated document can repeat one mistake thousands of times, and nobody reads so many warnings."""
MAX_REFERENCE_CHAIN = 30
MAX_WALK_DEPTH = 220

MISSING: Final = object()
"""The value that a pointer to nothing resolves to."""

SWAGGER_2 = "2.0"


def at(place: str, *keys: str | int) -> str:
    """Returns the JSON pointer that is one or more steps below `place`."""
    return place + "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def shown(value: Json, limit: int = 60) -> str:
    """Returns a value of the document, shortened for a message."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Warnings:
    """Collects lines `place: what; what was done instead`, each once, in order, at most MAX_WARNINGS."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._n_dropped = 0

    def add(self, place: str, what: str, instead: str) -> None:
        line = f"{place}: {what}; {instead}"
        if line in self._lines:
            return
        if len(self._lines) >= MAX_WARNINGS:
            self._n_dropped += 1
            return
        self._lines[line] = None

    def lines(self) -> tuple[str, ...]:
        more = (f"{self._n_dropped} more warnings of this kind are not shown",) if self._n_dropped else ()
        return (*self._lines, *more)


class Document:
    """A document: its root value, its version family (`2.0`, `3.0` or `3.1`) and the warnings so far."""

    def __init__(self, root: dict[str, Json], version: str, warnings: Warnings) -> None:
        self.root = root
        self.version = version
        self.warnings = warnings
        self._anchors: dict[str, str] | None = None

    @property
    def is_swagger2(self) -> bool:
        return self.version == SWAGGER_2

    def warn(self, place: str, what: str, instead: str) -> None:
        self.warnings.add(place, what, instead)

    def section(self, holder: dict[str, Json], key: str, place: str) -> dict[str, Json]:
        """Returns the object at `holder[key]`; if it is something else, warns and returns {}."""
        value = holder.get(key)
        if value is None:
            return {}
        if isinstance(value, dict):
            return value
        self.warn(at(place, key), f"an object is expected, found {shown(value)}", "ignored")
        return {}

    def listing(self, holder: dict[str, Json], key: str, place: str) -> list[Json]:
        """Returns the array at `holder[key]`; if it is something else, warns and returns []."""
        value = holder.get(key)
        if value is None:
            return []
        if isinstance(value, list):
            return value
        self.warn(at(place, key), f"an array is expected, found {shown(value)}", "ignored")
        return []

    def text(self, holder: dict[str, Json], key: str) -> str:
        """Returns the text at `holder[key]`; "" if it is missing or something else."""
        value = holder.get(key)
        return value if isinstance(value, str) else ""

    def pointed(self, reference: str) -> tuple[Any, str]:
        """Returns (value, canonical place) of a local reference, or (MISSING, "").

        Supports `#/a/b` with ~0, ~1 and percent-encoding, `#anchor` and the `$id` of an embedded schema.
        """
        base, _, fragment = reference.partition("#")
        if base and base == self.root.get("$self"):  # 3.2: the URI of the document itself
            base, reference = "", "#" + fragment
        if base or (fragment and not fragment.startswith("/")):
            return self._anchored(reference)
        value: Any = self.root
        place = "#"
        for raw in fragment.split("/")[1:]:
            found = self._step(value, raw)
            if found is None:
                return MISSING, ""
            key, value = found
            place = at(place, key)
        return value, place

    @staticmethod
    def _step(value: Any, raw: str) -> tuple[str | int, Any] | None:
        # Pointers are percent-encoded (RFC 6901 §6), but many generators do not encode them: both forms are tried.
        for text in (unquote(raw), raw):
            key = text.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and key in value:
                return key, value[key]
            if isinstance(value, list) and key.isdecimal() and len(key) < 10 and int(key) < len(value):
                return int(key), value[int(key)]
        return None

    def _anchored(self, reference: str) -> tuple[Any, str]:
        if self._anchors is None:
            self._anchors = {}
            self._collect_anchors(self.root, "#", "", 0, self._anchors)
        place = self._anchors.get(reference)
        return self.pointed(place) if place is not None else (MISSING, "")

    def _collect_anchors(self, value: Any, place: str, base: str, depth: int, found: dict[str, str]) -> None:
        if depth > MAX_WALK_DEPTH:
            return
        if isinstance(value, dict):
            own = value.get("$id")
            if isinstance(own, str) and own:
                base = own
                found.setdefault(own, place)
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(name := value.get(keyword), str):
                    found.setdefault(f"#{name}", place)
                    found.setdefault(f"{base}#{name}", place)
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in members:
            if isinstance(child, (dict, list)):
                self._collect_anchors(child, at(place, key), base, depth + 1, found)

    def followed(self, value: Any, place: str) -> tuple[dict[str, Json] | None, str]:
        """Returns (object, its place) for an object, or for a chain of references that leads to one.

        Returns None for the object, with a warning, if there is none.
        """
        start = place
        for _ in range(MAX_REFERENCE_CHAIN):
            if not isinstance(value, dict):
                self.warn(place, f"an object is expected, found {shown(value)}", "ignored")
                return None, place
            reference = value.get("$ref")
            if reference is None:
                return value, place
            if not isinstance(reference, str):
                self.warn(at(place, "$ref"), f"a reference is text, found {shown(reference)}", "ignored")
                return None, place
            target, target_place = self.pointed(reference)
            if target is MISSING:
                self.warn(place, *self.broken_reference(reference))
                return None, place
            value, place = target, target_place
        self.warn(start, "the reference leads back to itself", "ignored")
        return None, start

    @staticmethod
    def broken_reference(reference: str) -> tuple[str, str]:
        """Returns (what, instead) of the warning about a reference that cannot be resolved."""
        if reference.startswith("#"):
            return f"`{reference}` is not in the document", "ignored"
        return f"`{reference}` is outside of the document", "ignored; it was not read"
