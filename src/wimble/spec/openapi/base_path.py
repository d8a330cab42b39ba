"""Finds the prefix of all paths of a document: `basePath` (2.0) or the path of the first server (3.x).

Hosts, ports and schemes do not matter, because calls are sent to where the SUT listens.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from wimble.spec.loading.document import Document, at, shown


def base_path(document: Document, source: str, fallback: str) -> str:
    """Returns the prefix without a trailing slash, "" for the root. `fallback` is used if the document has none."""
    root = document.root
    if document.is_swagger2:
        value = root.get("basePath")
        if isinstance(value, str):
            return _clean(value)
        if value is not None:
            document.warn("#/basePath", f"text is expected, found {shown(value)}", "ignored")
        return _clean(fallback)
    own = server_path(document, root, "#", source)
    return _clean(fallback) if own is None else own


def server_path(document: Document, holder: dict[str, Any], place: str, source: str) -> str | None:
    """Returns the path of the first usable server in `holder["servers"]`, or None if there is none."""
    for index, server in enumerate(document.listing(holder, "servers", place)):
        here = at(place, "servers", index)
        url = server.get("url") if isinstance(server, dict) else None
        if not isinstance(url, str):
            document.warn(here, "a server without `url`", "ignored")
            continue
        url = _filled(document, url, document.section(server, "variables", here), here)
        path = _path_of(url, source)
        if path is None:
            document.warn(at(here, "url"), f"{shown(url)} is not a URL", "ignored")
            continue
        return _clean(path)
    return None


def _filled(document: Document, url: str, variables: dict[str, Any], place: str) -> str:
    def default(match: re.Match[str]) -> str:
        variable = variables.get(match[1])
        if isinstance(variable, dict):
            if isinstance(variable.get("default"), (str, int, float)):
                return str(variable["default"])
            options = variable.get("enum")
            if isinstance(options, list) and options and isinstance(options[0], str):
                return options[0]
        document.warn(place, f"server variable `{match[1]}` has no default", "it is left empty")
        return ""

    return re.sub(r"\{([^{}]*)\}", default, url)


def _path_of(url: str, source: str) -> str | None:
    try:
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://|//", url):
            return urlsplit(url).path
        if url.startswith("/"):
            return urlsplit(url).path
        if "://" in source:
            return urlsplit(urljoin(source, url)).path
        first = url.split("/", 1)[0]
        if "." in first.strip(".") or ":" in first or first == "localhost":
            # `api.example.com/v1` is strictly a relative path, but is always meant as a host without a scheme
            return "/" + url.split("/", 1)[1] if "/" in url else ""
        return urlsplit(urljoin("http://h/", url)).path
    except ValueError:
        return None


def _clean(path: str) -> str:
    path = re.sub(r"/{2,}", "/", path.strip()).rstrip("/")
    return path if not path or path.startswith("/") else "/" + path
