"""Routes that are registered while the SUT runs join the search."""

from msgspec.structs import replace

from engine_parts import ScriptedApi, ScriptedSut, new_coordinator, new_worker, operation
from wimble.engine.boot.joining_routes import JoiningRoutes
from wimble.engine.boot.routes_in_sut import specification_from_routes, with_routes
from wimble.engine.boot.searched_operations import SearchedOperations
from wimble.engine.search_phase import proposals, run_search
from wimble.http.binding import binding_of
from wimble.http.exchange import request_of
from wimble.http.http_messages import HttpResponse
from wimble.model.hints import ComparisonHint, TableHint
from wimble.model.operation import Specification
from wimble.model.routes import PathPart, Route, RouteFindings
from wimble.model.targets import Target, TargetTable
from wimble.settings import Settings
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.spec.routes.route_operations import route_document, routed_operations
from wimble.types import TargetId


def route(method, path, port=3000):
    return Route("express", (method,), (PathPart(path),), port=port)


class Lazy(ScriptedSut):
    """A SUT that registers a route in its third evaluation, and forgets it in a restart."""

    first = (route("GET", "/plugins"),)
    later = (route("POST", "/audit/:id"), route("DELETE", "/shutdown"))

    def __init__(self):
        super().__init__()
        self.api.routes = self.first

    def evaluate(self, test_case, **options):
        if len(self.ran) == 2:
            self.api.routes = (*self.first, *self.later)
        return super().evaluate(test_case, **options)


def searched(sut, *, only=(), kind="routes", max_calls=60):
    described = Specification(operations=(operation("GET /plugins"),), source="routes", title="", kind=kind)
    settings = Settings(command=("node", "s.js"), max_time_s=None, max_calls=max_calls, only=only)
    coordinator = new_coordinator(settings, described.operations)
    joining = JoiningRoutes(described, sut.api, SearchedOperations(settings).joining)
    worker = new_worker(sut, coordinator)
    events = list(run_search(coordinator, [worker], proposals(coordinator), joining))
    return coordinator, sut, events


def names(operations):
    return [one.id for one in operations]


def test_an_operation_that_is_registered_late_is_called_by_all_parts_of_the_search():
    coordinator, sut, events = searched(Lazy())
    assert names(coordinator.specification.operations) == ["GET /plugins", "POST /audit/{id}"]
    ran = [call.operation.id for test_case in sut.ran for call in test_case.calls]
    assert ran[:3] == ["GET /plugins"] * 3
    assert 10 < ran.count("POST /audit/{id}") < 55
    assert [one.operation for one in coordinator.specification.routes.registered] == ["POST /audit/{id}"]
    told = [event.message for event in events if hasattr(event, "message")]
    assert told == ["a route was registered during the search and joined it: POST /audit/{id}"]


def test_the_operations_that_join_are_those_that_the_user_has_selected():
    coordinator, _, events = searched(Lazy(), only=("method:GET",))
    assert names(coordinator.specification.operations) == ["GET /plugins"]
    assert not [event for event in events if hasattr(event, "message")]


def test_beside_a_document_they_are_undocumented():
    coordinator, *_ = searched(Lazy(), kind="openapi")
    assert [one.operation for one in coordinator.specification.routes.undocumented] == ["POST /audit/{id}"]


def test_a_start_that_registers_the_same_routes_adds_nothing():
    coordinator, sut, _ = searched(Lazy())
    joining = JoiningRoutes(coordinator.specification, sut.api, SearchedOperations(coordinator.settings).joining)
    sut.api.routes = ()
    joining.observe(sut.api, coordinator)
    sut.api.routes = (*Lazy.first, *Lazy.later)
    joining.observe(sut.api, coordinator)
    assert len(coordinator.specification.operations) == 2


def test_the_random_search_calls_them_too():
    settings = Settings(command=("node", "s.js"), max_time_s=None, max_calls=40, strategy="random")
    coordinator = new_coordinator(settings, (operation("GET /a"),))
    list(proposals_until(coordinator, 5))
    coordinator.join((operation("POST /b"),), coordinator.specification.routes)
    calls = [call for test_case in proposals_until(coordinator, 40) for call in test_case.calls]
    assert 5 < sum(call.operation.id == "POST /b" for call in calls) < len(calls)


def proposals_until(coordinator, number):
    made = proposals(coordinator)
    return [next(made) for _ in range(number)]


def test_functions_that_are_mounted_are_called_once_since_they_may_load_routes():
    class Mounted(ScriptedApi):
        routes = (route("GET", "/plugins"), Route("express", (), (PathPart("/reports"),), port=3000, is_mount=True))
        asked = ()

        def fetch(self, path, accept="*/*", port=None, user=""):
            self.asked = (*self.asked, path)
            self.routes = (*self.routes, route("GET", "/reports/:year"))

    api = Mounted()
    found = specification_from_routes(api, list, is_port_chosen=True)
    assert found is not None
    assert names(found.operations) == ["GET /plugins", "GET /reports/{year}"]
    assert api.asked == ("/reports",)


