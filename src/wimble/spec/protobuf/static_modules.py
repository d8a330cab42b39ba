"""Reads definitions of Protocol Buffers out of static modules of protobufjs (`pbjs -t static-module`).

Their functions that encode are alike in all versions, and say number, type and name of each field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wimble.spec.protobuf.proto_text import RawField, RawMessage, RawMethod

HINT: Final = "wireType"
"""In any such module."""
_ENCODER: Final = re.compile(
    r"^(?P<margin>\s*)(?P<path>[\w.$]+)\.encode = function(?: encode)? ?\(message, writer", re.MULTILINE
)
_ID: Final = r"uint32\(/\* ?id (?P<number>\d+), wireType \d ?=\*/ ?\d+\)"
_SCALAR: Final = re.compile(_ID + r"\.(?P<kind>[a-z]\w*?)(?P<packed>s)?\(message\.(?P<name>\w+)(?P<each>\[i\])?\)")
"""A packed list is written at once by new versions (`int32s`); no type ends with an `s` but `bytes`."""
_PACKED: Final = re.compile(
    _ID + r"\.fork\(\);\s*for \(.*?writer\.(?P<kind>\w+)\(message\.(?P<name>\w+)\[i\]\)", re.DOTALL
)
_MESSAGE: Final = re.compile(r"(?P<kind>[\w$.]+)\.encode\(message\.(?P<name>\w+)(?P<each>\[i\])?, writer\." + _ID)
_ENTRY: Final = re.compile(
    _ID + r"\.fork\(\)\.uint32\([^)]*\)\.(?P<key>\w+)\(keys\[i\]\)(?P<value>.{0,120})", re.DOTALL
)
_ENTRY_SCALAR: Final = re.compile(r"\.uint32\([^)]*\)\.(?P<kind>\w+)\(message\.(?P<name>\w+)\[keys")
_ENTRY_MESSAGE: Final = re.compile(r"(?P<kind>[\w$.]+)\.encode\(message\.(?P<name>\w+)\[keys")
_METHOD: Final = re.compile(
    r"(?P<service>\w+)\.prototype\.\w+ = function[^{]*\{\s*return [^\n]*rpcCall[^\n]*, [\w$.]+, (?P<answer>[\w$.]+), "
    r"request, callback\);\s*\}, (?:\"name\", \{ ?value: \"(?P<named>\w+)\"|\{(?P<more>.{0,400}?)\}\);)",
    re.DOTALL,
)
_MEMBER_OF: Final = re.compile(r"@memberof ([\w.]+)")
_NAME: Final = re.compile(r"name: \{ ?value: \"(\w+)\"")
_STREAM: Final = re.compile(r"responseStream: \{ ?value: true")


def messages_of_encoders(text: str) -> Iterator[RawMessage]:
    """Yields the messages, by the last part of their names."""
    for one in _ENCODER.finditer(text):
        end = text.find("\n" + one["margin"].lstrip("\n") + "}", one.end())
        yield RawMessage(_last(one["path"]), tuple(_fields(text[one.end() : end if end >= 0 else len(text)])))


def _fields(body: str) -> Iterator[RawField]:
    for one in _SCALAR.finditer(body):
        kind, is_packed = one["kind"], bool(one["packed"])
        if kind == "byte":
            kind, is_packed = "bytes", False
        yield _field(one, kind, is_list=is_packed or bool(one["each"]))
    for one in _PACKED.finditer(body):
        yield _field(one, one["kind"], is_list=True)
    for one in _MESSAGE.finditer(body):
        yield _field(one, one["kind"], is_list=bool(one["each"]))
    for one in _ENTRY.finditer(body):
        value = _ENTRY_SCALAR.search(one["value"]) or _ENTRY_MESSAGE.search(one["value"])
        if value is not None:
            kind, key_kind = _last(value["kind"]), one["key"]
            yield RawField(name=value["name"], number=int(one["number"]), kind=kind, key_kind=key_kind)


def _field(found: re.Match[str], kind: str, *, is_list: bool) -> RawField:
    return RawField(name=found["name"], number=int(found["number"]), kind=_last(kind), is_list=is_list)


def methods_of_services(text: str) -> Iterator[RawMethod]:
    """Yields the methods of services, which name their own path since version 8; before, comments have the package."""
    for one in _METHOD.finditer(text):
        name = one["named"] or _first(_NAME, one["more"])
        scopes = [scope for scope in _MEMBER_OF.findall(text[: one.start()]) if _last(scope) == one["service"]]
        if name and scopes:
            is_stream = _STREAM.search(one["more"] or "") is not None
            yield RawMethod(path=f"/{scopes[-1]}/{name}", answer=_last(one["answer"]), scope="", is_stream=is_stream)


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _last(name: str) -> str:
    return name.rpartition(".")[2]
