"""Links of declared responses -> where in the answer the value of a later call's parameter stands."""

from __future__ import annotations

from typing import Any

from wimble.spec.document import Document, at, shown
from wimble.types import Json


def links_of(document: Document, operation: dict[str, Json], place: str) -> tuple[tuple[str, str], ...]:
    """(parameter, pointer) of the links of 2xx responses; pointers as `ReferenceGene` has them."""
    if document.is_swagger2:
        return ()
    found: dict[tuple[str, str], None] = {}
    for status, raw in document.section(operation, "responses", place).items():
        if not str(status).startswith("2") or not isinstance(raw, dict):
            continue
        response, here = document.followed(raw, at(place, "responses", status))
        for name, written in document.section(response or {}, "links", here).items():
            link, link_place = document.followed(written, at(here, "links", name))
            for parameter, expression in document.section(link or {}, "parameters", link_place).items():
                pointer = _pointer(expression)
                if pointer is not None:
                    found[parameter.rsplit(".", 1)[-1], pointer] = None
                elif isinstance(expression, str) and expression.startswith("$"):
                    document.warn(
                        at(link_place, "parameters", parameter), f"{shown(expression)} is not read", "ignored"
                    )
    return tuple(found)


def _pointer(expression: Any) -> str | None:
    if not isinstance(expression, str):
        return None
    text = expression.strip("{}")
    if text.startswith("$response.body#/"):
        return text.removeprefix("$response.body#")
    if text.startswith("$response.header."):
        return "header:" + text.removeprefix("$response.header.").lower()
    return None
