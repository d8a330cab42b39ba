"""The forms in which the JSON document that an answer's body is can be sent."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, TypeAlias, TypeGuard
from urllib.parse import urlencode

from wimble.model.setup_kinds.attribute_form import with_types
from wimble.model.setup_kinds.html_form import as_html
from wimble.types import Absent, Json
from wimble.xml_escapes import xml_escaped, xml_name

BodyForm: TypeAlias = Literal[
    "json",
    "text",
    "base64",
    "form",
    "lines",
    "events",
    "xml",
    "html",
    "csv",
    "semicolons",
    "tabs",
    "ini",
    "colons",
    "grpc",
    "proto",
    "messages",
    "replies",
    "attributes",
]
"""How a body is sent: as JSON; as the text that it is; decoded from base64; as fields of a form; each element of a
list as a line of JSON, or as a server-sent event; as XML elements; as HTML in which selectors find the members; each
element of a list as a row below the names of its members, between commas, semicolons or tabs; each member as a line
`name=value`, with those of objects in sections, or as a line `name: value`; as a message of gRPC, or one for each
element of a list; as the bytes of one message of Protocol Buffers; each element of a list as a message of a WebSocket,
at once or after a message of the client each; as JSON with the type of each value in its items (DynamoDB)."""

CONTENT_TYPES: Final[dict[BodyForm, str]] = {
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "base64": "application/octet-stream",
    "form": "application/x-www-form-urlencoded",
    "lines": "application/x-ndjson",
    "events": "text/event-stream",
    "xml": "application/xml",
    "html": "text/html; charset=utf-8",
    "csv": "text/csv",
    "semicolons": "text/csv",
    "tabs": "text/tab-separated-values",
    "ini": "text/plain",
    "colons": "text/plain",
    "grpc": "application/grpc",
    "proto": "application/proto",
    "attributes": "application/x-amz-json-1.0",
}
OF_WEB_SOCKET: Final[frozenset[BodyForm]] = frozenset({"messages", "replies"})
STREAMED: Final[frozenset[BodyForm]] = frozenset({"lines", "events", "messages", "replies"})
"""The forms of which the elements of a list are sent one by one."""
OF_MESSAGES: Final[frozenset[BodyForm]] = frozenset({"grpc", "proto"})
"""The forms of messages of Protocol Buffers."""
SEPARATORS: Final[dict[BodyForm, str]] = {"csv": ",", "semicolons": ";", "tabs": "\t"}
"""The forms of rows, with what stands between the cells."""
MARK: Final = "\n"
"""Ends each JSON body, so that the agent can tell its text from the same JSON in a request of the test case."""
XML_ATTRIBUTE: Final = "@"
"""Begins the name of a member that is an attribute in XML."""
XML_TEXT: Final = "#text"
"""The member that is the text of its element in XML."""


def text_parts(form: BodyForm, value: Json) -> tuple[str, ...]:
    """Returns the body with this value as it is sent: one text, or that of each line or event; base64 for bytes."""
    return _WRITERS[form](value)


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else _compact(value)


def _as_base64(value: Json) -> tuple[str, ...]:
    try:
        return (base64.b64encode(base64.b64decode(_plain(value))).decode(),)
    except ValueError:  # mutation has changed the text: its own bytes are as good
        return (base64.b64encode(_plain(value).encode()).decode(),)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _xml(name: str, value: Json) -> str:
    if isinstance(value, list):
        return "".join(_xml(name, item) for item in value)
    name = xml_name(name)
    if not isinstance(value, dict):
        return f"<{name}>{xml_escaped(_plain(value))}</{name}>"
    attributes = [(key[1:], _plain(own)) for key, own in value.items() if key.startswith(XML_ATTRIBUTE)]
    start = name + "".join(f' {xml_name(key)}="{xml_escaped(own, in_attribute=True)}"' for key, own in attributes)
    inner = "".join(
        xml_escaped(_plain(own)) if key == XML_TEXT else _xml(key, own)
        for key, own in value.items()
        if not key.startswith(XML_ATTRIBUTE)
    )
    return f"<{start}>{inner}</{name}>"


def _as_xml(value: Json) -> tuple[str, ...]:
    """Returns a document whose root is the only member of the value, or `root`."""
    if isinstance(value, str):
        return (value,)
    name, inner = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else ("root", value)
    return (f'<?xml version="1.0"?>{_xml(name, inner if not isinstance(inner, list) else {"item": inner})}',)


def _as_rows(value: Json, separator: str) -> tuple[str, ...]:
    """Returns rows below the names that any element has; elements that are lists are rows without names."""
    rows = [item if isinstance(item, (dict, list)) else [item] for item in _listed(value)]
    names = list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))
    lines = [names, *(_cells(row, names) for row in rows)] if names else [_cells(row, names) for row in rows]
    # No line break at the end: some parsers would see one more row.
    return ("\n".join(separator.join(_cell(one, separator) for one in line) for line in lines),)


def _cells(row: dict[str, Json] | list[Json], names: list[str]) -> list[Json]:
    return row if isinstance(row, list) else [row.get(name, "") for name in names]


def _cell(value: Json, separator: str) -> str:
    text = _plain(value)
    return '"' + text.replace('"', '""') + '"' if separator in text or re.search(r'["\r\n]', text) else text


def _as_ini(value: Json) -> tuple[str, ...]:
    """Values keep their line breaks, so that a text of another kind of lines can grow from one."""
    members = value if isinstance(value, dict) else {"value": value}
    sections = {name: own for name, own in members.items() if isinstance(own, dict)}
    lines = [f"{name}={_plain(own)}\n" for name, own in members.items() if name not in sections]
    for name, section in sections.items():
        lines += [f"[{name}]\n", *(f"{key}={_plain(own)}\n" for key, own in section.items())]
    return ("".join(lines),)


def _with_colons(value: Json) -> tuple[str, ...]:
    """Without a line break at the end: some programs would see a line without a value."""
    members = value if isinstance(value, dict) else {"value": value}
    return ("\n".join(f"{name}: {_in_line(own)}" for name, own in members.items()),)


def _in_line(value: Json) -> str:
    return " ".join(_plain(value).splitlines())


EVENT_FIELDS: Final = frozenset({"event", "data", "id", "retry"})
"""Fields of a server-sent event (HTML, 9.2.6)."""


def has_event_fields(value: Json | Absent) -> TypeGuard[dict[str, Json]]:
    """Whether a value has the fields of a server-sent event. Otherwise, it is the data of one."""
    return isinstance(value, dict) and "data" in value and value.keys() <= EVENT_FIELDS


def _event(value: Json) -> str:
    """Returns an event whose data are the value; or whose fields, if it has the names of fields alone."""
    fields = value if has_event_fields(value) else {"data": value}
    return "".join(f"{name}: {_in_line(own)}\n" for name, own in fields.items()) + "\n"


_WRITERS: Final[dict[BodyForm, Callable[[Json], tuple[str, ...]]]] = {
    "json": lambda value: (_compact(value) + MARK,),
    "text": lambda value: (_plain(value),),
    "base64": _as_base64,
    "form": lambda value: (urlencode(value if isinstance(value, dict) else {"value": _plain(value)}, doseq=True),),
    "lines": lambda value: tuple(_compact(item) + "\n" for item in _listed(value)),
    "events": lambda value: tuple(_event(item) for item in _listed(value)),
    "xml": _as_xml,
    "html": lambda value: (as_html(value),),
    **{form: partial(_as_rows, separator=separator) for form, separator in SEPARATORS.items()},
    "ini": _as_ini,
    "colons": _with_colons,
    "grpc": _as_base64,
    "proto": _as_base64,
    "attributes": lambda value: (_compact(with_types(value)) + MARK,),
    **dict.fromkeys(OF_WEB_SOCKET, lambda value: tuple(_plain(item) for item in _listed(value))),
}
