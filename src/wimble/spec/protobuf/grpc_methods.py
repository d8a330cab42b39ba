"""The answers of methods of gRPC services, by the definitions of a project."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.model.protobuf_messages import SCALARS, EnumType, MessageField, MessageShape, MessageType
from wimble.spec.protobuf.generated_code import read_generated
from wimble.spec.protobuf.proto_text import ProtoError, ProtoFile, RawMessage, RawMethod, read_proto
from wimble.spec.protobuf.well_known import WELL_KNOWN

MAX_TYPES: Final = 300
"""Messages and enums of one answer."""


class GrpcAnswer(msgspec.Struct, frozen=True):
    """The answers of a method."""

    shape: MessageShape
    is_stream: bool


class GrpcMethods:
    """The methods of all definitions that were added. Of several definitions of one name, the first one counts."""

    def __init__(self) -> None:
        self._messages: dict[str, RawMessage] = {}
        self._enums: dict[str, tuple[tuple[str, int], ...]] = {}
        self._methods: dict[str, RawMethod] = {}
        self._add(read_proto(WELL_KNOWN))

    def add(self, text: str) -> bool:
        """Adds the definitions of a file; False if it cannot be read."""
        try:
            self._add(read_proto(text))
        except ProtoError:
            return False
        return True

    def add_generated(self, text: str) -> None:
        """Adds the definitions from which a file of source code was generated; nothing if it was not."""
        self._add(read_generated(text))

    def _add(self, file: ProtoFile) -> None:
        for message in file.messages:
            self._messages.setdefault(message.name, message)
        for name, values in file.enums.items():
            self._enums.setdefault(name, values)
        for method in file.methods:
            self._methods.setdefault(method.path, method)

    def __contains__(self, path: str) -> bool:
        return path in self._methods

    def answer_of(self, path: str) -> GrpcAnswer | None:
        """Returns the answer of a method, by its path (`/shop.Prices/Get`); None if its message is not defined."""
        method = self._methods.get(path)
        root = None if method is None else self._resolved(method.answer, method.scope)
        if method is None or root is None or root not in self._messages:
            return None
        return GrpcAnswer(self._shape(root), method.is_stream)

    def _shape(self, root: str) -> MessageShape:
        messages: dict[str, MessageType] = {}
        enums: dict[str, EnumType] = {}
        waiting = [root]
        while waiting and len(messages) + len(enums) < MAX_TYPES:
            name = waiting.pop(0)
            if name in self._enums:
                enums[name] = EnumType(name, self._enums[name])
            elif name not in messages:
                messages[name], *entries = self._message(self._messages[name])
                messages.update((entry.name, entry) for entry in entries)
                fields = [field for one in (messages[name], *entries) for field in one.fields]
                waiting += [one.kind for one in fields if one.kind not in SCALARS and one.kind not in messages]
        return MessageShape(root, tuple(messages.values()), tuple(enums.values()))

    def _message(self, raw: RawMessage) -> Iterator[MessageType]:
        """Yields a message, and those of the entries of its maps."""
        fields: list[MessageField] = []
        entries: list[MessageType] = []
        for one in raw.fields:
            kind = one.kind if one.kind in SCALARS else self._resolved(one.kind, raw.name)
            if kind is None:
                continue
            if one.key_kind:
                entry = f"{raw.name}.{one.name} entry"  # no name that a definition can have
                pair = (
                    MessageField(name="key", number=1, kind=one.key_kind),
                    MessageField(name="value", number=2, kind=kind),
                )
                entries.append(MessageType(entry, pair))
                kind = entry
            fields.append(
                MessageField(
                    name=one.name,
                    number=one.number,
                    kind=kind,
                    is_list=one.is_list,
                    is_map=bool(one.key_kind),
                    is_choice=one.is_choice,
                )
            )
        yield MessageType(raw.name, tuple(fields))
        yield from entries

    def _resolved(self, name: str, scope: str) -> str | None:
        """Returns the full name of a type: it is looked for in the scope, then in what is around that."""
        if name.startswith("."):
            return name[1:] if name[1:] in self._messages or name[1:] in self._enums else None
        parts = scope.split(".") if scope else []
        for at in range(len(parts), -1, -1):
            full = ".".join((*parts[:at], name))
            if full in self._messages or full in self._enums:
                return full
        return None
