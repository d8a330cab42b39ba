from random import Random

from api import API, shop
from fake_sut import FakeSut, operation
from graphql import build_schema

from wimble.genes import IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.references import has_valid_references, iter_references
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.spec.graphql.root_fields import load_graphql

BY_ID = {o.id: o for o in API}


def sampler(seed=1, **settings):
    return Sampler(API, Settings(**settings), Random(seed))


def ids(test_case):
    return [call.operation.id for call in test_case.calls]


def learnt(seed=1, n=60):
    made = sampler(seed)
    sut = FakeSut(shop)
    for test_case in made.iter_initial():
        made.observe(sut.evaluate(test_case))
    for _ in range(n):
        made.observe(sut.evaluate(made.sample()))
    return made


def test_smart_start_calls_each_operation_alone_first():
    initial = list(sampler().iter_initial())
    assert [ids(test_case) for test_case in initial[: len(API)]] == [[o.id] for o in API]


def test_smart_start_goes_on_with_chains():
    chains = [ids(test_case) for test_case in sampler().iter_initial() if len(test_case.calls) > 1]
    assert ["POST /users", "POST /users/{userId}/orders", "GET /users/{userId}/orders/{orderId}"] in chains
    assert any(chain[-1] == "DELETE /books/{id}" and len(chain) == 2 for chain in chains)


def test_samples_respect_the_limit_and_refer_backwards():
    for limit in (1, 2, 3, 10):
        made = sampler(limit, max_test_calls=limit)
        lengths = set()
        for _ in range(600):
            test_case = made.sample()
            lengths.add(len(test_case.calls))
            assert 1 <= len(test_case.calls) <= limit
            assert has_valid_references(test_case)
        assert max(lengths) == limit


def test_nested_chain_binds_both_parameters():
    made = learnt()
    both = 0
    for _ in range(100):
        test_case = made.sample_for(BY_ID["GET /users/{userId}/orders/{orderId}"])
        call = next(c for c in test_case.calls if c.operation.id == "GET /users/{userId}/orders/{orderId}")
        both += all(isinstance(gene, ReferenceGene) for gene in call.genes)
    assert both >= 60


def test_observed_answers_decide_the_pointer():
    made = learnt()
    pointers = []
    for _ in range(100):
        test_case = made.sample_for(BY_ID["GET /books/{id}"])
        pointers += [r.pointer for _, r in iter_references(test_case) if ids(test_case)[r.call] == "POST /books"]
    assert pointers.count("/id") > 0.9 * len(pointers) > 0


def test_foreign_key_in_a_body_is_bound_to_its_creator():
    made = learnt()
    calls = [made.call(BY_ID["POST /books"], ())]
    bound = 0
    for _ in range(50):
        call = made.call(BY_ID["POST /users/{userId}/orders"], calls)
        bound += isinstance(call.genes[1].fields[0][1], ReferenceGene)
    assert bound >= 20


def test_what_a_field_of_a_body_names_is_often_created_before():
    made = learnt()
    order = BY_ID["POST /users/{userId}/orders"]
    samples = [made.sample_for(order) for _ in range(100)]
    first = [next(i for i, call in enumerate(one.calls) if call.operation is order) for one in samples]
    books = ["POST /books" in ids(one)[:index] for one, index in zip(samples, first, strict=True)]
    assert 25 <= sum(books) <= 75
    assert all(len(one.calls) <= Settings().max_test_calls and has_valid_references(one) for one in samples)
    bound = [
        isinstance(one.calls[index].genes[1].fields[0][1], ReferenceGene)
        for one, index, has_book in zip(samples, first, books, strict=True)
        if has_book
    ]
    assert sum(bound) > len(bound) / 2


def test_two_fields_that_name_the_same_kind_of_thing_get_two_of_them():
    content = ObjectGene((("homeTeamId", IntegerGene()), ("awayTeamId", IntegerGene())))
    teams, matches = operation("POST", "/teams"), operation("POST", "/matches", body=content)
    samples = Sampler([teams, matches], Settings(), Random(1))
    chains = [samples.sample_for(matches) for _ in range(60)]
    complete = [one for one in chains if ids(one)[-3:] == ["POST /teams", "POST /teams", "POST /matches"]]
    bound = [{gene.call for _, gene in iter_references(one)} for one in complete]
    assert len(complete) > 10
    assert sum(len(calls) == 2 for calls in bound) > len(complete) / 3


def plates() -> tuple[Sampler, dict[str, Operation]]:
    body = ObjectGene((("plate", StringGene("HB-1")),))
    operations = [
        operation("POST", "/vehicles", body=body),
        operation("GET", "/vehicles/{plate}", plate=StringGene()),
        operation("POST", "/permits", body=body),
    ]
    return Sampler(operations, Settings(), Random(1)), {one.id: one for one in operations}


