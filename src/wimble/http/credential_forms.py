"""Where calls carry credentials, and how these are written there.

A place is a kind and a name, such as `header Authorization`. The kinds are `header`, `query`, `cookie` and
`set-cookie`: the text of a cookie as an answer has set it, which is sent back unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from wimble.http.texts import encoded, safe_header_value, text_of
from wimble.types import Json

_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


def with_carried(
    target: str, headers: tuple[tuple[str, str], ...], carried: Mapping[str, Json]
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Returns target and headers with the credentials at their places.

    Headers and cookies replace those of the same name; a query is added to that of the request.
    """
    added: list[tuple[str, str]] = []
    cookies: dict[str, str] = {}
    for place, value in carried.items():
        kind, _, name = place.partition(" ")
        if kind == "query":
            target += f"{'&' if '?' in target else '?'}{encoded(name)}={encoded(text_of(value))}"
        elif not _TOKEN.fullmatch(name):
            continue
        elif kind == "header":
            added.append((name, safe_header_value(text_of(value))))
        else:
            cookies[name] = safe_header_value(text_of(value)) if kind == "set-cookie" else encoded(text_of(value))
    replaced = {name.lower() for name, _ in added}
    kept = [header for header in headers if header[0].lower() not in replaced]
    if cookies:
        own = [text for name, text in kept if name.lower() == "cookie"]
        pairs = [pair for text in own for pair in text.split("; ") if pair.partition("=")[0] not in cookies]
        kept = [header for header in kept if header[0].lower() != "cookie"]
        added.append(("Cookie", "; ".join([*pairs, *(f"{name}={text}" for name, text in cookies.items())])))
    return target, (*kept, *added)
