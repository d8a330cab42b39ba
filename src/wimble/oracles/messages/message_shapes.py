"""Shapes of messages: a message without its numbers, ids, quoted texts and the inputs of the call.

Two messages of one fault have the same shape. So the shape is part of the key of a finding.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urlsplit

from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.json_texts import held_json
from wimble.types import ABSENT, Absent, Json

MAX_SHAPE_CHARS = 200
MAX_TITLE_CHARS = 140
MIN_INPUT_CHARS = 3
"""Shorter inputs (`a`, `1`) occur in messages by chance."""
MAX_INPUTS = 200
_MAX_DEPTH = 12

_QUOTED = re.compile(r"""(\b(?:reading|setting|property) )?("[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’)""")
_IDENTIFIER = re.compile(r"[\"'`][A-Za-z_$][A-Za-z_$]*[\"'`]")
_ID = re.compile(
    r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{8,}\b"
)
_PATTERN = re.compile(
    r"(?i)(\binvalid regular expression\b|\bregular expression is invalid\b).*"
    r"|\b(unclosed|unterminated|unmatched|missing|mismatched|unbalanced)\b.*"
    r"\b(group|character class|parenthes[ie]s)\b.*"
    r"|\b(dangling meta ?character|nothing to repeat|quantifier (brace|does not follow)|lone quantifier)\b.*"
    r"|\billegal (repetition|argument to a regular expression)\b.*"
)
"""The message says what is wrong with a pattern, and may quote the pattern. Which way a client's text is no pattern
depends on the text."""
_CONSTRAINT = re.compile(r"(\bconstraint failed: ).+")
"""SQLite names tables, columns or the rule itself. Other databases put these names between quotes, which are masked as
well."""
_PROVIDED = re.compile(r"(\bExpected .+, provided ).+?(?=\.?$)")
"""Prisma names the type of the value that it received, which may be any type but the expected one."""
_TYPE_WORD = (
    r"(?:(?:of )?(?:type |an? )?(?:instance of [\w$]+|function [\w$]+|undefined|null|NaN|boolean|number|string|object"
    r"|array|function|symbol|bigint|date|…)(?: \([^()]*\))?)"
)
_GOT = re.compile(
    rf"(\b(?:[Rr]eceived|[Gg]ot|[Gg]iven|[Aa]rguments?:|but (?:was|found)) ){_TYPE_WORD}(?:,? {_TYPE_WORD})*"
)
"""Runtimes, validators and hash functions name the type of the value that they got, which may be any wrong one."""
_TYPE_OF_VALUE = re.compile(r"(failed for value \S+ )\(type \w+\)")
"""Mongoose names the type of the value that it could not convert."""
_NO_JSON = re.compile(
    r"\A(?:(SyntaxError: )(?=.*\bJSON\b)"
    r"|(?=(?:Unexpected|No number|Expected|Bad|Unterminated|Exponent|\").*\bJSON\b)|(?=Unexpected token '.+?', \")).+",
    re.DOTALL,
)
"""The message tells at which character a text is no JSON, and quotes the text, which may have several lines. Where an
answer shows it, the class of the error may be missing."""
_VALUE_AT_END = re.compile(
    r"\b(Invalid (?:time zone specified|currency code|calendar|language tag|count value|unit argument for \w+\(\))"
    r" ?: ?).*",
    re.DOTALL,
)
"""Engines end these messages with the value, in other letters where it has some beyond ASCII."""
_NULLISH = re.compile(r"\b(?:undefined|null|NaN)\b")
"""Whether a value is missing in one way or the other depends on the data, and so does whether an id is a number."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_MASKED = r"(?:'…'|\$?…|\bDEFAULT\b)"
_LIST = re.compile(rf"\(\s*{_MASKED}(?:\s*,\s*{_MASKED})*\s*\)|{_MASKED}(?:\s*,\s*{_MASKED})+")
_LISTS = re.compile(r"\(…\)(?:\s*,\s*\(…\))+")
"""Messages of drivers begin with the statement, whose number of columns and rows varies."""
_STATEMENT = re.compile(
    r"""^(\w+: )?(?:(insert)\s+into|(delete)\s+from|(update)|(select|with)\b.*?\bfrom)\s+([\w."'`[\]]+).*""",
    re.IGNORECASE | re.DOTALL,
)
_OF_CONNECTION = re.compile(r"\(conn:-?\d+, no: \d+, SQLState: \w+\) (.*?)(?:\n?\s*sql: .*|$)", re.DOTALL)
_INVOCATION = re.compile(r"^(\w+: )?\s*Invalid `[^`\n]*` invocation\b.*\n", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_HIDDEN = re.compile(r"<(script|style|head)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_NO_QUOTES = str.maketrans("", "", "\"'`[]")
_CLASS = re.compile(r"[A-Za-z_$][\w$]*: ")
"""The error's class, which begins a message. An input that is equal to it is not what the message is about."""
_CONVERTED = re.compile(r"(?<=\w):$|\[object \w+\]")
"""Values that a program has added to a text: an object, and at the end an empty list or text."""
_OBJECT = re.compile(r"\{[^{}]*\}")
"""A quoted object, as JSON or as a program prints it for people: its members are data."""
_STATUS_PHRASES = frozenset(status.phrase for status in HTTPStatus)
_MESSAGE_KEYS = ("message", "error", "detail", "msg", "title", "reason", "description", "error_description", "errors")


def message_shape(message: str, request: HttpRequest | None = None, stored: Iterable[str] = ()) -> str:
    """Returns the first line of `message`, with `…` for all that varies between calls; at most MAX_SHAPE_CHARS.

    request: the call's request; its inputs are replaced as well. stored: other texts to replace, as `stored_texts`
    returns them.
    """
    message = _VALUE_AT_END.sub(r"\1…", _NO_JSON.sub(r"\1… JSON", message))
    line = with_short_statement(first_line(message))[: 4 * MAX_SHAPE_CHARS]
    line = _without_inputs(line, _replaced(stored if request is None else {*_inputs(request), *stored}))
    line = _CONVERTED.sub(lambda found: ": …" if found[0] == ":" else "…", _without_objects(line))
    line = _PROVIDED.sub(r"\1…", _CONSTRAINT.sub(r"\1…", _PATTERN.sub("invalid regular expression", line)))
    line = _TYPE_OF_VALUE.sub(r"\1…", _GOT.sub(r"\1…", _QUOTED.sub(_without_quoted, line)))
    line = _NULLISH.sub("…", _NUMBER.sub("…", _ID.sub("…", line)))
    line = _LISTS.sub("(…)", _LIST.sub(lambda found: "(…)" if found[0].startswith("(") else "…", line))
    return re.sub(r"…(?:[\s,.:;/_-]*…)+", "…", line)[:MAX_SHAPE_CHARS]


def _without_inputs(line: str, inputs: Sequence[str]) -> str:
    named = _CLASS.match(line)
    start = named.end() if named is not None else 0
    said = line[start:]
    for value in inputs:
        if value in said:
            said = said.replace(value, "…")
    return line[:start] + said


def _without_objects(line: str) -> str:
    """Replaces objects in a message, from the innermost outwards."""
    while _OBJECT.search(line):
        line = _OBJECT.sub("…", line)
    return line


def with_short_statement(line: str) -> str:
    """Shortens the statement at the start of a message to its verb and table.

    Query builders put the whole statement before the message of the database (`select ... from "events" where ... -
    invalid date`), and its columns and conditions depend on the call.
    """
    end = _QUOTED.sub(lambda found: "x" * len(found[0]), line).rfind(" - ")
    statement = _STATEMENT.match(line[:end]) if end > 0 else None
    if statement is None:
        return line
    kind, *verbs, table = statement.groups()
    verb = next(verb for verb in verbs if verb)
    bare = table.translate(_NO_QUOTES)
    return f"{kind or ''}{verb.lower()} {bare}{line[end:]}"


def without_invocation(message: str) -> str:
    """Removes what drivers write around the line that says what is wrong.

    Prisma quotes the code (or the arguments) of the call before it; MariaDB's driver counts its connections there, and
    quotes the statement behind it.
    """
    message = _OF_CONNECTION.sub(r"\1", message)
    invocation = _INVOCATION.match(message.rstrip())
    return message if invocation is None else (invocation[1] or "") + message.rstrip()[invocation.end() :].strip()


def _without_quoted(match: re.Match[str]) -> str:
    # `reading 'price'` comes from the code, not from the input. Where no line is known, it tells faults apart.
    if match[1] and _IDENTIFIER.fullmatch(match[2]):
        return match[0]
    return (match[1] or "") + "'…'"


def first_line(text: str) -> str:
    """Returns the first line that is not blank, without Prisma's quotation of the call; "" if there is none."""
    for line in without_invocation(text).splitlines():
        if line.strip():
            return line.strip()
    return ""


def on_one_line(text: str) -> str:
    """Returns the text with a space for each break of a line, and for what is indented after it."""
    return re.sub(r"\s*\n\s*", " ", text.strip())


def title_of(message: str) -> str:
    """Returns an error's message as titles hold it: short, on one line, without Prisma's quotation of the call."""
    return shortened(on_one_line(without_invocation(message)))


def shortened(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    """Returns the text cut to `limit` characters, with `…` at the end if it was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def body_message(response: HttpResponse) -> str:
    """Returns the first line of the error message in the body; "" if it has none."""
    found = _message_in(response.json(), 0)
    if found:
        return first_line(found)
    if response.json() is not ABSENT:
        return ""
    text = response.body[:20_000].decode("utf-8", "replace")
    if "html" in response.media_type or text.lstrip().startswith("<"):
        # Express's own error page has the stack in <pre>, with lines separated by <br>.
        pre = re.search(r"<pre>(.*?)</pre>", text, re.DOTALL | re.IGNORECASE)
        text = pre[1] if pre else _HIDDEN.sub(" ", text)
        text = html.unescape(_TAG.sub("\n", text))
    return first_line(text)


def _message_in(value: Json | Absent, depth: int) -> str:
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, list):
        return _message_in(value[0], depth + 1) if value else ""
    if isinstance(value, dict):
        texts = [found for key in _MESSAGE_KEYS if key in value and (found := _message_in(value[key], depth + 1))]
        # A code such as `bad_request`, or the name of a status, says less than the sentence beside it.
        sentences = [text for text in texts if " " in text and text not in _STATUS_PHRASES]
        return next(iter(sentences[:1] or texts), "")
    return ""


def _inputs(request: HttpRequest) -> list[str]:
    """Returns the first texts of the request, at most MAX_INPUTS."""
    found: dict[str, None] = {}
    parts = urlsplit(request.target)
    for segment in parts.path.split("/"):
        found[unquote(segment)] = None
    for _, value in parse_qsl(parts.query, keep_blank_values=True):
        found[value] = None
    for _, value in request.headers:
        found[value] = None
    if request.body:
        _add_body(request.body, found)
    return list(found)[:MAX_INPUTS]


def _replaced(texts: Iterable[str]) -> list[str]:
    """Returns the texts to replace, longest first, also without the quotes that a program may remove."""
    texts = set(texts)
    bare = {text.translate(_NO_QUOTES) for text in texts}
    return sorted((one for one in texts | bare if len(one) >= MIN_INPUT_CHARS), key=lambda text: (-len(text), text))


def _add_body(body: bytes, found: dict[str, None]) -> None:
    held = held_json(body)
    if held is not ABSENT:
        _add_texts(held, found, 0)
        return
    text = body.decode("utf-8", "replace")
    found[text] = None
    for _, value in parse_qsl(text):
        found[value] = None


def _add_texts(value: Json, found: dict[str, None], depth: int) -> None:
    if isinstance(value, str):
        found[value] = None
    elif depth < _MAX_DEPTH and isinstance(value, (list, dict)):
        for child in value.values() if isinstance(value, dict) else value:
            _add_texts(child, found, depth + 1)
