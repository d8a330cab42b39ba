"""Schemas that validation libraries apply: where in the call, what new calls look like, and their targets."""

from collections import Counter
from random import Random

import jsonschema_rs
import pytest

from wimble.genes import AnyGene, IntegerGene, NullableGene, ObjectGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedInput
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.model.validation import AppliedSchema, Validation
from wimble.search.learned.content_forms import form_sent
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.members import with_input
from wimble.search.learned.narrowing import narrowed
from wimble.search.learned.validated_inputs import ValidatedInputs
from wimble.search.learned.validated_places import ValidatedPlace, places_of
from wimble.search.targets.validation_targets import ValidationTargets
from wimble.spec.graphql.call_gene import CallGene
from wimble.spec.schemas.learned_genes import learned_gene, members_of
from wimble.types import ABSENT

USER = {
    "type": "object",
    "properties": {"email": {"type": "string", "format": "email"}, "age": {"type": "integer", "minimum": 18}},
    "required": ["email", "age"],
    "additionalProperties": False,
}


def operation(*inputs, method="POST", path="/users"):
    one = http_operation(id=f"{method} {path}", method=method, path=path, inputs=inputs)
    return with_undeclared_inputs([one])[0]


def parameter(name, template, location="query", media_type=""):
    return HttpInput(
        name=name, location=location, template=template, required=location == "path", media_type=media_type
    )


def body(template):
    return HttpInput(name="body", location="body", template=template, required=True, media_type="application/json")


def call(one, **values):
    genes = [given.template for given in one.inputs]
    for index, given in enumerate(one.inputs):
        if given.name in values:
            genes[index] = given.template.with_value(values[given.name])
            assert genes[index] is not None
    return Call(one, tuple(genes))


def validation(schema, value, *, place=(), is_valid=None):
    return Validation(call=0, applied=AppliedSchema.of("zod", schema), value=value, place=place, is_valid=is_valid)


def evaluation(one, *validations):
    return Evaluation(test_case=TestCase((one,)), observations=(), reached={}, validations=validations)


def learnt(one, *validations, seed=1):
    inputs = LearnedInputs(Random(seed))
    known = ValidatedInputs(inputs, Random(seed))
    known.observe(evaluation(one, *validations))

    def new(rng):
        sampled = Call(one.operation, tuple(given.template.sampled(rng) for given in one.operation.inputs))
        return known.applied(inputs.applied(sampled, ()), ())

    return [new(Random(number)) for number in range(60)]


def content(one):
    return next(
        gene.phenotype() for given, gene in zip(one.operation.inputs, one.genes, strict=True) if given.role == "content"
    )


def share_of_valid(schema, values):
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return sum(value is not ABSENT and validator.is_valid(value) for value in values) / len(values)


# ---- where it was applied -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": "abcdef", "n": 3}, [ValidatedPlace("body")]),
        ({"name": "ABCDEF ", "n": "3", "added": True}, [ValidatedPlace("body")]),
        ({"page": "17"}, [ValidatedPlace("query")]),
        ({"id": 4711}, [ValidatedPlace("path")]),
        ("4711", [ValidatedPlace("path", ("id",))]),
        ({"host": "127.0.0.1", "x-a": "longtext", "accept": "*/*"}, [ValidatedPlace("header")]),
        (
            {"body": {"name": "abcdef", "n": 3}, "query": {"page": "17"}, "params": {"id": "4711"}},
            [
                ValidatedPlace("body", (), ("body",)),
                ValidatedPlace("query", (), ("query",)),
                ValidatedPlace("path", (), ("params",)),
            ],
        ),
        ({"other": "things"}, []),
        ("unknown", []),
    ],
)
def test_the_part_of_the_call_is_recognised_by_the_value(value, expected):
    one = operation(
        parameter("id", StringGene(), "path"),
        parameter("page", StringGene()),
        parameter("x-a", StringGene(), "header"),
        body(AnyGene()),
        path="/users/{id}",
    )
    sent = call(one, id="4711", page="17", body={"name": "abcdef", "n": 3}, **{"x-a": "longtext"})
    assert places_of(sent, validation(USER, value)) == expected


