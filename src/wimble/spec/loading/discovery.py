"""The usual places of API descriptions: on a running server, in a project's folders, behind a documentation page."""

from __future__ import annotations

import html
import json
import os
import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from wimble.spec.loading.versions import looks_like_openapi
from wimble.types import Json

__all__ = [
    "SDL_FILE_NAME",
    "WELL_KNOWN_PATHS",
    "find_schema_files",
    "is_name_of_document",
    "looks_like_openapi",
    "schema_in_script",
    "schema_links_in_html",
    "schema_links_in_json",
]

WELL_KNOWN_PATHS = (
    "/openapi.json",  # LoopBack, FastAPI, many by hand
    "/swagger.json",
    "/openapi.yaml",
    "/v3/api-docs",  # springdoc
    "/v2/api-docs",  # springfox
    "/api-docs",
    "/api-docs.json",
    "/api-docs/swagger.json",
    "/api-docs-json",  # Nest
    "/api-json",  # Nest, mounted at /api
    "/docs-json",
    "/swagger-json",
    "/swagger/json",
    "/swagger-ui-json",
    "/swagger/v1/swagger.json",  # ASP.NET
    "/swagger/swagger.json",
    "/explorer/openapi.json",  # LoopBack
    "/explorer/swagger.json",
    "/docs/json",  # @fastify/swagger-ui
    "/documentation/json",  # @fastify/swagger
    "/documentation/openapi.json",  # Platformatic
    "/docs/openapi.json",
    "/docs/swagger.json",
    "/docs.json",
    "/api/openapi.json",
    "/api/openapi",
    "/api/swagger.json",
    "/api/docs.json",
    "/api/docs",
    "/api/docs-json",
    "/api/api-docs",
    "/api/v1/openapi.json",
    "/api/v1/swagger.json",
    "/v1/openapi.json",
    "/v1/swagger.json",
    "/openapi",
    "/openapi.yml",
    "/swagger.yaml",
    "/swagger.yml",
    "/swagger",
    "/api/schema",
    "/schema",
    "/spec",
    "/spec.json",
    "/docs",
    "/documentation",
    "/explorer",
    "/api",
    "/.well-known/openapi.json",
    "/doc",  # Hono
    "/doc.json",
    "/api/doc",
    "/api/v1/doc",
    "/api/v1/docs",
    "/ui",
    "/swagger-ui",
    "/swagger-ui/",
    "/api/swagger",
    "/redoc",
    "/reference",  # Scalar
    "/scalar",
    "/api/reference",
    "/api-reference",
    "/",
)
"""Most likely first. Some answer with a page that refers to the document: see `schema_links_in_html`."""

_FILE_NAME = re.compile(r"(?:.*[._-])?(?:openapi|swagger|api-?docs?|oas3?)(?:[._-].*)?\.(?:json|ya?ml)", re.IGNORECASE)
SDL_FILE_NAME = re.compile(r".+\.(?:graphqls?|gql|sdl)", re.IGNORECASE)
_WRITTEN_BY_WIMBLE = frozenset([".wimble-output", ".wimble-experiment"])
"""Files that mark the output of a run and of an experiment."""
PACKAGE_FOLDERS = frozenset(["node_modules", "bower_components", "vendor", "venv"])
"""Folders that hold what a project has installed."""
_SKIPPED_FOLDERS = PACKAGE_FOLDERS | {"dist", "build", "coverage", "wimble-out", "__pycache__", "target"}
_MAX_DEPTH = 4
_MAX_FOLDERS = 2000
"""Enough for any project. A home directory that was given by mistake must not take minutes."""

_URL_OPTIONS = (
    re.compile(
        r"""(?:["']?\b(?:url|spec-?url|swaggerUrl|configUrl)["']?\s*[:=]\s*)["']([^"'<>\s]+)["']""", re.IGNORECASE
    ),
    re.compile(
        r"""<(?:redoc|rapi-doc|elements-api)[^>]*\b(?:spec-url|apiDescriptionUrl)\s*=\s*["']?([^"'<>\s]+)""",
        re.IGNORECASE,
    ),
    re.compile(r"""data-url\s*=\s*["']([^"'<>\s]+)["']""", re.IGNORECASE),
    re.compile(r"""\bRedoc\.init\(\s*["'`]([^"'`<>\s]+)["'`]"""),
    re.compile(r"""\bfetch\(\s*["'`]([^"'`<>\s]*(?:openapi|swagger|spec|docs?)[^"'`<>\s]*)["'`]""", re.IGNORECASE),
)  # fmt: skip
_SCRIPT = re.compile(
    r"""<script[^>]*\bsrc\s*=\s*["']([^"'<>\s]*(?:swagger-ui-init|swagger-initializer|index|redoc-?init)[^"'<>\s]*\.js)["']""",
    re.IGNORECASE,
)
_PAGE_LINK = re.compile(
    r"""<a\b[^>]*\bhref\s*=\s*["']([^"'<>\s#]*(?:openapi|swagger|redoc|scalar|api-?docs?|docs?|reference)[^"'<>\s#]*)["']""",
    re.IGNORECASE,
)
_EMBEDDED = re.compile(
    r"""["']?\b(?:swaggerDoc|spec|content|data)["']?\s*:\s*(?=["{])|<script[^>]*type\s*=\s*["']application/json["'][^>]*>\s*(?=\{)"""
)
"""What stands before a document that is a part of a page or script: an object, or a text that holds one."""
MAX_PAGE_LINKS = 5


