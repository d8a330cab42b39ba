"""Finds all API descriptions that a running SUT serves, at well-known paths and behind documentation pages."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from wimble.engine.boot.read_document import Overlay, read_from, specification_of
from wimble.errors import SchemaError
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification
from wimble.spec.loading.discovery import (
    WELL_KNOWN_PATHS,
    looks_like_openapi,
    schema_in_script,
    schema_links_in_html,
    schema_links_in_json,
)
from wimble.spec.loading.document_text import load_text
from wimble.types import Json

Fetch = Callable[..., HttpResponse | None]
"""Returns the response for a path on the SUT, or None if the SUT does not answer."""

MAX_PATHS: Final = 200
"""Maximum number of paths that are tried."""
MAX_DOCUMENTS: Final = 40
FURTHER_LOOK_S: Final = 5.0
"""How long further documents are looked for after the first one was found: each path of a slow SUT costs a second."""
LONGEST_LOOK_S: Final = 60.0
REDIRECTS: Final = range(300, 400)
_DOCUMENTATION = re.compile(r"swagger|openapi|redoc|scalar|rapi-?doc|elements-api|api-?reference", re.IGNORECASE)


class ServedDocuments:
    """The documents that one server serves, and what it answered on the way."""

    def __init__(self, fetch: Fetch, base_url: str, base_path: str = "", overlays: tuple[Overlay, ...] = ()) -> None:
        """base_path: where the user says that the API is mounted."""
        self._fetch = fetch
        self._base_url = base_url
        self._base_path = base_path
        self._overlays = overlays
        self.found: list[Specification] = []
        self.refused: list[str] = []
        """Why documents are unusable, one line each."""
        self.answers: Counter[str] = Counter()
        """What the server answered, such as `404` or `302 to https://example.org`, with the number of paths."""
        self._known: list[Json] = []

    def look(self, paths: Sequence[str] | None = None) -> list[Specification]:
        """Reads the documents at these paths, and those to which pages there refer; None: the well-known paths.

        A document that is equal to an earlier one, or describes no operation more, is left out.
        """
        asked = self._well_known() if paths is None else list(paths)
        for path, document in self._documents(asked):
            if document in self._known:
                continue
            self._known.append(document)
            try:
                read = read_from(self._fetch, self._base_url)
                self._add(
                    specification_of(
                        document, self._base_url + path, self._base_path, read=read, overlays=self._overlays
                    )
                )
            except SchemaError as error:
                self.refused.append(f"{path}: {error.what}")
        return self.found

    def _add(self, specification: Specification) -> None:
        known = {operation.id for one in self.found for operation in one.operations}
        if not {operation.id for operation in specification.operations} <= known:
            self.found.append(specification)

    def _well_known(self) -> list[str]:
        mounted = [self._base_path + path for path in WELL_KNOWN_PATHS] if self._base_path else []
        return [*mounted, *WELL_KNOWN_PATHS]

    def _documents(self, pending: list[str]) -> Iterator[tuple[str, Json]]:
        tried: set[str] = set()
        ends_s = time.monotonic() + LONGEST_LOOK_S
        while pending and len(tried) < MAX_PATHS and time.monotonic() < ends_s:
            path = pending.pop(0)
            if path in tried:
                continue
            tried.add(path)
            response = self._fetch(path)
            if response is None:
                self.answers["no answer"] += 1
                return
            self.answers[_outcome(response)] += 1
            if response.status in REDIRECTS:
                location = response.header("location") or ""
                if location.startswith("/"):
                    pending.insert(0, location)
            elif response.status == 200:
                document, links = _read(response, path)
                if document is not None:
                    yield path, document
                    ends_s = min(ends_s, time.monotonic() + FURTHER_LOOK_S)
                pending[:0] = links
            if len(self.found) >= MAX_DOCUMENTS:
                return


def _outcome(response: HttpResponse) -> str:
    if response.status not in REDIRECTS:
        return str(response.status)
    location = response.header("location") or ""
    origin = re.match(r"\w+://[^/]+", location)
    return f"{response.status} to {origin.group() if origin else location}"


def _read(response: HttpResponse, path: str) -> tuple[Json | None, Sequence[str]]:
    """Returns the API description in an answer, or None, and the paths of other documents that the answer names."""
    is_page = "html" in response.media_type or response.body[:1] == b"<"
    if is_page or path.endswith(".js"):
        text = response.body.decode("utf-8", "replace")
        # The URLs in other pages may be anything, such as actions.
        is_about_apis = not is_page or _DOCUMENTATION.search(text) is not None
        return (schema_in_script(text), schema_links_in_html(text, path)) if is_about_apis else (None, ())
    try:
        document = load_text(response.body, path)
    except SchemaError:
        return None, ()
    if looks_like_openapi(document):
        return document, ()
    return None, schema_links_in_json(document, path) if _DOCUMENTATION.search(path) else ()
