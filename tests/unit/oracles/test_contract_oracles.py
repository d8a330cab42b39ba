"""Status, content type and schema against what the document declares."""

import msgspec
import pytest

from wimble.model.database import DatabaseCommand

ITEM = {
    "$ref": "#/$defs/Item",
    "$defs": {
        "Item": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "at": {"format": "date-time"},
            },
        }
    },
}


def found(findings):
    return [finding.oracle for finding in findings]


@pytest.mark.parametrize(
    ("responses", "method", "status", "n"),
    [
        ({}, "GET", 299, 0),
        ({"200": {}}, "GET", 200, 0),
        ({"200": {}}, "GET", 201, 1),
        ({"201": {}}, "POST", 204, 1),
        ({"2XX": {}}, "GET", 206, 0),
        ({"default": {}}, "GET", 418, 0),
        ({"200": {}}, "GET", 409, 0),
        ({"200": {}, "404": {}}, "GET", 409, 1),
        ({"200": {}, "404": {}}, "GET", 405, 0),
        ({"200": {}}, "GET", 302, 0),
        ({"200": {}}, "GET", 500, 0),
        ({"200": {}}, "OPTIONS", 204, 0),
        ({"200": {}}, "HEAD", 204, 0),
        *(({"200": {}}, "POST", status, 0) for status in (400, 401, 403, 404, 405, 406, 413, 415, 422, 429)),
    ],
)
def test_a_status_that_is_not_declared_is_a_finding(make, judge, *, responses, method, status, n):
    findings = judge(make.evaluation((make.operation(method, responses=responses), make.answer(status))))
    assert found(findings) == ["response-status"] * n + ["server-error"] * (status == 500)


def test_an_undeclared_status_says_what_is_declared(make, judge):
    op = make.operation("POST", responses={"200": {}, "4XX": {}})
    (finding,) = judge(make.evaluation((op, make.answer(201, {"a": 1}))))
    assert finding.title == "POST /things answers 201, which the document does not declare"
    assert finding.expected == "one of the declared statuses: 200, 4XX"
    assert finding.key == ("response-status", "POST /things", "201")


@pytest.mark.parametrize(
    ("declared", "media_type", "n"),
    [
        ({"application/json": None}, "application/json", 0),
        ({"application/json": None}, "application/problem+json", 0),
        ({"application/json": None}, "text/html", 1),
        ({"text/*": None}, "text/html", 0),
        ({"*/*": None}, "", 0),
        ({"application/json": None}, "", 1),
        ({"image/png": None, "text/csv": None}, "text/csv", 0),
        ({}, "text/html", 0),
    ],
)
def test_a_content_type_that_is_not_declared_is_a_finding(make, judge, declared, media_type, n):
    op = make.operation(responses={"200": declared})
    assert found(judge(make.evaluation((op, make.answer(200, b"x", media_type))))) == ["content-type"] * n


def test_bodies_that_are_not_there_have_no_type(make, judge):
    json_only = {"200": {"application/json": None}}
    assert judge(make.evaluation((make.operation(responses=json_only), make.answer(200)))) == []
    assert (
        judge(make.evaluation((make.operation("HEAD", responses=json_only), make.answer(200, b"x", "text/html")))) == []
    )


def test_an_error_page_is_one_fault_for_the_whole_api(make, judge):
    ops = [make.operation("GET", path, {"default": {"application/json": None}}) for path in ("/a", "/b")]
    evaluation = make.evaluation(*((op, make.answer(404, b"<p>", "text/html")) for op in ops))
    (finding,) = judge(evaluation)
    assert finding.title == "GET /a answers 404 as text/html instead of the declared application/json"


def test_a_body_that_breaks_its_schema(make, judge):
    op = make.operation(responses={"200": {"application/json": ITEM}})
    (finding,) = judge(make.evaluation((op, make.answer(200, {"id": "7", "at": "never"}))))
    assert finding.oracle == "response-schema"
    assert (
        finding.title
        == 'GET /things answers 200 with a body that breaks its schema: $.id: "7" is not of type "integer"'
    )
    assert finding.expected == "the declared schema holds: type ['integer'] (#/$defs/Item/properties/id/type)"
    assert finding.key == ("response-schema", "$defs/Item/properties/id/type")


