import pytest
from fake_sut import operation

from wimble.genes import IntegerGene, StringGene
from wimble.http.binding import place_of
from wimble.model.resource_names import named_resource, plain_name, singular
from wimble.search.resources.resources import Resources


@pytest.mark.parametrize(
    ("word", "expected"),
    [("books", "book"), ("Categories", "category"), ("boxes", "box"), ("status", "status"), ("address", "address"),
     ("addresses", "address"), ("book", "book")],
)  # fmt: skip
def test_a_plural_has_its_singular(word, expected):
    assert singular(word) == expected


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("bookId", "book"),
        ("book_id", "book"),
        ("order-uuid", "order"),
        ("userIds", "user"),
        ("ids", None),
        ("id", None),
        ("title", None),
    ],
)
def test_name_that_points_at_a_resource(name, noun):
    assert named_resource(name) == noun


def test_names_are_compared_without_case_and_separators():
    assert plain_name("user_id") == plain_name("userId") == plain_name("User-ID")


def test_template_ignores_plurals_and_parameter_names():
    assert place_of("/api/pets/{petId}") == place_of("/api/Pet/{id}/") == ("api", "pet", "{}")


def by_path(*operations):
    return {o.id: o for o in operations}, Resources(operations)


def test_collection_post_creates_what_the_path_names():
    known, resources = by_path(
        operation("GET", "/pet/{petId}", petId=IntegerGene()), operation("POST", "/pets"), operation("GET", "/pets")
    )
    (binding,) = resources.bindings(known["GET /pet/{petId}"])
    assert binding.creators == (known["POST /pets"],)
    assert binding.lists == (known["GET /pets"],)
    assert binding.resource == "pet"


def test_nested_path_has_a_binding_per_level_outermost_first():
    known, resources = by_path(
        operation("GET", "/users/{userId}/orders/{orderId}", orderId=IntegerGene(), userId=IntegerGene()),
        operation("POST", "/users/{userId}/orders", userId=IntegerGene()),
        operation("POST", "/users"),
    )
    user, order = resources.bindings(known["GET /users/{userId}/orders/{orderId}"])
    assert (user.name, order.name) == ("userId", "orderId")
    assert (user.input_index, order.input_index) == (1, 0)
    assert user.creators == (known["POST /users"],)
    assert order.creators == (known["POST /users/{userId}/orders"],)


def test_producers_are_what_makes_what_an_operation_needs_nearest_first():
    known, resources = by_path(
        operation("GET", "/users/{userId}/orders/{orderId}", orderId=IntegerGene(), userId=IntegerGene()),
        operation("POST", "/users/{userId}/orders", userId=IntegerGene()),
        operation("POST", "/users"),
        operation("POST", "/shops"),
    )
    read = known["GET /users/{userId}/orders/{orderId}"]
    assert [one.id for one in resources.producers(read)] == ["POST /users", "POST /users/{userId}/orders"]
    assert resources.producers(known["POST /users"]) == ()
    resources.join([operation("POST", "/users/register")])
    assert "POST /users/register" in [one.id for one in resources.producers(read)]


def test_put_on_the_own_path_creates_where_no_post_does():
    known, resources = by_path(
        operation("GET", "/kv/{key}", key=StringGene()), operation("PUT", "/kv/{key}", key=StringGene())
    )
    assert resources.bindings(known["GET /kv/{key}"])[0].creators == (known["PUT /kv/{key}"],)
    assert resources.bindings(known["PUT /kv/{key}"])[0].creators == ()


def test_register_segment_creates():
    known, resources = by_path(
        operation("GET", "/users/{name}", name=StringGene()), operation("POST", "/users/register")
    )
    assert resources.bindings(known["GET /users/{name}"])[0].creators == (known["POST /users/register"],)


def test_part_of_a_segment_names_no_resource():
    known, resources = by_path(operation("GET", "/files/{name}.txt", name=StringGene()))
    assert resources.bindings(known["GET /files/{name}.txt"]) == ()


def test_a_parameter_of_a_path_names_its_resource_elsewhere_too():
    known, resources = by_path(
        operation("POST", "/vehicles"),
        operation("GET", "/vehicles/{plate}/permit", plate=StringGene()),
        operation("GET", "/notes/{id}", id=IntegerGene()),
        operation("POST", "/notes"),
        operation("GET", "/days/{day}", day=StringGene()),
        operation("POST", "/days"),
        operation("GET", "/users/{login}", login=StringGene()),
        operation("POST", "/users"),
        operation("GET", "/teams/{login}", login=StringGene()),
        operation("POST", "/teams"),
        operation("GET", "/reports/{quarter}", quarter=StringGene()),
    )
    plate = resources.named("PLATE")
    assert plate is not None
    assert plate.creators == (known["POST /vehicles"],)
    others = ("id", "day", "login", "quarter", "vehicleId")
    assert [resources.named(name) for name in others] == [None] * len(others)


def test_words_before_a_noun_tell_which_part_the_resource_plays():
    known, resources = by_path(
        operation("POST", "/addresses"), operation("POST", "/teams"), operation("POST", "/home-teams")
    )

    def creators(name):
        return resources.creators_of(resources.noun_named(name) or "")

    assert creators("fromAddressId") == (known["POST /addresses"],)
    assert creators("away_team_id") == (known["POST /teams"],)
    assert creators("homeTeamId") == (known["POST /home-teams"],)
    assert creators("teamSizeId") == creators("title") == ()
