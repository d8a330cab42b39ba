"""The usual places of API descriptions: on a running server, in a project's folders, behind a documentation page."""

from __future__ import annotations

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
    "looks_like_openapi",
    "schema_in_script",
    "schema_links_in_html",
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
)
"""Most likely first. Some answer with a page that refers to the document: see `schema_links_in_html`."""

_FILE_NAME = re.compile(r"(?:.*[._-])?(?:openapi|swagger|api-?docs?|oas3?)(?:[._-].*)?\.(?:json|ya?ml)", re.IGNORECASE)
SDL_FILE_NAME = re.compile(r".+\.(?:graphqls?|gql|sdl)", re.IGNORECASE)
_SKIPPED_FOLDERS = frozenset(
    [
        "node_modules",
        "bower_components",
        "vendor",
        "venv",
        "dist",
        "build",
        "coverage",
        "wimble-out",
        "__pycache__",
        "target",
    ]
)
_MAX_DEPTH = 4
_MAX_FOLDERS = 2000
"""Enough for any project. A home directory that was given by mistake must not take minutes."""

_URL_OPTIONS = (
    re.compile(
        r"""(?:["']?\b(?:url|spec-?url|swaggerUrl|configUrl)["']?\s*[:=]\s*)["']([^"'<>\s]+)["']""", re.IGNORECASE
    ),
    re.compile(
        r"""<(?:redoc|rapi-doc|elements-api)[^>]*\b(?:spec-url|apiDescriptionUrl)\s*=\s*["']([^"'<>\s]+)["']""",
        re.IGNORECASE,
    ),
    re.compile(r"""data-url\s*=\s*["']([^"'<>\s]+)["']""", re.IGNORECASE),
)  # fmt: skip
_SCRIPT = re.compile(
    r"""<script[^>]*\bsrc\s*=\s*["']([^"'<>\s]*(?:swagger-ui-init|swagger-initializer|index)[^"'<>\s]*\.js)["']""",
    re.IGNORECASE,
)


def find_schema_files(project_dir: Path, names: re.Pattern[str] = _FILE_NAME) -> list[Path]:
    """Returns the files whose names suggest an API description, likeliest first.

    They are ordered by depth, then by how plain the name is, then by path. The files are not opened.
    """
    found: list[tuple[int, int, str, Path]] = []
    for n_folders, (folder, folders, files) in enumerate(os.walk(project_dir)):
        depth = len(Path(folder).relative_to(project_dir).parts)
        kept = sorted(name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith("."))
        folders[:] = kept if depth < _MAX_DEPTH else []
        if n_folders >= _MAX_FOLDERS:
            break
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

    Scripts with the page's options (`swagger-ui-init.js`) come last. Their text can be passed to this function again,
    or to `schema_in_script`. Documents on other hosts (such as a demo) are left out.
    """
    candidates: dict[str, None] = {}
    for pattern in (*_URL_OPTIONS, _SCRIPT):
        for match in pattern.finditer(text):
            path = _path_on_server(match[1], page_path)
            if path is not None and path != page_path:
                candidates[path] = None
    return list(candidates)


def _path_on_server(url: str, page_path: str) -> str | None:
    try:
        parts = urlsplit(urljoin("http://localhost" + page_path, url))
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        return None
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def schema_in_script(text: str) -> Json | None:
    """Returns the document that swagger-ui-express writes into its start script (`swagger-ui-init.js`), or None."""
    for match in re.finditer(r"""["']?(?:swaggerDoc|spec)["']?\s*:\s*(?=\{)""", text):
        try:
            document, _ = json.JSONDecoder().raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        if looks_like_openapi(document):
            return document
    return None
