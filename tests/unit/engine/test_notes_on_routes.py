"""What the user is told about routes that the search leaves out."""

from msgspec.structs import replace

from wimble.engine.boot.routes_in_sut import notes_on_routes
from wimble.model.routes import LeftOutRoute, RouteFindings
from wimble.spec.graphql.graphql_schema import schema_of_sdl
from wimble.spec.graphql.root_fields import load_graphql
from wimble.spec.routes.left_out_routes import MOUNTED, STOPS


def test_the_endpoint_that_is_called_is_not_told_as_left_out():
    path = "/graphql"
    schema = load_graphql(schema_of_sdl("type Query { ok: Boolean }", "s"), "s", path)
    left = (LeftOutRoute(path, MOUNTED), LeftOutRoute("/files", MOUNTED), LeftOutRoute(path, STOPS))
    told = notes_on_routes(replace(schema, routes=RouteFindings(left_out=left)))
    assert told == [f"left out of the search ({MOUNTED}): /files", f"left out of the search ({STOPS}): {path}"]
