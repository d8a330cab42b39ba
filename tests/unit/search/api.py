"""A small API of several resources, with optional and nested inputs, for tests of sampling and mutation."""

from fake_sut import operation

from wimble.genes import ArrayGene, BooleanGene, EnumGene, IntegerGene, ObjectGene, OptionalGene, StringGene

API = [
    operation("GET", "/users/{userId}/orders/{orderId}", userId=IntegerGene(), orderId=IntegerGene()),
    operation(
        "POST",
        "/users/{userId}/orders",
        userId=IntegerGene(),
        body=ObjectGene(
            (
                ("bookId", IntegerGene()),
                ("coupon", OptionalGene(StringGene())),
                ("items", ArrayGene(ObjectGene((("sku", StringGene()), ("count", IntegerGene(minimum=1)))))),
                ("gift", OptionalGene(BooleanGene())),
            )
        ),
    ),
    operation("POST", "/users", body=ObjectGene((("name", StringGene()),))),
    operation(
        "GET",
        "/books",
        limit=OptionalGene(IntegerGene(minimum=0, maximum=100)),
        sort=OptionalGene(EnumGene(("a", "b"))),
    ),
    operation("POST", "/books", body=ObjectGene((("title", StringGene()), ("year", IntegerGene())))),
    operation("GET", "/books/{id}", id=IntegerGene()),
    operation("PUT", "/books/{id}", id=IntegerGene(), body=ObjectGene((("title", StringGene()),))),
    operation("DELETE", "/books/{id}", id=IntegerGene()),
    operation("GET", "/health"),
]


def shop(operation_id, values, probe, state):
    """Creates books, users and orders; ids count up."""
    state["next"] = state.get("next", 1_000) + 1
    if operation_id.startswith("POST"):
        if "/orders" in operation_id and probe.equals(1, values["body"].get("coupon"), "half"):
            return 500, {}
        return 201, {"id": state["next"], "name": "n"}
    probe.at_least(2, len(values), 2)
    return 200, {"ok": True}