@pytest.mark.parametrize("sent", [{"email": "a@b.cd", "age": 30}, {"json": {"email": "a@b.cd", "age": 30}}])
def test_a_json_text_in_the_query_string_holds_the_value_alone_or_below_a_member(sent):
    one = call(operation(parameter("input", AnyGene(None), media_type="application/json"), method="GET"), input=sent)
    path = ("input", *(["json"] if "json" in sent else []))
    user = validation(USER, {"email": "a@b.cd", "age": 30})
    assert places_of(one, user) == [ValidatedPlace("query", path)]
    values = [new.genes[0].phenotype() for new in learnt(one, user)]
    inner = [value.get("json") if isinstance(value, dict) and "json" in sent else value for value in values]
    assert share_of_valid(USER, inner) > 0.6


def test_a_member_of_the_content_is_recognised():
    sent = call(operation(body(AnyGene())), body={"variables": {"data": {"email": "abc", "age": 20}}})
    assert places_of(sent, validation(USER, {"email": "abc", "age": 20})) == [
        ValidatedPlace("body", ("variables", "data"))
    ]


def test_an_empty_value_is_the_content_that_was_left_out():
    (place,) = places_of(call(operation()), validation(USER, ABSENT))
    assert place == ValidatedPlace("body", is_certain=False)


# ---- new calls ------------------------------------------------------------------------------------------------------


def test_contents_meet_the_schema_though_none_is_declared():
    calls = learnt(call(operation()), validation(USER, {}, place=("body",)))
    assert share_of_valid(USER, [content(one) for one in calls]) > 0.6


def test_a_guess_is_replaced_by_what_is_known():
    sent = call(operation())
    inputs = LearnedInputs(Random(1))
    known = ValidatedInputs(inputs, Random(1))
    known.observe(evaluation(sent, validation(USER, ABSENT)))
    assert "email" in str(content(known.applied(sent, ())))
    known.observe(evaluation(sent, validation(USER, {}, place=("query",))))
    changed = known.applied(sent, ())
    assert content(changed) is ABSENT
    assert "email" in str([gene.phenotype() for gene in changed.genes])


def test_schemas_of_one_call_hold_together_and_others_are_alternatives():
    one, other = ({"type": "object", "properties": {name: {"const": 1}}, "required": [name]} for name in "ab")
    both = [
        content(each) for each in learnt(call(operation()), *(validation(s, {}, place=("body",)) for s in (one, other)))
    ]
    assert sum(value == {"a": 1, "b": 1} for value in both) > 30
    sent = call(operation())
    inputs = LearnedInputs(Random(1))
    known = ValidatedInputs(inputs, Random(1))
    for schema in (one, other):
        known.observe(evaluation(sent, validation(schema, {}, place=("body",))))
    values = [content(inputs.applied(sent, ())) for _ in range(60)]
    assert {"a": 1} in values
    assert {"b": 1} in values
    assert {"a": 1, "b": 1} not in values


def test_a_rule_for_one_member_changes_this_member_alone():
    template = ObjectGene((("email", StringGene()), ("n", IntegerGene(5))))
    rule = validation({"type": "string", "format": "email"}, "x", place=("body", "email"))
    values = [content(one) for one in learnt(call(operation(body(template))), rule)]
    assert share_of_valid({"properties": {"email": {"format": "email"}, "n": {"type": "integer"}}}, values) > 0.6


def test_parameters_are_narrowed_and_added():
    schema = {
        "type": "object",
        "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 9}, "sort": {"enum": ["up"]}},
        "required": ["limit", "sort"],
    }
    one = operation(parameter("limit", OptionalGene(StringGene())), method="GET")
    sent = []
    for each in learnt(call(one), validation(schema, {}, place=("query",))):
        values = {}
        for given, gene in zip(one.inputs, each.genes, strict=True):
            if given.sent_in == "query" and (value := gene.phenotype()) is not ABSENT:
                values |= {given.name: value} if given.name else value
        sent.append(values)
    assert sum(values.get("sort") == "up" for values in sent) > 35


def test_an_empty_query_beside_a_content_is_the_query():
    sent = call(operation(body(AnyGene())), body={"a": 1})
    assert places_of(sent, validation(USER, {})) == [ValidatedPlace("query", is_certain=False)]