def test_a_field_with_the_name_of_a_path_parameter_names_what_is_at_that_path():
    made, known = plates()
    samples = [made.sample_for(known["POST /permits"]) for _ in range(60)]
    behind = [one for one in samples if ids(one)[:2] == ["POST /vehicles", "POST /permits"]]
    assert len(behind) >= 15
    shared = [
        one for one in behind if isinstance(gene := one.calls[1].genes[0].fields[0][1], ReferenceGene)
        or gene.phenotype() == one.calls[0].genes[0].fields[0][1].phenotype()
    ]  # fmt: skip
    assert len(shared) > len(behind) / 2
    makers = [made.sample_for(known["POST /vehicles"]) for _ in range(30)]
    assert all(not isinstance(one.calls[0].genes[0].fields[0][1], ReferenceGene) for one in makers)


def test_values_seen_in_answers_come_back_as_inputs():
    made = learnt()
    seen = set(made.pool.values("bookid"))
    assert seen
    used = {made.sample_for(BY_ID["GET /books/{id}"]).calls[0].genes[-1] for _ in range(300)}
    assert any(getattr(gene, "value", None) in seen for gene in used)


def test_same_seed_gives_the_same_samples():
    first, second = learnt(5), learnt(5)
    assert [first.sample() for _ in range(100)] == [second.sample() for _ in range(100)]
    assert learnt(6).sample() != first.sample()


def test_identity_that_the_client_chose_is_sent_again():
    api = [
        operation("POST", "/users", body=ObjectGene((("username", StringGene()),))),
        operation("GET", "/users/{username}", username=StringGene()),
    ]
    made = Sampler(api, Settings(), Random(2))
    same = 0
    for _ in range(50):
        posted = made.call(api[0], ())
        got = made.call(api[1], (posted,), bind_probability=1.0)
        same += got.genes[0].phenotype() == posted.genes[0].fields[0][1].phenotype()
    assert same == 50


def test_upserted_resource_is_asked_for_by_the_same_path():
    api = [operation("PUT", "/kv/{key}", key=StringGene()), operation("GET", "/kv/{key}", key=StringGene())]
    made = Sampler(api, Settings(), Random(2))
    chains = [made.sample_for(api[1]).calls for _ in range(100)]
    shared = [calls for calls in chains if len(calls) > 1 and calls[0].genes == calls[1].genes]
    assert len(shared) >= 50


def test_resource_that_was_deleted_holds_nothing_against_the_pointer():
    made = learnt()
    post, delete, get = (
        BY_ID[f"{method} /books{tail}"] for method, tail in (("POST", ""), ("DELETE", "/{id}"), ("GET", "/{id}"))
    )
    reference = ReferenceGene(0, "/id", IntegerGene())
    calls = (made.call(post, ()), Call(delete, (reference,)), Call(get, (reference,)))
    answers = {"POST /books": 201, "DELETE /books/{id}": 204, "GET /books/{id}": 404}
    sut = FakeSut(lambda operation_id, values, probe, state: (answers[operation_id], {"id": 5, "bookId": 6}))
    for _ in range(30):
        made.observe(sut.evaluate(TestCase(calls)))
    rng = Random(1)
    assert [made.bindings.choose(post, "id", "book", rng) for _ in range(100)].count("/id") >= 40


def test_while_no_creator_has_succeeded_resources_come_from_a_list_that_shows_some():
    def refusing(listed):
        def handler(operation_id, values, probe, state):
            if operation_id == "POST /books":
                return 422, {"error": "no"}
            return 200, listed if operation_id == "GET /books" else {"ok": True}

        return handler

    def share_of_lists(handler):
        made, sut = sampler(), FakeSut(handler)
        for test_case in made.iter_initial():
            made.observe(sut.evaluate(test_case))
        samples = [ids(made.sample_for(BY_ID["DELETE /books/{id}"])) for _ in range(200)]
        return sum("GET /books" in one[: one.index("DELETE /books/{id}")] for one in samples) / 200

    assert share_of_lists(refusing([{"id": 7}])) > 0.4
    assert share_of_lists(refusing({"rows": [{"id": 7}]})) > 0.4
    assert share_of_lists(refusing({"page": 1, "rows": []})) < 0.3
    assert share_of_lists(shop) < 0.3


def test_what_has_succeeded_is_asked_for_resources_first():
    schema = build_schema("""
        type Book { id: ID! } type Query { books: [Book!]! } type Mutation { addBook: Book! read(bookId: ID!): Int! }
    """)
    operations = load_graphql(schema, "schema.graphql", "/graphql").operations
    by_name = {one.id: one for one in operations}
    made = Sampler(operations, Settings(), Random(1))
    answers = {
        "mutation addBook": {"errors": [{"message": "no"}]},
        "query books": {"data": {"books": [{"id": "b1"}]}},
        "mutation read": {"data": {"read": 1}},
    }
    sut = FakeSut(lambda name, values, probe, state: (400 if name == "mutation addBook" else 200, answers[name]))
    for test_case in made.iter_initial():
        made.observe(sut.evaluate(test_case))
    samples = [ids(made.sample_for(by_name["mutation read"])) for _ in range(100)]
    assert sum("query books" in one for one in samples) > 60
