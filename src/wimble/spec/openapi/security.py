"""Reads `security`: which schemes an operation requires.

The definitions of the schemes are not read, because the user configures the credentials.
"""

from __future__ import annotations

from typing import Any

from wimble.spec.loading.document import Document, at, shown
from wimble.types import Json


def security_of(document: Document, raw: dict[str, Json], place: str) -> tuple[tuple[str, ...], ...] | None:
    """Returns the alternatives of an operation, else those of the document.

    () means that no login is required; None that the document does not say.
    """
    holder: dict[str, Any] = raw if "security" in raw else document.root
    if "security" not in holder:
        return None
    value = holder["security"]
    here = at(place if holder is raw else "#", "security")
    if not isinstance(value, list):
        document.warn(here, f"an array is expected, found {shown(value)}", "ignored")
        return None
    return tuple(tuple(entry) for entry in value if isinstance(entry, dict))


def credential_places(document: Document, access: tuple[tuple[str, ...], ...] | None) -> tuple[str, ...]:
    """Returns where calls carry credentials, by the definitions of the schemes: `header X-API-Key`, `cookie sid`.

    access: the alternatives of an operation; None for all schemes. A scheme that is declared wrong (`type: http` with
    the name of a header) is read as what its author most likely means.
    """
    if document.is_swagger2:
        schemes = document.root.get("securityDefinitions")
    else:
        components = document.root.get("components")
        schemes = components.get("securitySchemes") if isinstance(components, dict) else None
    if not isinstance(schemes, dict):
        return ()
    wanted = None if access is None else {name for alternative in access for name in alternative}
    found = [_place_of(document, scheme) for name, scheme in schemes.items() if wanted is None or name in wanted]
    return tuple(dict.fromkeys(place for place in found if place))


def _place_of(document: Document, scheme: Json) -> str:
    definition, _ = document.followed(scheme, "#") if isinstance(scheme, dict) else (None, "")
    if definition is None:
        return ""
    name, location = definition.get("name"), str(definition.get("in", "header")).lower()
    if isinstance(name, str) and name.strip() and location in ("header", "query", "cookie"):
        return f"{location} {name.strip()}"
    written = definition.get("scheme")
    if definition.get("type") == "http" and isinstance(written, str) and "-" in written:
        return f"header {written.strip()}"
    return "header Authorization" if definition.get("type") in ("http", "basic", "oauth2", "openIdConnect") else ""
