"""Builds a JSON value of YAML text, from the events of PyYAML's parser.

PyYAML's own composer recurses in C (a document of 200,000 brackets crashes the interpreter), converts `on`, `yes` and
dates by the rules of YAML 1.1, and silently keeps the last of duplicate keys. So this module composes the value itself.
Scalars follow the core schema of YAML 1.2 (§10.3), keys are always text, and nesting and the expansion of aliases are
limited.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from wimble.types import Json

MAX_DEPTH = 200
"""Maximum nesting of containers. Real documents stay below 40; Python's recursion limit allows for 1,000 frames."""
MAX_EXPANDED_VALUES = 2_000_000
"""Maximum number of values after aliases are expanded. The largest real documents have about 300,000."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"

_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_TRUE = frozenset(["true", "True", "TRUE"])
_FALSE = frozenset(["false", "False", "FALSE"])
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_MAX_DIGITS = 1000


class YamlTooLarge(Exception):
    """The document is nested too deep, or its aliases expand to too many values. The message says which."""


def parse_yaml(text: str, warnings: list[str]) -> Json:
    """Returns the first document of `text`. Raises yaml.YAMLError or YamlTooLarge."""
    return _Folder(warnings).fold(text)


class _Frame:
    """A container that is still open."""

    __slots__ = ("anchor", "key", "line", "merged", "size", "value")

    def __init__(self, value: dict[str, Json] | list[Json], anchor: str | None, line: int) -> None:
        self.value = value
        self.anchor = anchor
        self.line = line
        self.key: str | None = None
        self.merged: dict[str, Json] = {}
        self.size = 1


class _Folder:
    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._frames: list[_Frame] = []
        self._anchors: dict[str, tuple[Json, int]] = {}
        self._root: Json = None

    def fold(self, text: str) -> Json:
        n_documents = 0
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                n_documents += 1
                if n_documents > 1:
                    self._warn(event, "a second YAML document; only the first one is used")
                    break
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.MappingStartEvent):
                self._open({}, event)
            elif isinstance(event, yaml.SequenceStartEvent):
                self._open([], event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(event)
        return self._root

    def _open(self, container: dict[str, Json] | list[Json], event: Any) -> None:
        if len(self._frames) >= MAX_DEPTH:
            raise YamlTooLarge(f"line {event.start_mark.line + 1}: nested more than {MAX_DEPTH} levels deep")
        self._frames.append(_Frame(container, event.anchor, event.start_mark.line + 1))

    def _close(self, event: Any) -> None:
        frame = self._frames.pop()
        value = frame.value
        if frame.merged and isinstance(value, dict):
            for key, merged in frame.merged.items():
                value.setdefault(key, merged)
        if frame.anchor:
            self._anchors[frame.anchor] = (value, frame.size)
        self._place(value, frame.size, event, text=None)

    def _scalar(self, event: Any) -> None:
        text = event.value
        is_plain = event.implicit[0]
        value: Json = text
        if is_plain or (event.tag or "").startswith(_TAG):
            value = _scalar_value(text, event.tag)
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)
        self._place(value, 1, event, text=text)

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            # an alias to a container that is still open would make the container contain itself
            self._warn(event, f"`*{event.anchor}` has no anchor before it; null is used")
            self._place(None, 1, event, text="")
            return
        value, size = self._anchors[event.anchor]
        self._place(value, size, event, text=value if isinstance(value, str) else None)

    def _place(self, value: Json, size: int, event: Any, *, text: str | None) -> None:
        if not self._frames:
            self._root = value
            return
        frame = self._frames[-1]
        frame.size += size
        if frame.size > MAX_EXPANDED_VALUES:
            raise YamlTooLarge(
                f"line {event.start_mark.line + 1}: aliases expand to more than {MAX_EXPANDED_VALUES} values"
            )
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif frame.key is None:
            frame.key = self._key(value, event, text)
        else:
            self._entry(frame, frame.key, value, event)
            frame.key = None

    def _key(self, value: Json, event: Any, text: str | None) -> str:
        if text is not None:
            return str(text)
        self._warn(event, "a key that is not text; its text in Python is used")
        return repr(value)[:100]

    def _entry(self, frame: _Frame, key: str, value: Json, event: Any) -> None:
        mapping = frame.value
        assert isinstance(mapping, dict)
        if key == "<<" and isinstance(value, (dict, list)):
            for source in value if isinstance(value, list) else [value]:
                if isinstance(source, dict):
                    for name, inherited in source.items():
                        frame.merged.setdefault(name, inherited)
            return
        if key in mapping:
            self._warn(event, f"key `{key}` appears twice in one mapping; the last one is used")
        mapping[key] = value

    def _warn(self, event: Any, what: str) -> None:
        self._warnings.append(f"line {event.start_mark.line + 1}: {what}")


def _scalar_value(text: str, tag: str | None) -> Json:
    if tag == _TAG + "str" or tag == "!":
        return text
    if text in _NULL:
        return None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if len(text) <= _MAX_DIGITS:
        if _INTEGER.fullmatch(text):
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
    return text
