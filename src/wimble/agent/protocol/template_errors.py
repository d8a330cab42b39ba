"""Reads errors of templates: the place in the template, and what is wrong there.

EJS, Pug and Eta put the lines around the place before the message of an error that a template throws:

    /srv/shop/views/feed.ejs:13
        12| <id>http://<%= host %>/feed</id>
     >> 13| <updated><%= releases[0].date %></updated>

    Cannot read properties of undefined (reading 'date')

If one template includes another, the message of the inner one follows in the same form. Nunjucks and LiquidJS name the
place alone.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from wimble.model.observation import Cause

_TYPE: Final = re.compile(r"\w+: ")
_WITH_LINES: Final = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+)(?::\d+)?\n(?:[ >]*\d+\|[^\n]*(?:\n|$))+\s*")
_NUNJUCKS: Final = re.compile(r"Template render error: \((?P<file>/[^\n]+?)\)(?: \[Line (?P<line>\d+)[^\]]*\])?\s+")
_LIQUID: Final = re.compile(r", file:(?P<file>/[^\n]+?), line:(?P<line>\d+)(?:, col:\d+)?\s*$")


def with_place_in_template(cause: Cause) -> Cause:
    """Returns the cause with the place in the innermost template that its message names, and without the lines there.

    The place stays as it is if the message has no absolute path. A cause of another kind is returned unchanged.
    """
    message = cause.message
    if (liquid := _LIQUID.search(message)) is not None:
        return _at(cause, liquid, message[: liquid.start()])
    kind = _TYPE.match(message)
    start = 0 if kind is None or message.startswith("Template") else kind.end()
    place: re.Match[str] | None = None
    while (template := _WITH_LINES.match(message, start) or _NUNJUCKS.match(message, start)) is not None:
        place, start = template, template.end()
    said = message[start:].strip()
    if place is None or not said:
        return cause
    return _at(cause, place, said if kind is None or _TYPE.match(said) else kind[0] + said)


def _at(cause: Cause, place: re.Match[str], message: str) -> Cause:
    file, line = place["file"], int(place["line"] or 1)
    if not file.startswith("/"):
        return msgspec.structs.replace(cause, message=message)
    stack = f"{cause.stack}\n    at {file}:{line}"
    return msgspec.structs.replace(cause, message=message, file=file, line=line, stack=stack)
