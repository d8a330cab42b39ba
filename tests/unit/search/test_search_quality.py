"""Does the search get there? Each case: within a budget of evaluations, in at least half of 20 seeds."""

from statistics import median

import pytest
from fake_sut import FakeSut, operation, searched

from wimble.genes import BooleanGene, IntegerGene, ObjectGene, OptionalGene, StringGene

SEEDS = range(20)


def solved(make_sut, operations, evaluations, strategy="mio"):
    """Evaluations used by the seeds that covered line 99."""
    used = []
    for seed in SEEDS:
        _, count = searched(make_sut(), operations, seed=seed, evaluations=evaluations, strategy=strategy, stop_at=99)
        if count < evaluations:
            used.append(count)
    print(f"{len(used)} of {len(SEEDS)} seeds, median {median(used) if used else None}")
    return used


def magic_number(operation_id, values, probe, state):
    if probe.equals(1, values["a"], 73421):
        probe.line(99)
        return 500, {}
    return 200, {}


def relation(operation_id, values, probe, state):
    if probe.equals(1, values["b"], 2 * values["a"] + 7):
        probe.line(99)
        return 500, {}
    return 200, {}


def conjunction(operation_id, values, probe, state):
    body = values["body"]
    is_big = probe.at_least(1, body["total"], 5_000)
    if is_big and probe.equals(2, body["count"], 17) and probe.equals(3, body.get("express", False), True):
        probe.line(99)
        return 500, {}
    return 200, {}


def short_word(operation_id, values, probe, state):
    if probe.equals(1, values["word"], "gold"):
        probe.line(99)
        return 500, {}
    return 200, {}


ONE_NUMBER = [operation("GET", "/guess", a=IntegerGene())]
TWO_NUMBERS = [operation("GET", "/relation", a=IntegerGene(), b=IntegerGene())]
WORD = [operation("GET", "/word", word=StringGene())]
ORDER = [
    operation(
        "POST",
        "/orders",
        body=ObjectGene(
            (
                ("total", IntegerGene(minimum=0)),
                ("count", IntegerGene(minimum=0)),
                ("express", OptionalGene(BooleanGene())),
                ("note", OptionalGene(StringGene())),
                ("tag", StringGene()),
            )
        ),
    )
]


@pytest.mark.parametrize(
    ("handler", "operations", "evaluations"),
    [
        (magic_number, ONE_NUMBER, 1_000),
        (relation, TWO_NUMBERS, 1_000),
        pytest.param(conjunction, ORDER, 2_500, marks=pytest.mark.long),
        pytest.param(short_word, WORD, 3_000, marks=pytest.mark.long),
    ],
    ids=["magic number", "relation of two inputs", "conjunction in a body", "short word"],
)
def test_gradient_leads_behind_the_guard(handler, operations, evaluations):
    assert len(solved(lambda: FakeSut(handler), operations, evaluations)) >= 10


def test_random_search_does_not_find_the_magic_number():
    assert len(solved(lambda: FakeSut(magic_number), ONE_NUMBER, 1_000, strategy="random")) <= 2


@pytest.mark.parametrize(("handler", "operations"), [(magic_number, ONE_NUMBER), (short_word, WORD)])
def test_hint_leads_behind_the_guard_at_once(handler, operations):
    used = solved(lambda: FakeSut(handler, with_hints=True), operations, 30)
    assert len(used) == 20


# -- states ---------------------------------------------------------------------------------------------------------


def books(operation_id, values, probe, state):
    """Line 99: a book that was created, then updated to the price 250, then read."""
    if operation_id == "POST /books":
        # Like a SUT that was not reset: ids go on from where other tests left them.
        state["next"] = state.get("next", 5_000_017) + 1
        state[state["next"]] = 1
        return 201, {"data": {"bookId": state["next"]}}
    book_id = values["id"]
    if book_id not in state:
        return 404, {"error": "unknown"}
    if operation_id == "PUT /books/{id}":
        state[book_id] = values["body"]["price"]
        return 200, {"price": state[book_id]}
    if operation_id == "DELETE /books/{id}":
        del state[book_id]
        return 204, None
    if probe.equals(1, state[book_id], 250):
        probe.line(99)
    return 200, {"price": state[book_id]}


BOOKS = [
    operation("GET", "/books/{id}", id=IntegerGene()),
    operation("PUT", "/books/{id}", id=IntegerGene(), body=ObjectGene((("price", IntegerGene(minimum=0)),))),
    operation("DELETE", "/books/{id}", id=IntegerGene()),
    operation("POST", "/books", body=ObjectGene((("title", StringGene()),))),
]


def test_state_chain_with_a_value_inside_is_built():
    assert len(solved(lambda: FakeSut(books), BOOKS, 3_000)) >= 10


def nested(operation_id, values, probe, state):
    """Line 99: an order of a user, asked for under that user."""
    ids = state.setdefault("ids", iter(range(900_001, 999_999)))
    owner = state.setdefault("owner", {})
    if operation_id == "POST /users":
        user = next(ids)
        owner[user] = None
        return 201, {"id": user}
    if values["userId"] not in owner:
        return 404, {}
    if operation_id == "POST /users/{userId}/orders":
        order = next(ids)
        owner[order] = values["userId"]
        return 201, {"orderId": order, "userId": values["userId"]}
    if owner.get(values["orderId"]) != values["userId"]:
        return 404, {}
    probe.line(99)
    return 200, {}


NESTED = [
    operation("GET", "/users/{userId}/orders/{orderId}", userId=IntegerGene(), orderId=IntegerGene()),
    operation("POST", "/users/{userId}/orders", userId=IntegerGene()),
    operation("POST", "/users"),
]


def test_nested_path_is_bound_on_both_levels():
    used = solved(lambda: FakeSut(nested), NESTED, 100)
    assert len(used) >= 18


def test_infeasible_guards_do_not_starve_the_others():
    """Ten comparisons that no input satisfies, each with a hint, before the one that counts."""

    def handler(operation_id, values, probe, state):
        for site in range(200, 210):
            probe.equals(site, values["a"] % 7 + site if isinstance(values["a"], int) else site, -1)
        return magic_number(operation_id, values, probe, state)

    assert len(solved(lambda: FakeSut(handler), ONE_NUMBER, 3_000)) >= 10
