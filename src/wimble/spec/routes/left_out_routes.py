"""Which routes are no operations of the search: static files, documentation pages, proxies, and what stops the SUT."""

from __future__ import annotations

import re
from typing import Final

from wimble.model.routes import Route
from wimble.spec.routes.path_templates import Template

STATIC_FILES: Final = "static files"
DOCUMENTATION: Final = "a documentation page"
CATCH_ALL: Final = "it catches every path below (a proxy, a page for unknown paths, or a single-page application)"
STOPS: Final = "it would stop the API"
PREFLIGHT: Final = "it answers preflight requests of browsers"
NO_CALL: Final = "no call of an API uses this method"
UNREADABLE: Final = "its regular expression cannot be read as a path"
SUBSCRIPTION: Final = "a subscription answers with a stream of events"
MOUNTED: Final = "a function is mounted there; what it serves is not known"

_STATIC_PACKAGES: Final = frozenset(
    ["serve-static", "@fastify/static", "fastify-static", "koa-static", "koa-send", "sirv", "@hapi/inert", "inert"]
)
_PROXY_PACKAGES: Final = frozenset(["@fastify/http-proxy", "http-proxy-middleware", "express-http-proxy", "@hapi/h2o2"])
_DOCUMENTATION_PACKAGE: Final = re.compile(r"swagger|openapi-ui|redoc|rapidoc|scalar|graphiql|graphql-playground")
_DOCUMENTATION_PATH: Final = re.compile(
    r"/(?:swagger|swagger-ui|api-?docs|redoc|rapidoc|scalar|graphiql|playground)(?:/[^.]*|\.html)?/?$", re.IGNORECASE
)
_DOCUMENTATION_HANDLER: Final = re.compile(r"swagger|redoc|scalar", re.IGNORECASE)
_STATIC_HANDLER: Final = frozenset(["serveStatic", "serve", "sirv"])

_STOPS_ANYWHERE: Final = re.compile(
    r"/(?:shut-?_?down|quitquitquit|power-?off|__(?:kill|exit|stop|quit)__?)$", re.IGNORECASE
)
_STOPS_AT_ROOT: Final = re.compile(
    r"^(?:/(?:admin|server|system|_?internal|management|actuator|api|debug))?"
    r"/_*(?:exit|quit|kill|stop|terminate|restart|reboot|die)$",
    re.IGNORECASE,
)
"""These words are actions on resources as well (`/jobs/{id}/stop`), so they count at the root only."""
_HEALTH: Final = re.compile(
    r"/(?:_*health(?:z|check|-check)?|_*(?:live|ready)(?:z|ness)?|liveness|readiness|healthcheck|ping|_status|statusz)$",
    re.IGNORECASE,
)


def reason_to_leave_out(route: Route, template: Template | None) -> str:
    """Returns why a route is left out of the search, or "". template: None if the path cannot be read."""
    if route.package in _STATIC_PACKAGES or (route.is_mount and route.handler in _STATIC_HANDLER):
        return STATIC_FILES
    path = template.path if template is not None else ""
    if _is_documentation(route, path):
        return DOCUMENTATION
    if template is None:
        return UNREADABLE
    if route.procedure is not None:
        if route.procedure.kind == "subscription":
            return SUBSCRIPTION
        path = path.replace(".", "/")
    if route.package in _PROXY_PACKAGES or _is_catch_all(template):
        return CATCH_ALL
    if route.is_mount:
        return MOUNTED
    return STOPS if _STOPS_ANYWHERE.search(path) or _STOPS_AT_ROOT.search(path) else ""


def reason_against_method(method: str) -> str:
    """Returns why operations with a method are left out, or ""."""
    if method == "OPTIONS":
        return PREFLIGHT
    return "" if method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY") else NO_CALL


def is_health_check(path: str) -> bool:
    """Whether the last part of a path says that it tells whether the API is well."""
    return _HEALTH.search(path) is not None


def _is_documentation(route: Route, path: str) -> bool:
    if _DOCUMENTATION_PACKAGE.search(route.package):
        return True
    if route.is_mount and _DOCUMENTATION_HANDLER.search(route.handler):
        return True
    return _DOCUMENTATION_PATH.search(path) is not None


def _is_catch_all(template: Template) -> bool:
    """Whether it takes all paths. One that takes all paths below a prefix may be a handler like any other (a callback
    of a service, whose method and path are the service's business).
    """
    return template.ends_in_wildcard and template.shape == "/{}"
