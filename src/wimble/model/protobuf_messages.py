"""Messages of Protocol Buffers as plain data, and how a JSON document becomes the bytes of one.

The document is written as its language's JSON mapping writes it: names of fields as in the definition or in camel case,
enums by name, bytes in base64, maps as objects. Members that the message has not, and values that a field cannot hold,
are left out, as mutation may have changed either.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from wimble.types import Json

VARINT, FIXED_64, DELIMITED, FIXED_32 = 0, 1, 2, 5
"""Wire types."""
MAX_DEPTH: Final = 50
"""Messages within messages that are written."""
_BITS_64: Final = (1 << 64) - 1


class MessageField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a message."""

    name: str
    number: int
    kind: str
    """A scalar type (`sint32`), or the full name of a message or an enum."""
    is_list: bool = False
    is_map: bool = False
    """Whether it is a map, whose `kind` is the message of an entry."""
    is_choice: bool = False
    """Whether it excludes others of a `oneof`."""


class MessageType(msgspec.Struct, frozen=True):
    """A message with its full name (`shop.Price`)."""

    name: str
    fields: tuple[MessageField, ...]


class EnumType(msgspec.Struct, frozen=True):
    """An enum with its full name."""

    name: str
    values: tuple[tuple[str, int], ...]


class MessageShape(msgspec.Struct, frozen=True):
    """A message with all types that it refers to."""

    root: str
    messages: tuple[MessageType, ...] = ()
    enums: tuple[EnumType, ...] = ()

    def fields_of(self, name: str) -> tuple[MessageField, ...] | None:
        """Returns the fields of a message; None if there is none of that name."""
        return next((one.fields for one in self.messages if one.name == name), None)

    def values_of(self, name: str) -> tuple[tuple[str, int], ...] | None:
        """Returns the values of an enum; None if there is none of that name."""
        return next((one.values for one in self.enums if one.name == name), None)


def message_bytes(shape: MessageShape, value: Json) -> bytes:
    """Returns the message of the shape's root with that value."""
    return b"".join(_fields(shape, shape.root, value, 0))


def grpc_frames(shape: MessageShape, value: Json) -> bytes:
    """Returns a body of gRPC: for a message, or each message of a list, "not compressed", its length and its bytes."""
    messages = [message_bytes(shape, one) for one in (value if isinstance(value, list) else [value])]
    return b"".join(b"\0" + len(one).to_bytes(4, "big") + one for one in messages)


def _fields(shape: MessageShape, name: str, value: Json, depth: int) -> Iterator[bytes]:
    known = _by_name(shape.fields_of(name) or ())
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return
    for key, own in value.items():
        field = known.get(key)
        if field is None:
            continue
        for item in _items(field, own):
            encoded = _encoded(shape, field.kind, item, depth)
            if encoded is not None:
                wire, payload = encoded
                yield _varint(field.number << 3 | wire) + payload


@lru_cache(maxsize=1024)
def _by_name(fields: tuple[MessageField, ...]) -> dict[str, MessageField]:
    return {name: one for one in reversed(fields) for name in (camel_case(one.name), one.name)}


def camel_case(name: str) -> str:
    """Returns a name of a field as JSON has it: `unitPrice` for `unit_price`."""
    return re.sub(r"_+([a-zA-Z0-9])", lambda found: found[1].upper(), name)


def _items(field: MessageField, value: Json) -> list[Json]:
    if field.is_map:
        return [{"key": key, "value": own} for key, own in value.items()] if isinstance(value, dict) else []
    if field.is_list:
        return value if isinstance(value, list) else [value]
    return [value]


def _encoded(shape: MessageShape, kind: str, value: Json, depth: int) -> tuple[int, bytes] | None:
    """Returns wire type and bytes of a value; None if the field cannot hold it."""
    if value is None:
        return None
    write = _SCALARS.get(kind)
    if write is not None:
        return write(value)
    named = shape.values_of(kind)
    if named is not None:
        number = dict(named).get(value) if isinstance(value, str) else _whole(value)
        return None if number is None else (VARINT, _varint(number & _BITS_64))
    if not isinstance(value, dict):
        return None
    return _delimited(b"".join(_fields(shape, kind, value, depth + 1)))


def _varint(number: int) -> bytes:
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*parts, number))


def _delimited(content: bytes) -> tuple[int, bytes]:
    return DELIMITED, _varint(len(content)) + content


def _number(value: Json) -> float | int | None:
    """Returns a number; also of a text that is one, as the JSON mapping writes integers of 64 bits."""
    if isinstance(value, (int, float)):
        return value
    try:
        return int(value) if isinstance(value, str) else None
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return None


def _whole(value: Json) -> int | None:
    number = _number(value)
    return None if number is None or number != number or number in (float("inf"), -float("inf")) else int(number)


def _integer(bits: int, *, is_zigzag: bool = False) -> Callable[[Json], tuple[int, bytes] | None]:
    def write(value: Json) -> tuple[int, bytes] | None:
        number = _whole(value)
        if number is None:
            return None
        signed = (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
        if is_zigzag:
            return VARINT, _varint((signed << 1 ^ signed >> bits - 1) & (1 << bits) - 1)
        return VARINT, _varint(signed & _BITS_64)

    return write


def _unsigned(bits: int) -> Callable[[Json], tuple[int, bytes] | None]:
    def write(value: Json) -> tuple[int, bytes] | None:
        number = _whole(value)
        return None if number is None else (VARINT, _varint(number & (1 << bits) - 1))

    return write


def _fixed(bits: int) -> Callable[[Json], tuple[int, bytes] | None]:
    def write(value: Json) -> tuple[int, bytes] | None:
        number = _whole(value)
        wire = FIXED_32 if bits == 32 else FIXED_64
        return None if number is None else (wire, (number & (1 << bits) - 1).to_bytes(bits // 8, "little"))

    return write


def _real(code: str, wire: int) -> Callable[[Json], tuple[int, bytes] | None]:
    def write(value: Json) -> tuple[int, bytes] | None:
        number = _number(value)
        try:
            return None if number is None else (wire, struct.pack(code, number))
        except (OverflowError, struct.error):
            return None

    return write


def _boolean(value: Json) -> tuple[int, bytes] | None:
    return (VARINT, _varint(int(bool(value)))) if isinstance(value, (bool, int)) else None


def _text(value: Json) -> tuple[int, bytes] | None:
    if isinstance(value, (dict, list)):
        return None
    shown = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return _delimited(shown.encode(errors="replace"))


def _octets(value: Json) -> tuple[int, bytes] | None:
    if not isinstance(value, str):
        return None
    try:
        return _delimited(base64.b64decode(value, validate=True))
    except ValueError:
        return _delimited(value.encode(errors="replace"))


_SCALARS: Final[dict[str, Callable[[Json], tuple[int, bytes] | None]]] = {
    "double": _real("<d", FIXED_64),
    "float": _real("<f", FIXED_32),
    "int32": _integer(32),
    "int64": _integer(64),
    "uint32": _unsigned(32),
    "uint64": _unsigned(64),
    "sint32": _integer(32, is_zigzag=True),
    "sint64": _integer(64, is_zigzag=True),
    "fixed32": _fixed(32),
    "fixed64": _fixed(64),
    "sfixed32": _fixed(32),
    "sfixed64": _fixed(64),
    "bool": _boolean,
    "string": _text,
    "bytes": _octets,
}
SCALARS: Final = frozenset(_SCALARS)
