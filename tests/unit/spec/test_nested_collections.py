"""Collections below things of others, which a route with parameters alone serves."""

from wimble.model.routes import PathPart, Route
from wimble.spec.routes.nested_collections import nested_collections
from wimble.spec.routes.route_operations import routed_operations


def found(*operations):
    routes = []
    for operation in operations:
        method, path = operation.split()
        routes.append(Route("express", (method,), (PathPart(path),), "/srv/app.js", 3))
    made = nested_collections(routed_operations(routes).operations)
    return [(one.asked, one.unknown, *(operation.id for operation in one.operations)) for one in made]


COLLECTIONS = ("GET /posts", "GET /posts/:id", "GET /comments", "GET /comments/:id", "GET /profile", "GET /db/:id")


def test_each_collection_may_be_served_below_things_of_each_other():
    wide = "GET /:parent/:parentId/:child", "POST /:parent/:parentId/:child"
    assert found(*COLLECTIONS, *wide) == [
        (
            "/comments/1/posts",
            "/comments/1/no-collection",
            "GET /comments/{parentId}/posts",
            "POST /comments/{parentId}/posts",
        ),
        (
            "/posts/1/comments",
            "/posts/1/no-collection",
            "GET /posts/{parentId}/comments",
            "POST /posts/{parentId}/comments",
        ),
    ]


def test_those_that_have_a_route_of_their_own_are_known():
    known = "GET /posts/:id/comments", "GET /comments/:id/posts"
    assert not found(*COLLECTIONS, *known, "GET /:parent/:parentId/:child")


def test_collections_are_below_the_same_path_as_the_route():
    assert not found(*COLLECTIONS, "GET /api/:parent/:parentId/:child")
    below = [operation.replace(" ", " /api") for operation in COLLECTIONS]
    assert [one[2] for one in found(*below, "GET /api/:parent/:id/:child")] == [
        "GET /api/comments/{id}/posts",
        "GET /api/posts/{id}/comments",
    ]
    assert not found(*COLLECTIONS, "GET /:parent/:id", "GET /x/:a/:b/:c/:d")
