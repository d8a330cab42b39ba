"""Writes JSON values as literals of a language, on one line if they fit, else with one item per line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from wimble.types import Json


class Literals(NamedTuple):
    """The syntax of a language's literals."""

    line_width: int
    indent: str
    key: Callable[[str], str]
    scalar: Callable[[Json, Mapping[str, str]], str]
    """(value, marks) -> the literal of a scalar. marks: strings, and digits of integers, that are replaced by
    expressions."""
    braces: tuple[str, str]
    """The opening and closing brace of an object on one line, with the spaces within them."""

    def text(self, value: Json, marks: Mapping[str, str], indent: str = "", *, column: int = 0) -> str:
        """Returns the literal of a value. column: the column at which it starts."""
        flat = self._flat(value, marks)
        if len(flat) + column + len(indent) <= self.line_width or not isinstance(value, list | dict) or not value:
            return flat
        deeper = indent + self.indent
        if isinstance(value, list):
            items = [deeper + self.text(item, marks, deeper) + ",\n" for item in value]
            return "[\n" + "".join(items) + indent + "]"
        keys = {key: self.key(key) + ": " for key in value}
        pairs = [
            deeper + keys[key] + self.text(item, marks, deeper, column=len(keys[key]) + 1) + ",\n"
            for key, item in value.items()
        ]
        return "{\n" + "".join(pairs) + indent + "}"

    def _flat(self, value: Json, marks: Mapping[str, str]) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(self._flat(item, marks) for item in value) + "]"
        if isinstance(value, dict):
            inner = ", ".join(f"{self.key(key)}: {self._flat(item, marks)}" for key, item in value.items())
            return self.braces[0] + inner + self.braces[1] if inner else "{}"
        return self.scalar(value, marks)
