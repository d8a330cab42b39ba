"""Reads the text of a `.proto` file: its messages, enums and services, in all of proto2, proto3 and editions.

Options, extensions and reserved numbers do not change what is sent for the fields that are named, so they are skipped.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from wimble.model.protobuf_messages import SCALARS

_TOKEN: Final = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(\.?[A-Za-z_][\w.]*)|([-+]?[\d][\w.+-]*)|(.)""",
    re.DOTALL,
)
_LABELS: Final = frozenset({"optional", "required", "repeated"})
MAX_NESTED: Final = 30


class ProtoError(Exception):
    """The text is no definition that can be read."""


class RawField(msgspec.Struct, frozen=True, kw_only=True):
    """A field whose type is named as in the text."""

    name: str
    number: int
    kind: str
    is_list: bool = False
    key_kind: str = ""
    """Type of the keys of a map; empty for other fields."""
    is_choice: bool = False


class RawMessage(msgspec.Struct, frozen=True):
    """A message with its full name."""

    name: str
    fields: tuple[RawField, ...]


class RawMethod(msgspec.Struct, frozen=True, kw_only=True):
    """A method of a service, whose types are named as in the text, within `scope`."""

    path: str
    """As it is sent: `/shop.Prices/Get`."""
    answer: str
    scope: str
    is_stream: bool = False
    """Whether its answer is a stream of messages."""


class ProtoFile(msgspec.Struct):
    """The definitions of one file, by full names."""

    messages: list[RawMessage] = []
    enums: dict[str, tuple[tuple[str, int], ...]] = {}
    methods: list[RawMethod] = []


def read_proto(text: str) -> ProtoFile:
    """Returns what a text defines. Raises: ProtoError."""
    return _Reader(text).file()


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = [found[found.lastindex] for found in _TOKEN.finditer(text) if found.lastindex]
        self._at = 0
        self._file = ProtoFile()

    def file(self) -> ProtoFile:
        scope = ""
        while self._at < len(self._tokens):
            word = self._next()
            if word == "package":
                scope = self._next()
                self._skip_statement()
            else:
                self._definition(word, scope, 0)
        return self._file

    def _definition(self, word: str, scope: str, depth: int) -> bool:
        """Reads what begins with a word if it is a definition; else skips it. Returns whether it was one."""
        if depth > MAX_NESTED:
            raise ProtoError("too deep")
        if word == "message" and self._peek(1) == "{":
            self._message(_joined(scope, self._next()), depth)
        elif word == "enum" and self._peek(1) == "{":
            self._enum(_joined(scope, self._next()))
        elif word == "service" and self._peek(1) == "{":
            self._service(self._next(), scope)
        else:
            if word != ";":
                self._skip_statement()
            return False
        return True

    # -- messages

    def _message(self, name: str, depth: int) -> None:
        fields: list[RawField] = []
        self._expect("{")
        self._members(name, fields, depth)
        self._file.messages.append(RawMessage(name, tuple(fields)))

    def _members(self, name: str, fields: list[RawField], depth: int, *, is_choice: bool = False) -> None:
        while (word := self._next()) != "}":
            if word in ("message", "enum") and self._peek(1) == "{":
                self._definition(word, name, depth + 1)
            elif word == "oneof" and self._peek(1) == "{":
                self._next()
                self._expect("{")
                self._members(name, fields, depth, is_choice=True)
            elif word == "map" and self._peek(0) == "<":
                fields.append(self._map())
            elif word == "option" or (word in ("reserved", "extensions", "extend") and self._peek(1) != "="):
                self._skip_statement()
            elif word != ";":
                self._field(word, name, fields, depth, is_choice=is_choice)

    def _field(self, word: str, scope: str, fields: list[RawField], depth: int, *, is_choice: bool) -> None:
        is_list = word == "repeated"
        kind = self._next() if word in _LABELS else word
        name = self._next()
        self._expect("=")
        number = self._number()
        if kind == "group":
            self._skip_statement()  # no program uses these any more, and their encoding is another one
            return
        self._skip_statement()
        if not re.fullmatch(r"\.?[A-Za-z_][\w.]*", kind) or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ProtoError(f"{kind} {name} is no field")
        fields.append(RawField(name=name, number=number, kind=kind, is_list=is_list, is_choice=is_choice))

    def _map(self) -> RawField:
        self._expect("<")
        key = self._next()
        self._expect(",")
        kind = self._next()
        self._expect(">")
        name = self._next()
        self._expect("=")
        number = self._number()
        self._skip_statement()
        if key not in SCALARS:
            raise ProtoError(f"{key} is no type of a key")
        return RawField(name=name, number=number, kind=kind, key_kind=key)

    def _enum(self, name: str) -> None:
        values: list[tuple[str, int]] = []
        self._expect("{")
        while (word := self._next()) != "}":
            if self._peek(0) == "=" and word != "option":
                self._next()
                values.append((word, self._number()))
            if word != ";":
                self._skip_statement()
        self._file.enums[name] = tuple(values)

    # -- services

    def _service(self, name: str, scope: str) -> None:
        self._expect("{")
        while (word := self._next()) != "}":
            if word == "rpc":
                self._method(_joined(scope, name), scope)
            elif word != ";":
                self._skip_statement()

    def _method(self, service: str, scope: str) -> None:
        name = self._next()
        self._type()
        self._expect("returns")
        is_stream, answer = self._type()
        self._skip_statement()
        method = RawMethod(path=f"/{service}/{name}", answer=answer, scope=scope, is_stream=is_stream)
        self._file.methods.append(method)

    def _type(self) -> tuple[bool, str]:
        self._expect("(")
        word = self._next()
        is_stream = word == "stream" and self._peek(0) != ")"
        kind = self._next() if is_stream else word
        self._expect(")")
        return is_stream, kind

    # -- tokens

    def _next(self) -> str:
        if self._at >= len(self._tokens):
            raise ProtoError("the text ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self, ahead: int) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _expect(self, token: str) -> None:
        found = self._next()
        if found != token:
            raise ProtoError(f"{found} in the place of {token}")

    def _number(self) -> int:
        text = self._next()
        sign = text if text in ("-", "+") else ""
        text = sign + self._next() if sign else text
        try:
            return int(text, 8 if re.fullmatch(r"[-+]?0[0-7]+", text) else 0)
        except ValueError as error:
            raise ProtoError(f"{text} is no number") from error

    def _skip_statement(self) -> None:
        """Skips to the end of a statement: a semicolon, or a block in braces."""
        depth = 0
        while True:
            token = self._next()
            depth += (token in ("{", "[")) - (token in ("}", "]"))
            if depth == 0 and token in (";", "}"):
                # A block within a value (`option (a) = { b: 1 };`) has a semicolon behind it.
                if self._peek(0) == ";" and token == "}":
                    self._next()
                return
            if depth < 0:
                raise ProtoError(f"{token} without its beginning")


def _joined(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name
