"""Reads the links of declared responses: which value of an answer is which input of a later call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, cast

from wimble.http.declarations import DeclaredLink, Location
from wimble.spec.loading.document import Document, at, shown
from wimble.types import Json

_LOCATIONS: Final = ("path", "query", "header", "cookie")
_IN_PATHS: Final = re.compile(r"#/paths/(?P<path>[^/]+)/(?P<verb>[A-Za-z]+)$")


def links_of(document: Document, operation: dict[str, Json], place: str) -> tuple[DeclaredLink, ...]:
    """Returns the links that the operation's 2xx responses declare."""
    if document.is_swagger2:
        return ()
    found: dict[DeclaredLink, None] = {}
    for status, raw in document.section(operation, "responses", place).items():
        if not str(status).startswith("2") or not isinstance(raw, dict):
            continue
        response, here = document.followed(raw, at(place, "responses", status))
        for name, written in document.section(response or {}, "links", here).items():
            link, link_place = document.followed(written, at(here, "links", name))
            if link is not None:
                found |= dict.fromkeys(_taken(document, link, link_place))
    return tuple(found)


def _taken(document: Document, link: dict[str, Json], place: str) -> Iterator[DeclaredLink]:
    """Yields one link for each input that the link object gives a value to."""
    target = _target(document, link)
    for parameter, expression in document.section(link, "parameters", place).items():
        source = _source(document, expression, at(place, "parameters", parameter))
        if source is None:
            continue
        location, dot, bare = parameter.partition(".")
        if not dot or location not in _LOCATIONS:
            location, bare = "", parameter
        yield DeclaredLink(
            pointer=source[0], sent_in=source[1], name=bare, location=cast(Location, location), target=target
        )
    if "requestBody" in link:
        source = _source(document, link["requestBody"], at(place, "requestBody"))
        if source is not None and target:
            yield DeclaredLink(pointer=source[0], sent_in=source[1], location="body", target=target)


def _target(document: Document, link: dict[str, Json]) -> str:
    """Returns the target operation by `operationId`, or by an `operationRef` into `paths`; "" if it is unknown."""
    named = document.text(link, "operationId")
    referred = _IN_PATHS.search(document.text(link, "operationRef"))
    if named or referred is None:
        return named
    path = referred["path"].replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
    return f"{referred['verb'].upper()} {path}"


def _source(document: Document, expression: Any, place: str) -> tuple[str, Location | Literal[""]] | None:
    """Returns (pointer or name, location in the request, "" for the answer) of a runtime expression.

    Returns None for a constant, since any client may send it, and, with a warning, for an unsupported expression.
    """
    if not isinstance(expression, str) or not (text := expression.strip().strip("{}")).startswith("$"):
        return None
    side, _, rest = text.partition(".")
    if side == "$response" and (rest == "body" or rest.startswith("body#")):
        return rest.removeprefix("body").removeprefix("#"), ""
    if side == "$response" and rest.startswith("header."):
        return "header:" + rest.removeprefix("header.").lower(), ""
    if side == "$request" and (rest == "body" or rest.startswith("body#")):
        return rest.removeprefix("body").removeprefix("#"), "body"
    location, _, name = rest.partition(".")
    if side == "$request" and location in _LOCATIONS and name:
        return name, cast(Location, location)
    document.warn(place, f"{shown(expression)} is not read", "ignored")
    return None
