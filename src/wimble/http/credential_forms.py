"""Where calls carry credentials, and how these are written there.

A place is a kind and a name, such as `header Authorization`. The kinds are `header`, `query`, `cookie`, `body` (a
field of a form, or a member of a JSON object) and `set-cookie`: the text of a cookie as an answer has set it, which is
sent back unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote_plus

from wimble.http.bodies import FORM_TYPE
from wimble.http.texts import encoded, is_json_type, json_bytes, safe_header_value, text_of
from wimble.json_texts import held_json
from wimble.types import Json

_IN_BODY: Final = "body "
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
        if kind == "body":
            continue
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


def with_carried_fields(
    body: bytes | None, headers: tuple[tuple[str, str], ...], carried: Mapping[str, Json]
) -> tuple[bytes | None, tuple[tuple[str, str], ...]]:
    """Returns body and headers with the credentials that stand in a body, in the place of fields of the same name.

    Without a body, they are those of a form. Bodies that are neither a form nor a JSON object stay as they are.
    """
    fields = {place[len(_IN_BODY) :]: text_of(value) for place, value in carried.items() if place.startswith(_IN_BODY)}
    if not fields:
        return body, headers
    sent_type = next((text for name, text in headers if name.lower() == "content-type"), "")
    media_type = sent_type.partition(";")[0].strip().lower()
    if not body:
        kept = tuple(header for header in headers if header[0].lower() != "content-type")
        return _with_pairs("", fields), (*kept, ("Content-Type", FORM_TYPE))
    if media_type == FORM_TYPE:
        return _with_pairs(body.decode("latin-1"), fields), headers
    document = held_json(body) if is_json_type(media_type) else None
    return (json_bytes({**document, **fields}) if isinstance(document, dict) else body), headers


def _with_pairs(body: str, fields: Mapping[str, str]) -> bytes:
    kept = [pair for pair in body.split("&") if pair and unquote_plus(pair.partition("=")[0]) not in fields]
    return "&".join([*kept, *(f"{encoded(name)}={encoded(text)}" for name, text in fields.items())]).encode("latin-1")
