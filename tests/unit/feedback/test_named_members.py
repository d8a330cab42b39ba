"""Members that the program reads by name and that no object has yet: where they are put in."""

import base64
from random import Random

from hint_samples import UNDEFINED, hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import AnyGene, Gene, IntegerGene, JsonTextGene, MapGene, ObjectGene, OptionalGene, StringGene
from wimble.genes.signed_token import MARK, SignedTokenGene, claims_in
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.hints import OperandHint
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import Json, OperationId


def outcomes(
    gene: Gene, right: Json, operator: str = "===", *, name: str = "mode", location: str = "body"
) -> list[Json]:
    """What the one input of a call becomes by the edits for an undefined operand of that name."""
    media_type = "application/json" if location == "body" else ""
    declared = HttpInput(name="input", location=location, required=True, media_type=media_type, template=gene)
    case = TestCase(
        (Call(http_operation(id=OperationId("op"), method="POST", path="/op", inputs=(declared,)), (gene,)),)
    )
    seen = hint(UNDEFINED, operator, right, name=name)
    edits = [edit for edit in edits_from_hints(case, [seen], Random(1), JAVASCRIPT) if "put in" in edit.why]
    return [apply_edit(case, edit).calls[0].genes[0].phenotype() for edit in edits]


def test_json_texts_get_the_member_at_the_top_and_one_level_below():
    text = JsonTextGene(AnyGene({"a": 1, "b": {"c": 2}}), StringGene("x"))
    assert outcomes(text, "drop", location="query") == [
        '{"a":1,"b":{"c":2},"mode":"drop"}',
        '{"a":1,"b":{"c":2,"mode":"drop"}}',
    ]


def test_claims_that_are_read_are_put_into_signed_tokens_with_their_types():
    token = SignedTokenGene("f00df00df00df00d", ObjectGene((("sub", StringGene("ada")),)))
    (put_in, *others) = outcomes(token, "acme", name="claims.mode", location="header")
    found = MARK.fullmatch(put_in)
    assert found is not None and claims_in(found[2]) == {"sub": "ada", "mode": "acme"}
    assert others == []
    assert outcomes(token, "acme", name="claims.sub", location="header") == []
    with_claim = token.with_claim("mode", 7)
    assert with_claim is not None and with_claim.claims.children()[1].with_value("x") is None


def test_a_text_that_reads_as_json_becomes_a_document_and_others_stay():
    assert outcomes(StringGene("17"), 4, ">", location="query")[0] == '{"mode":5}'
    assert outcomes(StringGene("qx3f1"), "drop", location="query") == []
    assert outcomes(StringGene("[1]"), "drop", location="query") == []


def test_free_maps_and_bodies_get_it_also_where_the_schema_does_not_mention_it():
    assert outcomes(MapGene(IntegerGene(0)), 7) == [{"mode": 7}]
    assert outcomes(AnyGene({"a": 1}), "x") == [{"a": 1, "mode": "x"}]
    assert outcomes(ObjectGene((("a", IntegerGene(1)),)), "x") == [{"a": 1, "mode": "x"}]
    assert outcomes(ObjectGene((("a", IntegerGene(1)),)), "x", location="query") == []


def test_a_longer_name_is_put_in_with_what_it_is_read_from():
    texts = outcomes(JsonTextGene(AnyGene({"a": 1}), StringGene("x")), "dark", name="body.theme.name", location="query")
    assert '{"a":1,"theme":{"name":"dark"}}' in texts
    assert '{"a":1,"name":"dark"}' in texts
    kept = outcomes(AnyGene({"theme": {"size": 2}}), "dark", name="doc.theme.name")
    assert {"theme": {"size": 2, "name": "dark"}} in kept
    assert {"a": 1, "theme": {"name": "dark"}} in outcomes(
        ObjectGene((("a", IntegerGene(1)),)), "dark", name="theme.name"
    )


def test_documents_within_base64_get_the_member():
    token = "e30." + base64.urlsafe_b64encode(b'{"sub":"x"}').decode().rstrip("=") + ".c2ln"
    texts = outcomes(StringGene(token), "admin", name="payload.role", location="header")
    claims = base64.urlsafe_b64encode(b'{"sub":"x","role":"admin"}').decode().rstrip("=")
    assert f"e30.{claims}.c2ln" in texts
    after = base64.urlsafe_b64encode(b'{"after":4001}').decode().rstrip("=")
    assert after in outcomes(StringGene("W3RydWVdn"), 4000, ">", name="cursor.after", location="query")


def test_what_is_declared_is_switched_on_instead():
    declared = ObjectGene((("mode", OptionalGene(StringGene("y"), False)),))
    assert outcomes(declared, "x") == []
    assert outcomes(AnyGene({"a": 1}), "x", name="input") == []


def test_maps_get_the_members_that_the_name_is_read_from():
    free = MapGene(AnyGene(None), (("a", AnyGene(1)),))
    assert {"a": 1, "tls": {"min": {"mode": "x"}}} in outcomes(free, "x", name="tls.min.mode")
    begun = MapGene(AnyGene(None), (("tls", AnyGene({"on": True})),))
    assert {"tls": {"on": True, "min": {"mode": "x"}}} in outcomes(begun, "x", name="tls.min.mode")
    numbers = MapGene(IntegerGene(0), (("a", IntegerGene(1)),))
    assert outcomes(numbers, 5, name="tls.min.mode") == [{"a": 1, "mode": 5}]


def test_an_index_in_a_name_is_one_of_a_list():
    free = MapGene(AnyGene(None))
    assert {"lines": [{"item": {"price": 5}}]} in outcomes(free, 5, name="body.lines.0.item.price")
    assert {"rows": ["x", "x"]} in outcomes(AnyGene({}), "x", name="rows.1")


BODY = (HttpInput(name="body", location="body", media_type="application/json", template=AnyGene({})),)
POST = http_operation(id=OperationId("POST /x"), method="POST", path="/x", inputs=BODY)


def bodies(body: Json, seen: OperandHint) -> list[Json]:
    """What the content of a call becomes by the edits for a hint about it, cheapest first."""
    case = TestCase((Call(POST, (AnyGene(body),)),))
    edits = edits_from_hints(case, [seen], Random(1), JAVASCRIPT)
    return [apply_edit(case, edit).calls[0].genes[0].phenotype() for edit in edits]


def test_the_member_whose_type_is_compared_gets_the_type_first():
    missing = hint("undefined", "===", "number", name="type of body.lat")
    assert bodies({"id": "a"}, missing)[0] == {"id": "a", "lat": 1}
    text = hint("string", "===", "number", name="type of lat")
    assert bodies({"id": "a", "lat": "b"}, text)[0] == {"id": "a", "lat": 1}
    unwanted = hint("string", "===", "string", name="type of lat", wanted=False)
    assert bodies({"id": "a", "lat": "b"}, unwanted)[0]["id"] == "a"


def test_the_member_that_has_to_be_a_list_becomes_one():
    assert bodies({"id": "a", "rows": "b"}, hint("b", "list", name="rows")) == [{"id": "a", "rows": ["b"]}]
    assert bodies({"id": "a"}, hint(UNDEFINED, "list", name="body.rows"))[0] == {"id": "a", "rows": []}