def test_types_of_a_document_stay():
    rng = Random(1)
    number = learned_gene({"type": "integer", "minimum": 100})
    assert narrowed(StringGene("a"), number, rng, is_required=True) == StringGene("a")
    assert isinstance(narrowed(StringGene("a"), number, rng, is_required=True, is_text=True), IntegerGene)
    assert narrowed(IntegerGene(7), StringGene("a"), rng, is_required=True) == IntegerGene(7)
    date = learned_gene({"type": "string", "format": "date"})
    narrow = narrowed(NullableGene(StringGene(), True), date, rng, is_required=True)
    assert narrow.phenotype() is not None


def test_recursive_and_malformed_schemas_have_genes():
    tree = {"$ref": "#/$defs/S1", "$defs": {"S1": {"type": "object", "properties": {"next": {"$ref": "#/$defs/S1"}}}}}
    assert learned_gene(tree).sampled(Random(1)) is not None
    assert members_of(tree)[0].keys() == {"next"}
    for odd in ({"$ref": "#/$defs/none"}, {"type": 3}, {"properties": []}, {"allOf": [{"$ref": "#"}]}):
        learned_gene(odd)


# ---- targets --------------------------------------------------------------------------------------------------------


def reached(*validations):
    table = TargetTable()
    targets = ValidationTargets(table, lambda target: False)
    added = targets.additions(evaluation(call(operation()), *validations))
    return {table[target].outcome: one.h for target, one in added.reached.items()}


def test_h_grows_as_fewer_rules_are_broken():
    valid = {"email": "a@example.com", "age": 20}
    assert reached(validation(USER, valid, is_valid=True)) == {"valid": 1.0, "invalid": 0.75}
    two = reached(validation(USER, {}, is_valid=False))["valid"]
    one = reached(validation(USER, {"email": "a@example.com"}, is_valid=False))["valid"]
    assert 0.5 < two < one < 1.0
    refined = reached(validation(USER, valid, is_valid=False))
    assert refined == {"valid": 0.75, "invalid": 1.0}, "a refinement that the schema does not express"


def test_without_a_verdict_the_schema_decides():
    assert reached(validation(USER, {"email": "a@example.com", "age": 20}))["valid"] == 1.0
    assert reached(validation(USER, {"email": "a"}))["invalid"] == 1.0
    assert reached(validation({"pattern": "(?<=a", "type": "string"}, "x", is_valid=False))["valid"] == 0.75


# ---- GraphQL --------------------------------------------------------------------------------------------------------


def test_variables_of_graphql_are_narrowed_within_their_types():
    gene = CallGene(
        kind="mutation",
        name="createUser",
        arguments=ObjectGene(
            (("data", ObjectGene((("email", StringGene("x")), ("age", IntegerGene(3)), ("tag", StringGene("t"))))),)
        ),
        argument_types=(("data", "CreateUser!"),),
    )
    one = http_operation(
        id="mutation createUser", method="POST", path="/graphql", graphql="mutation", inputs=(body(gene),)
    )
    sent = Call(one, tuple(given.template for given in one.inputs))
    applied = validation(USER, {"email": "x", "age": 3})
    known = ValidatedInputs(LearnedInputs(Random(1)), Random(1))
    known.observe(evaluation(sent, applied))
    found = [content(known.applied(sent, ())) for _ in range(60)]
    assert all(value["query"].startswith("mutation($data: CreateUser!)") for value in found)
    data = [value["variables"]["data"] for value in found]
    loose = {**USER, "additionalProperties": True}
    assert share_of_valid(loose, data) > 0.6
    assert {one["tag"] for one in data} == {"t"}
    known.observe(evaluation(sent, validation(USER, ABSENT), validation(USER, content(sent))))
    assert "query" in content(known.applied(sent, ()))


def test_rules_for_elements_shape_the_list_that_has_them():
    """As the chains `query('rows').isArray()` and `query('rows.*').isIn()` of express-validator."""
    one = operation(method="GET")
    rows = validation(
        {"type": "array", "minItems": 2, "maxItems": 4, "~optional": True}, ABSENT, place=("query", "rows")
    )
    row = validation({"enum": ["A", "B"]}, ABSENT, place=("query", "rows", "*"))
    queries = [each.genes[0].phenotype() for each in learnt(call(one), rows, row)]
    sent = [query["rows"] for query in queries if query is not ABSENT and "rows" in query]
    assert 25 < len(sent) < 60
    assert all(set(each) <= {"A", "B"} and 2 <= len(each) <= 4 for each in sent)


