"""Reads tables strictly: an unknown key, or a value of the wrong type, is an error that shows its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from wimble.errors import UsageError

_TYPE_NAMES = {str: "text", bool: "true or false", int: "a whole number", dict: "a table", list: "an array"}


class Table:
    """A table (or object) of a file, with its place in the file."""

    def __init__(self, values: Any, file: Path, place: str, text: str = "") -> None:
        self.file = file
        self.place = place
        self.text = text
        if not isinstance(values, dict):
            raise self.error(f"a table is expected, found {_kind(values)}")
        self.values: dict[str, Any] = values

    def error(self, what: str, key: str = "", *, hint: str = "") -> UsageError:
        """Returns the error for a value that cannot be used."""
        return UsageError("config-bad-value", self.said(what, key), where=self.where(key), hint=hint)

    def missing(self, what: str, *, hint: str = "") -> UsageError:
        """Returns the error for a required key that is missing."""
        return UsageError("config-missing-key", self.said(what), where=self.where(), hint=hint)

    def said(self, what: str, key: str = "") -> str:
        """Returns `what` after the place in the file, such as `auth[0].login: ...`."""
        at = ".".join(part for part in (self.place, key) if part)
        return f"{at}: {what}" if at else what

    def only(self, known: Collection[str]) -> None:
        """Checks that the table has only keys of `known`. Raises: UsageError, for the first other key."""
        for key in self.values:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
                hint = f"Did you mean `{near[0]}`?" if near else f"Known are: {', '.join(sorted(known))}"
                raise UsageError("config-unknown-key", self.said("unknown key", key), where=self.where(key), hint=hint)

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Returns the value of a key, `default` if there is none. Raises: UsageError, if it is not of type `kind`."""
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(f"{_TYPE_NAMES[kind]} is expected, found {_kind(value)}", key)
        return value

    def text_of(self, key: str, default: str | None = None) -> str:
        """Returns the text of a key. Raises: UsageError, also if there is neither a text nor a default."""
        value = self.get(key, str, default)
        if value is None:
            raise self.missing(f"`{key}` is missing")
        return str(value)

    def table(self, key: str) -> Table | None:
        """Returns the nested table of a key; None if there is none. Raises: UsageError, if it is not a table."""
        value = self.values.get(key)
        return None if value is None else Table(value, self.file, f"{self.place}.{key}", self.text)

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """Returns (name, text) of each entry in a table of texts; empty if there is no table. Raises: UsageError."""
        table = self.table(key)
        return () if table is None else tuple((name, table.text_of(name)) for name in table.values)

    def where(self, key: str = "") -> str:
        """Returns `file:line` with the first line that contains the key; only the file if no line does."""
        last = re.escape(key or self.place.rsplit(".", 1)[-1].split("[")[0])
        for number, line in enumerate(self.text.splitlines(), start=1):
            if last and re.search(rf"(^|[\s{{,.\[\"']){last}[\"']?\s*[=:\].]", line):
                return f"{self.file}:{number}"
        return str(self.file)


def _kind(value: object) -> str:
    for kind, name in _TYPE_NAMES.items():
        if isinstance(value, kind):
            return name
    return type(value).__name__
