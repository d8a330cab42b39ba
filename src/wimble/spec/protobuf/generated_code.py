"""Reads definitions of Protocol Buffers out of code that was generated from them, for programs without `.proto` files.

Five styles are known: functions that decode field by field (ts-proto), the same of google-protobuf, functions that
encode so (static modules of protobufjs), tables of fields (protobuf-ts, protobuf-es 1), and descriptors in base64
(protobuf-es 2). Messages are called by the names that the code has for them, which methods name as well.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import Final

from wimble.base64url import from_base64url
from wimble.spec.protobuf import static_modules
from wimble.spec.protobuf.descriptors import DescriptorError, read_descriptor
from wimble.spec.protobuf.proto_text import ProtoFile, RawField, RawMessage, RawMethod

HINTS: Final = (
    "reader.uint32()",
    "deserializeBinaryFromReader",
    'kind: "scalar"',
    "fileDesc(",
    "responseDeserialize",
    static_modules.HINT,
)
"""One of them is in any file that defines messages or methods."""
MAX_SPAN: Final = 2_000
"""Characters of the description of one method."""
_SCALARS: Final = {
    1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32", 8: "bool",
    9: "string", 12: "bytes", 13: "uint32", 15: "sfixed32", 16: "sfixed64", 17: "sint32", 18: "sint64",
}  # fmt: skip
"""The numbers that tables of fields have for types."""

_DECODER: Final = re.compile(
    r"^(?:export )?(?:const |exports\.)(?P<object>\w+)\b[^=\n]*= \{\n(?:(?!^\};?$).)*?^(?P<indent> +)decode\("
    r"|^(?P<margin>\s*)(?P<path>[\w.$]+)\.decode = function(?: decode)? ?\(",
    re.DOTALL | re.MULTILINE,
)
_CASE: Final = re.compile(r"\bcase (\d+): ?\{?(.*?)(?=\bcase \d+:|\bdefault:|\n  \},?\n|\Z)", re.DOTALL)
_READ_SCALAR: Final = re.compile(
    r"reader\.(double|float|u?int(?:32|64)|s(?:int|fixed)(?:32|64)|fixed(?:32|64)|bool|string|bytes)\(\)"
)
_READ_MESSAGE: Final = re.compile(r"([\w$.]+)\.decode\(reader, ")
_ASSIGNED: Final = re.compile(r"message\.(\w+)(?: = |\.push\(|\[)")
_GOOGLE: Final = re.compile(
    r"(?:proto\.)?([\w.]+)\.deserializeBinaryFromReader = function\(msg, reader\) \{(.*?)\n\};", re.DOTALL
)
_GOOGLE_READ: Final = re.compile(r"\breader\.read(?:Packed)?([A-Z]\w*)\(")
_GOOGLE_SET: Final = re.compile(r"msg\.(set|add|get)(\w+?)(Map)?\(")
_GOOGLE_MESSAGE: Final = re.compile(r"new (?:proto\.)?([\w.]+);")
_GOOGLE_MAP: Final = re.compile(r"BinaryReader\.prototype\.read(\w+)")
_TABLE: Final = re.compile(r"(?:super|makeMessageType)\(\s*\"([\w.]+)\",\s*(?:\(\) => )?\[(.*?)\n\s*\]", re.DOTALL)
_TABLE_FIELD: Final = re.compile(r"\{ ?no: (\d+), name: \"(\w+)\",(.*?)\}(?=,?\s*(?:\{ ?no: |\Z))", re.DOTALL)
_DESCRIPTOR: Final = re.compile(r"fileDesc\(\s*\"([\w+/=-]+)\"")
_PATH: Final = re.compile(r"[\"'](/[\w.]+/\w+)[\"']")
_PATH_ANSWER: Final = re.compile(
    r"responseType: ?([\w.]+)|responseDeserialize:[^\n]*?([\w.]+)\.(?:decode|deserializeBinary|fromBinary)\("
    r"|([\w.]+)\.deserializeBinary\b"
)
_SERVICE: Final = re.compile(r"(?:fullName|typeName): \"([\w.]+)\"|new (?:\w+\.)?ServiceType\(\"([\w.]+)\"")
_METHOD: Final = re.compile(r"\bname: \"(\w+)\"")
_METHOD_ANSWER: Final = re.compile(r"\b(?:O|responseType): ?([\w.]+)")
_STREAM: Final = re.compile(
    r"(?:serverStreaming|responseStream): true|MethodKind\.(?:Server|BiDi)Streaming|SERVER_STREAMING"
)


def read_generated(text: str) -> ProtoFile:
    """Returns what the text of a file defines; nothing if it is not generated."""
    if not any(hint in text for hint in HINTS):
        return ProtoFile()
    described = [one for encoded in _DESCRIPTOR.findall(text) if (one := _described(encoded)) is not None]
    messages = {one.name: one for reader in _READERS for one in reader(text)}
    return ProtoFile(
        messages=[
            *(message for one in described for message in one.messages),
            *(_with_maps(one, messages) for one in messages.values()),
        ],
        enums={name: values for one in described for name, values in one.enums.items()},
        methods=[
            *(method for one in described for method in one.methods),
            *_by_path(text),
            *_by_service(text),
            *static_modules.methods_of_services(text),
        ],
    )


def _described(encoded: str) -> ProtoFile | None:
    try:
        return read_descriptor(from_base64url(encoded))
    except (binascii.Error, DescriptorError):
        return None


def _simple(name: str) -> str:
    """Returns the name by which messages are found: the last part, as modules have names of their own."""
    return name.removeprefix("$root.").removeprefix("proto.").rpartition(".")[2]


# ---- functions that decode


def _decoded(text: str) -> Iterator[RawMessage]:
    for one in _DECODER.finditer(text):
        end = text.find("\n" + (one["indent"] or one["margin"] or "").lstrip("\n") + "}", one.end())
        body = text[one.end() : end if end >= 0 else len(text)]
        yield RawMessage(_simple(one["object"] or one["path"]), tuple(_decoded_fields(body)))


def _decoded_fields(body: str) -> Iterator[RawField]:
    for number, code in _CASE.findall(body):
        name, scalar, message = _ASSIGNED.search(code), _READ_SCALAR.search(code), _READ_MESSAGE.search(code)
        kind = _simple(message[1]) if message else scalar[1] if scalar else ""
        if name is None or not kind:
            continue
        is_entry = message is not None and name[0].endswith("[")
        yield RawField(
            name=name[1],
            number=int(number),
            kind=kind,
            is_list=".push(" in code,
            key_kind="string" if is_entry else "",
        )


def _with_maps(message: RawMessage, messages: dict[str, RawMessage]) -> RawMessage:
    """Returns a message whose maps have the types of their entries: an entry is decoded as a message."""
    fields = []
    for field in message.fields:
        entry = messages.get(field.kind) if field.key_kind and field.kind.endswith("Entry") else None
        kinds = {one.number: one.kind for one in entry.fields} if entry else {}
        if 1 in kinds and 2 in kinds:
            field = RawField(name=field.name, number=field.number, kind=kinds[2], key_kind=kinds[1])
        fields.append(field)
    return RawMessage(message.name, tuple(fields))


# ---- google-protobuf


def _of_google(text: str) -> Iterator[RawMessage]:
    for name, body in _GOOGLE.findall(text):
        yield RawMessage(_simple(name), tuple(_google_fields(body)))


def _google_fields(body: str) -> Iterator[RawField]:
    for number, code in _CASE.findall(body):
        found = _GOOGLE_SET.search(code)
        if found is None:
            continue
        name = found[2][0].lower() + found[2][1:]
        if found[3]:
            key, *kinds = _GOOGLE_MAP.findall(code)
            value = re.search(r"(?:proto\.)?([\w.]+)\.deserializeBinaryFromReader", code)
            kind = _simple(value[1]) if value else _google_kind(kinds[0]) if kinds else ""
            if kind:
                yield RawField(name=name, number=int(number), kind=kind, key_kind=_google_kind(key))
            continue
        message, read = _GOOGLE_MESSAGE.search(code), _GOOGLE_READ.search(code)
        kind = _simple(message[1]) if message else _google_kind(read[1]) if read else ""
        if kind:
            yield RawField(name=name, number=int(number), kind=kind, is_list=found[1] == "add" or "Packed" in code)


def _google_kind(function: str) -> str:
    """Returns the type that a function reads, such as `Int64String`. The names of enums are not in the code."""
    kind = function.removesuffix("String").lower() or "string"
    return {"enum": "int32"}.get(kind, kind)


# ---- tables of fields


def _of_tables(text: str) -> Iterator[RawMessage]:
    for name, body in _TABLE.findall(text):
        scope = ".".join(part for part in name.split(".") if part[:1].isupper())
        yield RawMessage(scope.replace(".", "_"), tuple(_table_fields(body)))


def _table_fields(body: str) -> Iterator[RawField]:
    for number, name, rest in _TABLE_FIELD.findall(body.strip()):
        key = re.search(r"\bK: (\d+)", rest)
        value = rest[rest.index("V: ") :] if key and "V: " in rest else rest
        kind = _table_kind(value)
        if kind:
            yield RawField(
                name=name,
                number=int(number),
                kind=kind,
                is_list=re.search(r"\brepeat(?:ed)?: (?:[12]|true)", rest) is not None,
                key_kind=_SCALARS.get(int(key[1]), "") if key else "",
                is_choice="oneof: " in rest,
            )


def _table_kind(rest: str) -> str:
    scalar = re.search(r"\bT: (\d+)", rest)
    if scalar:
        return _SCALARS.get(int(scalar[1]), "")
    if 'kind: "enum"' in rest:
        return "int32"
    message = re.search(r"\bT: (?:\(\) => )?([\w.]+)", rest)
    return _simple(message[1]) if message else ""


# ---- methods


def _by_path(text: str) -> Iterator[RawMethod]:
    """Yields methods that are described beside their path."""
    found = list(_PATH.finditer(text))
    for at, one in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        span = text[one.end() : min(end, one.end() + MAX_SPAN)]
        answer = _PATH_ANSWER.search(span)
        if answer:
            named = next(filter(None, answer.groups()))
            is_stream = _STREAM.search(span) is not None
            yield RawMethod(path=one[1], answer=_simple(named), scope="", is_stream=is_stream)


def _by_service(text: str) -> Iterator[RawMethod]:
    """Yields methods that are described within their service."""
    services = list(_SERVICE.finditer(text))
    for at, service in enumerate(services):
        end = services[at + 1].start() if at + 1 < len(services) else len(text)
        methods = list(_METHOD.finditer(text, service.end(), end))
        for index, method in enumerate(methods):
            stop = methods[index + 1].start() if index + 1 < len(methods) else min(end, method.end() + MAX_SPAN)
            span = text[method.end() : stop]
            answer = _METHOD_ANSWER.search(span)
            if answer:
                path = f"/{service[1] or service[2]}/{method[1]}"
                is_stream = _STREAM.search(span) is not None
                yield RawMethod(path=path, answer=_simple(answer[1]), scope="", is_stream=is_stream)


_READERS: Final = (_decoded, _of_google, _of_tables, static_modules.messages_of_encoders)
"""What yields messages; of those with one name, the last one counts."""