def test_rules_for_members_of_elements_shape_the_list_in_the_content():
    one = operation(body(AnyGene()))
    sku = validation({"type": "string", "pattern": "^[A-Z]{3}$"}, ABSENT, place=("body", "lines", "*", "sku"))
    count = validation({"type": "integer", "minimum": 1, "~optional": True}, ABSENT, place=("body", "lines", "*", "n"))
    lines = {"type": "array", "minItems": 1}
    values = [
        content(each) for each in learnt(call(one), validation(lines, ABSENT, place=("body", "lines")), sku, count)
    ]
    line = {"properties": {"sku": {"pattern": "^[A-Z]{3}$"}, "n": {"type": "integer"}}, "required": ["sku"]}
    schema = {"properties": {"lines": {**lines, "items": line}}, "required": ["lines"], "type": "object"}
    assert share_of_valid(schema, values) > 0.6


# ---- in which form the content is read -------------------------------------------------------------------------------

JSON, PAGE = 0, 1
LOGIN = {"type": "object", "properties": {"login": {"type": "string"}}, "required": ["login"]}


def sent_as(form, one):
    """Returns a call with one undeclared member in its content."""
    made = with_input(call(one), LearnedInput(location="body", path=("marked",)), StringGene("m5b4c"), form=form)
    assert made is not None
    return made


def forms_after(*seen):
    """Returns the form of each new content. seen: a form that was sent, and the value that the library got of it."""
    one = operation()
    inputs = LearnedInputs(Random(1))
    known = ValidatedInputs(inputs, Random(1))
    for form, value in seen:
        known.observe(evaluation(sent_as(form, one), validation(LOGIN, value, is_valid=False)))
    new = [known.applied(inputs.applied(call(one), ()), ()) for _ in range(60)]
    return Counter(form_sent(each) for each in new if content(each) is not ABSENT)


def test_a_form_of_which_the_schema_sees_the_fields_is_sent_from_then_on():
    found = forms_after((JSON, {}), (PAGE, {"marked": "m5b4c"}))
    assert found[PAGE] > 40 and found[JSON] <= 10
    assert forms_after((PAGE, {"marked": "m5b4c"}), (JSON, ABSENT))[JSON] <= 10


@pytest.mark.parametrize(
    "seen",
    [
        [(JSON, {"marked": "m5b4c"}), (PAGE, {"marked": "m5b4c"})],  # both are parsed
        [(JSON, {"marked": "m5b4c"}), (PAGE, {})],
        [(JSON, {"marked": "m5b4c"}), (JSON, {}), (PAGE, {"marked": "m5b4c"})],  # of the query, in another place
    ],
)
def test_json_stays_where_it_is_read(seen):
    found = forms_after(*seen)
    assert found[JSON] > 40 and not found[PAGE]


def test_a_text_that_several_members_hold_tells_of_none_of_them():
    same = {"username": "ab@example.com", "name": "ab@example.com", "email": "ab@example.com"}
    email = validation({"type": "string", "format": "email"}, "ab@example.com")

    assert not any(place.path for place in places_of(call(operation(body(AnyGene(same)))), email))
    (place,) = places_of(call(operation(body(AnyGene({**same, "username": "ab", "name": "ab"})))), email)
    assert place.path == ("email",)


def test_a_second_check_refuses_what_the_one_before_it_accepts():
    def schema(longest, **more):
        members = {"name": {"type": "string", "maxLength": longest}, **more}
        return {"type": "object", "properties": members, "required": list(members)}

    one = operation(body(AnyGene({})))
    sent = call(one, body={"name": "Ann"})
    known = ValidatedInputs(LearnedInputs(Random(1)), Random(1))
    door = validation(schema(200), {"name": "Ann"})
    known.observe(evaluation(sent, door))
    too_long = call(one, body={"name": "A" * 121})
    assert known.n_checks(one) == 1
    assert not known.second_check_refuses(sent, too_long)
    # The program adds the member `owner` between the two, and so the model refuses each call as it was sent.
    model = validation(schema(120, owner={"type": "integer"}), {"name": "Ann", "owner": 3})
    known.observe(evaluation(sent, door, model))
    assert known.n_checks(one) == 2
    assert known.second_check_refuses(sent, too_long)
    assert not known.second_check_refuses(sent, call(one, body={"name": "A" * 201})), "the first one refuses it as well"
    assert not known.second_check_refuses(sent, call(one, body={"name": "A" * 120}))
