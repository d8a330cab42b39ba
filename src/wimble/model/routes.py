"""Routes that the SUT's frameworks have registered, and how they compare with the API's document. Plain data."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

ANY_METHOD: Final = 7
"""A route with at least so many methods takes any: frameworks register such a route once per method that they know."""


class PathPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a route's path, as it was given to the framework. `is_regex`: `text` is a regular expression."""

    text: str
    is_regex: bool = False


class Procedure(msgspec.Struct, frozen=True):
    """A procedure of tRPC: what a route calls."""

    kind: Literal["query", "mutation", "subscription"]
    input: Literal["none", "json", "superjson"]
    """The form in which its input is sent; `superjson`: as the member `json` of an object."""


class Route(msgspec.Struct, frozen=True):
    """One route of the SUT, as its agent reports it."""

    framework: str
    """The framework in whose notation `path` is written."""
    methods: tuple[str, ...] = ()
    """In upper case; empty: any."""
    path: tuple[PathPart, ...] = ()
    """From the outermost mount to the route itself."""
    file: str = ""
    """Where it was registered; empty if that is not known."""
    line: int = 0
    handler: str = ""
    """The name of the function that is mounted; empty if it is not known, or the route is no mount."""
    is_mount: bool = False
    """Whether a function is mounted on the path, such as middleware or a server of static files."""
    package: str = ""
    """The package that registered it by itself; empty for the program."""
    port: int | None = None
    """The port of the server that serves it; None if that is not known."""
    requires: dict[str, str] = {}
    """Headers that a request must have besides, by name."""
    procedure: Procedure | None = None
    """What it calls, if it is a procedure of tRPC."""

    @property
    def takes_any_method(self) -> bool:
        return not self.methods or len(self.methods) >= ANY_METHOD


class RegisteredOperation(msgspec.Struct, frozen=True):
    """An operation that follows from a route, and where that route was registered."""

    operation: str
    file: str = ""
    """Empty if it is not known."""
    line: int = 0


class LeftOutRoute(msgspec.Struct, frozen=True):
    """A route that is no operation of the search, and why."""

    path: str
    """As in the program's text, with the method in front of it if there is one."""
    reason: str
    file: str = ""
    line: int = 0


class RouteFindings(msgspec.Struct, frozen=True):
    """What the routes of the SUT say beyond the API's document, or instead of one."""

    registered: tuple[RegisteredOperation, ...] = ()
    """All operations that a route was found for."""
    undocumented: tuple[RegisteredOperation, ...] = ()
    """Operations of the search that the API's document lacks; empty if there is no document."""
    unserved: tuple[str, ...] = ()
    """Operations of the document that no route serves; empty unless all routes are known for certain."""
    left_out: tuple[LeftOutRoute, ...] = ()
    own_documents: tuple[str, ...] = ()
    """Operations that answer with the API's document, beside those that it describes."""
    explored: frozenset[tuple[str, int]] | None = None
    """Lines with comparisons that requests for unknown paths have led to (file, line), if the routes of a program
    without a router were found so."""