def behind(*path):
    return Route("openapi-backend", ("GET",), tuple(map(PathPart, path)), "/srv/app.js", 9)


class HandingOn(ScriptedApi):
    """A function of the program hands the requests below its path on to another framework."""

    versions: tuple[str, ...] = ("2",)

    def __init__(self):
        super().__init__()
        functions = [Route("express", (), (PathPart(f"/api/{one}"),), "/srv/app.js", 5) for one in self.versions]
        self.routes = (*functions, route("GET", "/status"), behind("/pads/{id}"))

    def fetch(self, path, accept="*/*", port=None, user=""):
        self.routes = (*self.routes, behind(path, "/pads/{id}"))


def test_a_function_that_hands_requests_on_to_a_framework_is_called_once_for_its_path():
    found = specification_from_routes(HandingOn(), list, is_port_chosen=True)
    assert found is not None
    assert names(found.operations) == ["GET /status", "GET /api/2/pads/{id}"]


def test_of_many_versions_the_latest_is_searched_and_the_others_are_told():
    class Versions(HandingOn):
        versions = ("1", "1.1", "1.2", "1.10")

    api = Versions()
    found = specification_from_routes(api, list, is_port_chosen=True)
    assert found is not None
    assert names(found.operations) == ["GET /status", "GET /api/1.10/pads/{id}"]
    assert [one.path for one in found.routes.left_out] == [f"GET /api/{one}/pads/{{id}}" for one in ("1", "1.1", "1.2")]
    beside = with_routes(replace(found, operations=(operation("GET /api/1.1/pads/{id}"),)), api)
    assert [one.operation for one in beside.routes.undocumented] == ["GET /status", "GET /api/1.10/pads/{id}"]
    assert [one.path for one in beside.routes.left_out] == ["GET /api/1/pads/{id}", "GET /api/1.2/pads/{id}"]


def test_a_collection_below_another_joins_if_it_is_answered_other_than_an_unknown_one():
    class Nested(ScriptedApi):
        collections = ("/pens", "/pens/:id", "/pads", "/pads/:id")
        routes = tuple(route("GET", one) for one in (*collections, "/:parent/:id/:child"))

        def fetch(self, path, accept="*/*", port=None, user=""):
            return HttpResponse(200 if path == "/pens/1/pads" else 404, (), b"")

    found = specification_from_routes(Nested(), list, is_port_chosen=True)
    assert found is not None
    assert names(found.operations)[4:] == ["GET /{parent}/{id}/{child}", "GET /pens/{id}/pads"]


def test_routes_of_another_server_are_told_with_its_port():
    class Two(ScriptedApi):
        routes = (
            route("GET", "/plugins"),
            route("GET", "/stats"),
            *(route("GET", one, port=4000) for one in ("/stats", "/admin")),
        )

        ports = (3000, 4000)

    found = specification_from_routes(Two(), list, is_port_chosen=True)
    assert found is not None and names(found.operations) == ["GET /plugins", "GET /stats"]
    assert [(one.path, one.reason) for one in found.routes.left_out] == [
        ("GET /admin", "on another server of the program; --port 4000 searches that one")
    ]


class WithoutRouter(ScriptedSut):
    """Compares the method from the fifth evaluation on, when it knows what the path names."""

    def __init__(self, target):
        super().__init__()
        self._target = target

    def evaluate(self, test_case, **options):
        evaluation = super().evaluate(test_case, **options)
        if len(self.ran) < 5:
            return evaluation
        hint = ComparisonHint(
            target=TargetId(self._target), call=0, operator="identical", left="GET", right="PUT", wanted=True
        )
        return replace(evaluation, hints=(hint,))


def joined_by_comparisons(explored, target=0):
    table = TargetTable()
    for line in (7, 8):
        table.register(Target("branch", "/srv/app.js", line, 0, "=== true"))
    described = Specification(
        operations=(operation("GET /plugins"),), source="routes", title="", kind="routes",
        routes=RouteFindings(explored=explored),
    )  # fmt: skip
    settings = Settings(command=("node", "s.js"), max_time_s=None, max_calls=40)
    coordinator = new_coordinator(settings, described.operations, table=table)
    sut = WithoutRouter(target)
    joining = JoiningRoutes(described, sut.api, SearchedOperations(settings).joining)
    list(run_search(coordinator, [new_worker(sut, coordinator)], proposals(coordinator), joining))
    return coordinator.specification, sut


