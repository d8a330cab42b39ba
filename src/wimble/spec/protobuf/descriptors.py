"""Reads descriptors: definitions of Protocol Buffers that are themselves messages (`FileDescriptorProto`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.spec.protobuf.proto_text import ProtoFile, RawField, RawMessage, RawMethod

KINDS: Final = {
    1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32", 8: "bool",
    9: "string", 12: "bytes", 13: "uint32", 15: "sfixed32", 16: "sfixed64", 17: "sint32", 18: "sint64",
}  # fmt: skip
"""`FieldDescriptorProto.Type` of scalars."""
REPEATED: Final = 3
"""`FieldDescriptorProto.Label`."""
MAX_DEPTH: Final = 30

Part = int | bytes


class DescriptorError(Exception):
    """The bytes are no descriptor."""


def read_descriptor(data: bytes) -> ProtoFile:
    """Returns what a file descriptor defines. Raises: DescriptorError."""
    file = _Fields(data)
    package = file.text(2)
    found = ProtoFile(messages=[], enums={}, methods=[])
    for message in file.all(4):
        _add_message(message, package, found, 0)
    for enum in file.all(5):
        _add_enum(enum, package, found)
    for service in file.all(6):
        name = _joined(package, service.text(1))
        for method in service.all(2):
            path = f"/{name}/{method.text(1)}"
            answer = method.text(3)
            found.methods.append(RawMethod(path=path, answer=answer, scope="", is_stream=bool(method.number(6))))
    return found


def _add_message(message: _Fields, scope: str, found: ProtoFile, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise DescriptorError("too deep")
    name = _joined(scope, message.text(1))
    entries = {
        f".{name}.{one.text(1)}": {field.number(3): _kind(field) for field in one.all(2)}
        for one in message.all(3)
        if any(options.number(7) for options in one.all(7))
    }
    for nested in message.all(3):
        if f".{name}.{nested.text(1)}" not in entries:
            _add_message(nested, name, found, depth + 1)
    for enum in message.all(4):
        _add_enum(enum, name, found)
    found.messages.append(RawMessage(name, tuple(_field(one, entries) for one in message.all(2))))


def _field(field: _Fields, entries: dict[str, dict[int, str]]) -> RawField:
    entry = entries.get(field.text(6), {})
    return RawField(
        name=field.text(1),
        number=field.number(3),
        kind=entry.get(2) or _kind(field),
        is_list=not entry and field.number(4) == REPEATED,
        key_kind=entry.get(1, ""),
        is_choice=field.has(9) and not field.number(17),
    )


def _kind(field: _Fields) -> str:
    return KINDS.get(field.number(5)) or field.text(6)


def _add_enum(enum: _Fields, scope: str, found: ProtoFile) -> None:
    values = tuple((value.text(1), value.number(2)) for value in enum.all(2))
    found.enums[_joined(scope, enum.text(1))] = values


def _joined(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


class _Fields(msgspec.Struct):
    """The fields of one message as they are encoded."""

    data: bytes

    def _parts(self) -> Iterator[tuple[int, Part]]:
        at = 0
        while at < len(self.data):
            tag, at = self._varint(at)
            kind = tag & 7
            if kind == 0:
                value, at = self._varint(at)
                yield tag >> 3, value
                continue
            if kind == 2:
                length, at = self._varint(at)
            elif kind in (1, 5):
                length = 8 if kind == 1 else 4
            else:
                raise DescriptorError(f"wire type {kind}")
            if at + length > len(self.data):
                raise DescriptorError("too short")
            yield tag >> 3, self.data[at : at + length]
            at += length

    def _varint(self, at: int) -> tuple[int, int]:
        value = shift = 0
        while at < len(self.data) and shift < 70:
            byte = self.data[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value, at
        raise DescriptorError("no number")

    def all(self, number: int) -> list[_Fields]:
        return [_Fields(value) for field, value in self._parts() if field == number and isinstance(value, bytes)]

    def has(self, number: int) -> bool:
        return any(field == number for field, _ in self._parts())

    def text(self, number: int) -> str:
        found = self.all(number)
        return found[-1].data.decode("utf-8", "replace") if found else ""

    def number(self, number: int) -> int:
        found = [value for field, value in self._parts() if field == number and isinstance(value, int)]
        return found[-1] if found else 0