def test_one_finding_per_place_not_per_value(make, judge):
    op = make.operation(responses={"200": {"application/json": ITEM}})
    evaluation = make.evaluation(
        (op, make.answer(200, {"id": 1, "tags": [1, 2, 3]})), (op, make.answer(200, {"id": 1, "tags": [9, 9]}))
    )
    (finding,) = judge(evaluation)
    assert finding.observed == '$.tags[0]: 1 is not of type "string"'


def test_a_wrong_component_is_one_fault_wherever_it_shows(make, judge):
    one = make.operation("GET", "/one", {"200": {"application/json": ITEM}})
    every = {"type": "array", "items": {"$ref": "#/$defs/Item"}, "$defs": ITEM["$defs"]}
    many = make.operation("GET", "/many", {"200": {"application/json": every}})
    evaluation = make.evaluation((one, make.answer(200, {"id": "7"})), (many, make.answer(200, [{"id": "8"}])))
    assert len(judge(evaluation)) == 1


def test_rules_outside_of_components_belong_to_their_operation(make, judge):
    inline = {"200": {"application/json": {"type": "object"}}, "404": {"application/json": {"type": "object"}}}
    one, other = make.operation("GET", "/one", inline), make.operation("GET", "/other", inline)
    assert len(judge(make.evaluation((one, make.answer(200, [])), (other, make.answer(200, []))))) == 2
    assert len(judge(make.evaluation((one, make.answer(404, [])), (other, make.answer(404, []))))) == 1


def test_members_that_are_missing_together_are_one_fault(make, judge):
    schema = {"type": "object", "required": ["a", "b", "c"]}
    op = make.operation(responses={"200": {"application/json": schema}})
    (both,) = judge(make.evaluation((op, make.answer(200, {"c": 1}))))
    assert both.observed == '$: "a", "b" are required properties'
    (again,) = judge(make.evaluation((op, make.answer(200, {"a": 1, "c": 1}))))
    assert again.key == both.key
    (alone,) = judge(make.evaluation((op, make.answer(200, {"a": 1, "b": 1}))))
    assert alone.key != both.key


