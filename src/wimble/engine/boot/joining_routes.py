"""Has routes join the search that the SUT registers while it runs: in its first request, by a plugin that is loaded
when it is needed, after a service has answered. What calls have shown joins it, too: methods in programs without a
router, and the keys of a table in which a path parameter is looked up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from wimble.engine.boot.joining_keys import JoiningKeys
from wimble.engine.boot.joining_methods import JoiningMethods
from wimble.engine.boot.routes_in_sut import joining_operations
from wimble.engine.session.coordinator import Coordinator
from wimble.execute.sut.served_api import ServedApi
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation, Specification
from wimble.model.routes import RegisteredOperation, Route

MAX_JOINED: Final = 500
"""Maximum number of operations that join. A program that registers without end has no more that are worth a test."""
MAX_COMPARISONS: Final = 50
"""Maximum number of times that new routes are compared with the known operations; that takes long for many routes."""

Selected = Callable[[Specification, Sequence[Operation]], tuple[Operation, ...]]


class JoiningRoutes:
    """Compares the routes of the SUT with the operations of the search, as often as new ones appear."""

    def __init__(self, described: Specification, api: ServedApi, selected: Selected) -> None:
        """described: the description of the API, with the operations that the search leaves out. selected: returns
        those of the new operations that the search is to call, as it calls them; it is given the known ones, too.
        """
        self._described = described
        self._selected = selected
        self._n_routes = len(api.routes)
        self._known = {_key(route) for route in api.routes}
        self._n_joined = 0
        self._methods = JoiningMethods(described)
        self._keys = JoiningKeys(described)
        self._n_left = MAX_COMPARISONS if described.kind in ("openapi", "routes") else 0

    def observe(self, api: ServedApi, coordinator: Coordinator) -> None:
        """Looks whether the SUT has registered routes since the last call, and has them join. It is asked often."""
        n_routes = len(api.routes)
        if n_routes != self._n_routes:
            self._n_routes = n_routes
            self._look(api, coordinator)

    def read(self, evaluation: Evaluation, coordinator: Coordinator) -> None:
        """Has operations join that this test case has shown."""
        table = coordinator.table
        self._join(self._methods.found(evaluation, table), coordinator, _told_of_comparisons)
        keyed = self._keys.found(evaluation, table, self._described.operations)
        self._join(keyed, coordinator, _told_of_keys)

    def _join(
        self,
        found: Sequence[tuple[Operation, RegisteredOperation]],
        coordinator: Coordinator,
        told: Callable[[Sequence[Operation]], str],
    ) -> None:
        if not found:
            return
        known = coordinator.specification
        operations = tuple(operation for operation, _ in found)
        shown = replace(self._described, operations=operations)
        self._described = replace(self._described, operations=(*self._described.operations, *operations))
        joining = self._selected(shown, known.operations)
        if joining:
            registered = (*known.routes.registered, *(one for _, one in found))
            coordinator.join(joining, replace(known.routes, registered=registered))
            coordinator.notices.warn(told(joining))

    def _look(self, api: ServedApi, coordinator: Coordinator) -> None:
        keys = {_key(route) for route in api.routes}
        if keys <= self._known or self._n_left <= 0:
            return
        self._known |= keys
        self._n_left -= 1
        found = joining_operations(self._described, api)
        self._n_joined += len(found.operations)
        if not found.operations or self._n_joined > MAX_JOINED:
            return
        self._described = replace(
            self._described, operations=(*self._described.operations, *found.operations), routes=found.routes
        )
        joining = self._selected(found, coordinator.specification.operations)
        if joining:
            coordinator.join(joining, found.routes)
            coordinator.notices.warn(_told(joining))


def _key(route: Route) -> str:
    path = " ".join(part.text for part in route.path)
    return f"{route.framework} {','.join(route.methods)} {path} {route.port} {sorted(route.requires.items())}"


def _told(joining: Sequence[Operation], how: str = "registered") -> str:
    routes = "a route was" if len(joining) == 1 else f"{len(joining)} routes were"
    return f"{routes} {how} during the search and joined it: {_names(joining)}"


def _told_of_comparisons(joining: Sequence[Operation]) -> str:
    return _told(joining, "found in a comparison")


def _told_of_keys(joining: Sequence[Operation]) -> str:
    keys = "an operation" if len(joining) == 1 else f"{len(joining)} operations"
    return f"{keys} joined the search, for keys of a table that a part of the path is looked up in: {_names(joining)}"


def _names(joining: Sequence[Operation]) -> str:
    more = f" and {len(joining) - 5} more" if len(joining) > 5 else ""
    return ", ".join(operation.id for operation in joining[:5]) + more
