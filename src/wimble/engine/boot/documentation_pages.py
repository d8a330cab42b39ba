"""Recognises pages that show the API's document by what they answer, where no package and no path says so.

A page of Swagger UI, Redoc or Scalar may be served below any path, by a function that is made by their package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from wimble.http.http_messages import HttpResponse
from wimble.model.routes import LeftOutRoute
from wimble.spec.loading.discovery import schema_in_script, schema_links_in_html
from wimble.spec.routes.left_out_routes import DOCUMENTATION
from wimble.spec.routes.route_operations import RoutedOperation, RoutedOperations

MAX_ASKED_PAGES: Final = 20
"""Maximum number of paths that are asked."""


def without_documentation_pages(
    routed: RoutedOperations,
    undocumented: Sequence[RoutedOperation],
    documents: Sequence[str],
    fetch: Callable[[str], HttpResponse | None],
) -> RoutedOperations:
    """Returns the operations of routes without those at the paths of such pages, which are left out.

    undocumented: those that may be at such a path. documents: paths of the API's documents. fetch: sends `GET`.
    """
    asked = [one.template.path for one in undocumented if one.method == "GET" and "{" not in one.template.path]
    pages = {path for path in asked[:MAX_ASKED_PAGES] if _is_page(fetch(path), path, documents)}
    if not pages:
        return routed
    left = [one.registered for one in routed.operations if one.template.path in pages]
    return msgspec.structs.replace(
        routed,
        operations=tuple(one for one in routed.operations if one.template.path not in pages),
        left_out=(*routed.left_out, *(LeftOutRoute(one.operation, DOCUMENTATION, one.file, one.line) for one in left)),
    )


def _is_page(response: HttpResponse | None, path: str, documents: Sequence[str]) -> bool:
    if response is None or response.media_type != "text/html" or path in documents:
        return False
    text = response.body.decode("utf-8", "replace")
    links = {link.partition("?")[0] for link in schema_links_in_html(text, path)}
    return not links.isdisjoint(documents) or schema_in_script(text) is not None