def test_a_null_in_copies_of_one_object_is_one_fault(make, judge):
    item = {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string"}}}
    one = make.operation("GET", "/one", {"200": {"application/json": item}})
    many = make.operation("GET", "/many", {"200": {"application/json": {"type": "array", "items": item}}})
    null = {"id": 1, "note": None}
    assert len(judge(make.evaluation((one, make.answer(200, null)), (many, make.answer(200, [null]))))) == 1
    wrong = {"id": 1, "note": 7}
    assert len(judge(make.evaluation((one, make.answer(200, wrong)), (many, make.answer(200, [wrong]))))) == 2
    other_member = {"id": None, "note": "x"}
    assert len(judge(make.evaluation((one, make.answer(200, null)), (many, make.answer(200, [other_member]))))) == 2


def test_a_null_in_objects_of_one_member_belongs_to_its_operation(make, judge):
    small = {"200": {"application/json": {"type": "object", "properties": {"message": {"type": "string"}}}}}
    one, other = make.operation("GET", "/one", small), make.operation("GET", "/other", small)
    null = make.answer(200, {"message": None})
    assert len(judge(make.evaluation((one, null), (other, null)))) == 2


def test_errors_of_one_handler_are_one_fault_whatever_their_status(make, judge):
    error = {"application/json": {"type": "object", "required": ["code"]}}
    op = make.operation(responses={"400": error, "404": error})
    bare, other = {"message": "x"}, {"error": "x"}
    assert len(judge(make.evaluation((op, make.answer(400, bare)), (op, make.answer(404, bare))))) == 1
    assert len(judge(make.evaluation((op, make.answer(400, bare)), (op, make.answer(404, other))))) == 2
    texts = make.evaluation(
        (op, make.answer(400, b"no", media_type="text/plain")), (op, make.answer(404, b"none", media_type="text/plain"))
    )
    assert [finding.oracle for finding in judge(texts)] == ["content-type"]


def test_a_body_judged_before_is_judged_the_same(make, judge):
    op = make.operation(responses={"200": {"application/json": ITEM}})
    evaluation = make.evaluation((op, make.answer(200, {"id": "7"})))
    first = judge(evaluation)
    assert judge(make.evaluation((op, make.answer(200, {"id": "7"})))) == first
    assert judge(make.evaluation((op, make.answer(200, {"id": 7})))) == []


def test_what_is_not_json_breaks_a_json_schema(make, judge):
    op = make.operation(responses={"200": {"application/json": ITEM}})
    (finding,) = judge(make.evaluation((op, make.answer(200, b"{oops"))))
    assert finding.observed == "$: the body is not JSON"
    truncated = make.answer(200, b"{oops")
    truncated.is_truncated = True
    assert judge(make.evaluation((op, truncated))) == []


def test_the_most_specific_declaration_counts(make, judge):
    responses = {
        "default": {"application/json": {"type": "string"}},
        "2XX": {"*/*": {"type": "integer"}},
        "200": {"application/json": ITEM},
    }
    op = make.operation(responses=responses)
    assert (
        judge(
            make.evaluation((op, make.answer(200, {"id": 1})), (op, make.answer(203, 7)), (op, make.answer(409, "why")))
        )
        == []
    )


def test_a_schema_that_cannot_be_used_is_told_once(make, judge):
    op = make.operation(responses={"200": {"application/json": {"$ref": "#/nowhere"}}})
    for _ in range(3):
        assert judge(make.evaluation((op, make.answer(200, {"a": 1})))) == []
    (warning,) = judge.take_warnings()
    assert warning.startswith("GET /things, response 200 application/json: the schema cannot be used")
    assert judge.take_warnings() == []


def test_values_too_large_for_the_validator_are_left_alone(make, judge):
    op = make.operation(responses={"200": {"application/json": {"type": "integer"}}})
    assert judge(make.evaluation((op, make.answer(200, b"9" * 400)))) == []
    nested = b"[" * 500 + b"]" * 500
    assert isinstance(judge(make.evaluation((op, make.answer(200, nested)))), list)


@pytest.mark.parametrize(
    ("declared", "status", "method", "n"),
    [
        ({"application/json": ITEM}, 200, "GET", 1),
        ({"application/json": ITEM, "text/csv": None}, 200, "GET", 0),
        ({"application/json": None}, 200, "GET", 0),
        ({"application/json": ITEM}, 204, "GET", 0),
        ({"application/json": ITEM}, 404, "GET", 0),
        ({"application/json": ITEM}, 200, "HEAD", 0),
    ],
)
def test_a_promised_body_that_is_not_there(make, judge, *, declared, status, method, n):
    op = make.operation(method, responses={"200": declared, "default": declared})
    findings = judge(make.evaluation((op, make.answer(status))))
    assert [finding.observed for finding in findings] == ["$: the answer has no body"] * n


def test_numbers_that_are_null_together_are_one_fault(make, judge):
    number = {"type": "number"}
    members = {"sum": number, "mean": number, "name": {"type": "string"}}
    op = make.operation(responses={"200": {"application/json": {"type": "object", "properties": members}}})
    (both,) = judge(make.evaluation((op, make.answer(200, {"sum": None, "mean": None, "name": "x"}))))
    (one,) = judge(make.evaluation((op, make.answer(200, {"sum": 1, "mean": None, "name": "x"}))))
    assert one.key == both.key
    assert len(judge(make.evaluation((op, make.answer(200, {"sum": None, "mean": None, "name": None}))))) == 2


def test_a_wrong_value_that_a_statement_stores_is_part_of_the_values_that_it_refuses(make, judge):
    members = {"unitPrice": {"type": "integer"}}
    op = make.operation("POST", responses={"200": {"application/json": {"type": "object", "properties": members}}})

    def run(answer, **command):
        evaluation = make.evaluation((op, answer))
        stored = DatabaseCommand(database="d", dialect="mysql", call=0, site="/app/a.js:7", **command)
        (finding,) = judge(msgspec.structs.replace(evaluation, interactions=(stored,)))
        return finding

    answered = make.answer(200, {"unitPrice": "125"})
    wrong = run(answered, text="UPDATE items SET unit_price = ?", params=("125",))
    written_out = run(answered, text="UPDATE items SET unit_price = '125'")
    refusal = "Error: Out of range value for column 'unit_price' at row 1"
    (refused,) = judge(make.evaluation((op, make.answer(500), make.Cause(file="/app/a.js", line=7, message=refusal))))
    assert wrong.part_of == written_out.part_of == (refused.key,)
    assert run(answered, text="UPDATE items SET unit_price = ?", params=(125,)).part_of == ()
    assert run(answered, text="UPDATE items SET total = ?", params=("125",)).part_of == ()