def is_name_of_document(name: str) -> bool:
    """Whether the name of a file suggests an API description."""
    return _FILE_NAME.fullmatch(name) is not None


def find_schema_files(project_dir: Path, names: re.Pattern[str] = _FILE_NAME) -> list[Path]:
    """Returns the files whose names suggest an API description, likeliest first.

    They are ordered by depth, then by how plain the name is, then by path. The files are not opened. Folders that a run
    or an experiment of wimble has written are left out: what an earlier run has inferred is no document of the user's.
    """
    found: list[tuple[int, int, str, Path]] = []
    for n_folders, (folder, folders, files) in enumerate(os.walk(project_dir)):
        depth = len(Path(folder).relative_to(project_dir).parts)
        kept = sorted(name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith("."))
        folders[:] = kept if depth < _MAX_DEPTH else []
        if n_folders >= _MAX_FOLDERS:
            break
        if not _WRITTEN_BY_WIMBLE.isdisjoint(files):
            folders.clear()
            continue
        for name in files:
            if names.fullmatch(name):
                path = Path(folder) / name
                found.append((depth, _plainness(name), path.as_posix(), path))
    return [path for *_, path in sorted(found)]


def _plainness(name: str) -> int:
    stem = name.lower().rsplit(".", 1)[0]
    if stem in ("openapi", "swagger"):
        return 0
    return 1 if stem.startswith(("openapi", "swagger")) else 2


def schema_links_in_html(text: str, page_path: str = "/") -> list[str]:
    """Returns the paths on the same server that a documentation page (or its start script) refers to, likeliest first.

    Scripts with the page's options (`swagger-ui-init.js`) come after the documents, and links to other documentation
    pages last. The text of all of them can be passed to this function again, or to `schema_in_script`. Documents on
    other hosts (such as a demo) are left out.
    """
    text = html.unescape(text)  # options may stand in an attribute
    candidates: dict[str, None] = {}
    for pattern in (*_URL_OPTIONS, _SCRIPT):
        candidates.update(dict.fromkeys(match[1] for match in pattern.finditer(text)))
    links = list(dict.fromkeys(match[1] for match in _PAGE_LINK.finditer(text)))[:MAX_PAGE_LINKS]
    paths = (_path_on_server(url, page_path) for url in (*candidates, *links))
    return list(dict.fromkeys(path for path in paths if path is not None and path != page_path))


def schema_links_in_json(document: Json, page_path: str = "/") -> list[str]:
    """Returns the paths that a configuration of Swagger UI names (`configUrl`): its `urls` and its `url`."""
    if not isinstance(document, dict):
        return []
    several = document.get("urls")
    entries = [*(several if isinstance(several, list) else ()), document]
    urls = [entry.get("url") for entry in entries if isinstance(entry, dict)]
    paths = (_path_on_server(url, page_path) for url in urls if isinstance(url, str))
    return list(dict.fromkeys(path for path in paths if path is not None and path != page_path))


def _path_on_server(url: str, page_path: str) -> str | None:
    try:
        parts = urlsplit(urljoin("http://localhost" + page_path, url))
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        return None
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def schema_in_script(text: str) -> Json | None:
    """Returns the document that is a part of a script or page, or None.

    swagger-ui-express writes it into its start script, Redoc and Scalar into their page.
    """
    return next(
        (
            document
            for candidate in dict.fromkeys((text, html.unescape(text)))
            for match in _EMBEDDED.finditer(candidate)
            if looks_like_openapi(document := _json_at(candidate, match.end()))
        ),
        None,
    )


def _json_at(text: str, start: int) -> Json:
    """Returns the JSON value that begins there; the value of its text, if it is a text; None if it is not JSON."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
        return json.loads(value) if isinstance(value, str) and value.lstrip().startswith("{") else value
    except (ValueError, RecursionError):
        return None
