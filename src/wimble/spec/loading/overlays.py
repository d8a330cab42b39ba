"""Applies OpenAPI Overlay 1.0: a separate file of corrections to a document that the user does not maintain.

Actions are applied in order. Each selects nodes by JSONPath (RFC 9535), and merges `update` into them or removes them.
"""

from __future__ import annotations

import copy
from typing import Any

from wimble.errors import SchemaError
from wimble.spec.loading.document import shown
from wimble.types import Json

_HINT = "An overlay starts with `overlay: 1.0.0` and has `actions`, each with `target` and `update` or `remove`."


def with_overlay(document: Json, overlay: Json, source: str, notes: list[str]) -> Json:
    """Returns a changed copy of `document`.

    An action that selects nothing adds a line to `notes`. Raises SchemaError for a malformed overlay or action.
    """
    if not isinstance(overlay, dict) or not isinstance(actions := overlay.get("actions"), list):
        raise SchemaError("bad-overlay", "this is not an overlay", where=source, hint=_HINT)
    version = str(overlay.get("overlay", ""))
    if not version.startswith("1."):
        notes.append(f"{source}, #/overlay: version {shown(version)}; read as 1.0.0")
    out: Any = copy.deepcopy(document)
    for index, action in enumerate(actions):
        out = _applied(out, action, f"{source}, #/actions/{index}", notes)
    return out


def _applied(document: Any, action: Any, place: str, notes: list[str]) -> Any:
    target = action.get("target") if isinstance(action, dict) else None
    if not isinstance(target, str):
        raise SchemaError("bad-overlay", "an action without a `target`", where=place, hint=_HINT)
    import jsonpath_rfc9535  # only if there are overlays

    try:
        nodes = list(jsonpath_rfc9535.find(target, document))
    except jsonpath_rfc9535.JSONPathError as error:
        raise SchemaError(
            "bad-overlay", f"{shown(target)} is not a JSONPath", where=place, details=(str(error).splitlines()[0],)
        ) from error
    if not nodes:
        notes.append(f"{place}: {shown(target)} selects nothing; ignored")
    if action.get("remove") is True:
        # from the back, so that earlier indices of arrays stay valid
        for node in sorted(nodes, key=lambda node: [str(part).zfill(8) for part in node.location], reverse=True):
            _remove(document, node.location)
        return document
    if "update" not in action:
        notes.append(f"{place}: neither `update` nor `remove`; ignored")
        return document
    for node in nodes:
        document = _put(document, node.location, _merged(node.value, action["update"]))
    return document


def _merged(old: Any, new: Any) -> Any:
    """Merges objects recursively, appends to arrays, and replaces other values."""
    if isinstance(old, dict) and isinstance(new, dict):
        out = dict(old)
        for key, value in new.items():
            out[key] = _merged(out[key], value) if key in out else copy.deepcopy(value)
        return out
    if isinstance(old, list):
        return [*old, *(copy.deepcopy(new) if isinstance(new, list) else [copy.deepcopy(new)])]
    return copy.deepcopy(new)


def _parent(document: Any, location: tuple[int | str, ...]) -> Any:
    for key in location[:-1]:
        document = document[key]
    return document


def _put(document: Any, location: tuple[int | str, ...], value: Any) -> Any:
    if not location:
        return value
    _parent(document, location)[location[-1]] = value
    return document


def _remove(document: Any, location: tuple[int | str, ...]) -> None:
    if location:
        del _parent(document, location)[location[-1]]
