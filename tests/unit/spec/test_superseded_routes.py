"""Routes whose place others take: told before their mount was known, or of older versions."""

from wimble.model.routes import PathPart, Route
from wimble.spec.routes.route_operations import routed_operations
from wimble.spec.routes.superseded_routes import OLD_VERSION, older_versions, without_unmounted


def route(*path, framework="openapi-backend", line=3, methods=("GET",)):
    return Route(framework, methods, tuple(map(PathPart, path)), "/srv/app.js", line)


def older(*routes):
    return [one.path for one in older_versions(routed_operations(routes).operations).values()]


def test_a_route_whose_mount_is_known_replaces_the_one_that_was_told_without_it():
    mounted = route("/api/2", "/pads")
    others = [
        route("/pads", line=4),
        route("/pens"),
        route("/pads", methods=("POST",)),
        route("/pads", framework="express"),
    ]
    assert without_unmounted([route("/pads"), route("/v1/pads"), mounted, *others]) == [mounted, *others]


def test_of_many_versions_from_one_place_the_latest_of_each_operation_stays():
    versions = [route(f"/api/{version}", "/pads") for version in ("1", "1.2", "1.10", "1.9", "v1.1")]
    ended = [route(f"/api/{version}", "/pens") for version in ("1", "1.1", "1.2", "1.2.1")]
    assert older(*versions, *ended) == [
        *(f"GET /api/{version}/pads" for version in ("1", "v1.1", "1.2", "1.9")),
        *(f"GET /api/{version}/pens" for version in ("1", "1.1", "1.2")),
    ]


def test_a_few_versions_and_those_of_other_places_all_stay():
    assert not older(*(route(f"/v{version}/pads") for version in range(3)))
    assert not older(*(route(f"/v{version}/pads", line=version) for version in range(9)))
    assert not older(*(route(f"/{name}/pads") for name in ("a", "b1", "c", "d", "e")))


def test_a_version_that_is_left_out_is_told_with_its_place():
    routes = [route(f"/v{version}/pads", framework="express") for version in range(5)]
    left_out = older_versions(routed_operations(routes).operations)
    first = left_out["GET /v0/pads"]
    assert (first.reason, first.file, first.line) == (OLD_VERSION, "/srv/app.js", 3)