def test_a_method_that_a_program_without_a_router_compares_joins():
    specification, sut = joined_by_comparisons(frozenset())
    assert names(specification.operations) == ["GET /plugins", "PUT /plugins"]
    assert [(one.operation, one.line) for one in specification.routes.registered] == [("PUT /plugins", 7)]
    assert any(case.calls[-1].operation.id == "PUT /plugins" for case in sut.ran)


def test_what_exploring_has_tried_does_not_join():
    assert names(joined_by_comparisons(frozenset([("/srv/app.js", 8)]), target=1)[0].operations) == ["GET /plugins"]
    assert names(joined_by_comparisons(None)[0].operations) == ["GET /plugins"], "frameworks tell the methods"


class WithTable(ScriptedSut):
    """Looks the last segment of the path up in a table of functions."""

    def __init__(self, most_found=0):
        """most_found: number of calls whose key is found; if there is none, all keys are missed."""
        super().__init__()
        self._n_found = 0
        self._most_found = most_found

    def evaluate(self, test_case, **options):
        evaluation = super().evaluate(test_case, **options)
        if self._most_found:
            observations = [_with_key(one, f"key{len(self.ran)}") for one in evaluation.observations]
            evaluation = replace(evaluation, observations=tuple(observations))
        hints = []
        for call, observation in enumerate(evaluation.observations):
            key = request_of(observation).target.partition("?")[0].rpartition("/")[2]
            if not key or "{kind}" not in test_case.calls[call].operation.id:
                continue
            if self._most_found and self._n_found >= self._most_found:
                continue
            self._n_found += 1
            keys = ("createPad", "list", *((key,) if self._most_found else ()))
            hints.append(TableHint(target=TargetId(0), call=call, key=key, holds="functions", keys=keys))
        return replace(evaluation, hints=tuple(hints))


def _with_key(observation, key):
    request = request_of(observation)
    target = request.target.replace("{kind}", key)
    return replace(observation, exchange=replace(observation.exchange, request=replace(request, target=target)))


KIND = route("GET", "/api/:kind"), route("POST", "/api/:kind"), route("GET", "/api/list")


def joined_by_keys(kind="routes", routes=KIND, most_found=0, **options):
    table = TargetTable()
    table.register(Target("branch", "/srv/app.js", 7, 0, "key true"))
    routed = routed_operations(routes).operations
    described = Specification(
        operations=load_openapi(route_document(routed), "routes").operations,
        source="routes",
        title="",
        kind=kind,
        routes=RouteFindings(registered=tuple(one.registered for one in routed)),
    )
    settings = Settings(command=("node", "s.js"), max_time_s=None, max_calls=60, **options)
    searched = SearchedOperations(settings)
    specification = searched.initial(described)
    coordinator = new_coordinator(settings, specification.operations, table=table)
    sut = WithTable(most_found)
    joining = JoiningRoutes(described, sut.api, searched.joining)
    events = list(run_search(coordinator, [new_worker(sut, coordinator)], proposals(coordinator), joining))
    sut.told = [event.message for event in events if hasattr(event, "message")]
    return coordinator.specification, sut


def test_the_keys_of_a_table_that_a_path_parameter_is_looked_up_in_join_each_once():
    specification, sut = joined_by_keys()
    joined = names(specification.operations)[3:]
    assert joined == ["GET /api/createPad", "POST /api/createPad", "POST /api/list"]
    assert [(one.operation, one.line) for one in specification.routes.registered] == [(one, 7) for one in joined]
    assert {call.operation.id for test_case in sut.ran for call in test_case.calls} >= set(joined)
    assert sut.told == [
        "3 operations joined the search, for keys of a table that a part of the path is looked up in: "
        + ", ".join(joined)
    ]
    made = specification.operations[4]
    assert [one.location for one in binding_of(made).inputs] == ["query", "header", "cookie", "body"]


def test_on_a_route_for_any_method_keys_are_called_with_get_and_post():
    specification, _ = joined_by_keys(routes=[Route("express", (), (PathPart("/api/:kind"),), "/srv/app.js", 5)])
    assert names(specification.operations)[5:] == [
        "GET /api/createPad",
        "POST /api/createPad",
        "GET /api/list",
        "POST /api/list",
    ]


def test_one_key_that_was_found_may_have_been_looked_up_by_chance():
    specification, _ = joined_by_keys(most_found=1)
    assert len(specification.operations) == 3
    specification, _ = joined_by_keys(most_found=20)
    assert "GET /api/createPad" in names(specification.operations)


def test_of_keys_only_those_join_that_the_user_has_selected():
    specification, _ = joined_by_keys(only=("method:GET",))
    assert names(specification.operations) == ["GET /api/{kind}", "GET /api/list", "GET /api/createPad"]


def test_a_document_names_its_operations_itself():
    specification, _ = joined_by_keys(kind="openapi")
    assert len(specification.operations) == 3
