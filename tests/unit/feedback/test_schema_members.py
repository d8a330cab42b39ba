"""Members of documents that a library found wrong: the inputs there become as they have to be, one by one and all at
once."""

from random import Random

from hint_samples import required
from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import AnyGene, ArrayGene, Gene, IntegerGene, MapGene, ObjectGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.hints import SchemaHint
from wimble.model.setup_kinds.answer import BODY as ANSWERED
from wimble.model.setup_kinds.answer import Answer, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import Json, OperationId


def case_with(gene: Gene, *setup: Answer) -> TestCase:
    declared = HttpInput(name="body", location="body", required=True, media_type="application/json", template=gene)
    operation = http_operation(id=OperationId("op"), method="POST", path="/op", inputs=(declared,))
    return TestCase((Call(operation, (gene,)),), setup)


def outcomes(gene: Gene, *hints: SchemaHint) -> list[Json]:
    case = case_with(gene)
    return [
        apply_edit(case, edit).calls[0].genes[0].phenotype()
        for edit in edits_from_hints(case, hints, Random(1), JAVASCRIPT)
    ]


BODY = ObjectGene(
    (
        ("tier", StringGene("x")),
        ("contact", ObjectGene((("tier", StringGene("y")), ("tags", ArrayGene(StringGene("t")))))),
        ("seats", OptionalGene(IntegerGene(3), True)),
    )
)


def test_the_member_at_the_path_is_written():
    changed = [one["contact"]["tier"] for one in outcomes(BODY, required("contact.tier", "===", "gold"))]
    assert changed == ["gold"]
    assert all(one["seats"] >= 5 for one in outcomes(BODY, required("seats", ">=", 5)))
    assert all("seats" not in one for one in outcomes(BODY, required("seats", "===", {"$undefined": True})))


def test_lists_and_texts_get_their_length():
    assert [len(one["contact"]["tags"]) for one in outcomes(BODY, required("contact.tags", "length", 2))] == [2]
    assert any(one["contact"]["tier"] == "yyyy" for one in outcomes(BODY, required("contact.tier", "length", 4)))


def test_what_is_not_there_is_put_in():
    assert {"a": 1, "sku": "abc"} in outcomes(AnyGene({"a": 1}), required("sku", "===", "abc"))
    assert {"a": 1, "contact": {}} in outcomes(AnyGene({"a": 1}), required("contact", "type", "object"))


def test_several_members_are_put_right_at_once():
    free = outcomes(AnyGene({}), required("sku", "===", "abc"), required("qty", "===", 1))
    assert free[0] == {"sku": "abc", "qty": 1}
    declared = outcomes(BODY, required("seats", ">=", 5), required("contact.tags", "length", 1))
    assert declared[0]["seats"] == 5
    assert len(declared[0]["contact"]["tags"]) == 1


def test_members_of_free_documents_come_and_go_at_their_path():
    free = MapGene(AnyGene(None), (("id", AnyGene({"a": 1})), ("tags", AnyGene(["x"]))))
    assert {"tags": ["x"]} in outcomes(free, required("id", "===", {"$undefined": True}))
    assert {"id": {"a": 1}, "tags": ["x"], "to": {"zip": "abc"}} in outcomes(free, required("to.zip", "===", "abc"))
    assert len(outcomes(free, required("tags", "length", 3))[0]["tags"]) == 3
    grown = outcomes(AnyGene({"to": [None, {"zip": "abc"}, {}]}), required("to", "length", 4))
    assert {"to": [None, {"zip": "abc"}, {}, {"zip": "abc"}]} in grown
    assert {"id": {"a": 1}, "tags": []} in outcomes(free, required("body.tags", "length", 0))


def test_a_member_that_only_has_to_be_there_is_first_what_its_name_says_or_a_text():
    emails = [one["email"] for one in outcomes(AnyGene({"a": 1}), required("email"))]
    assert "@" in emails[0]
    (title, *_) = [one["title"] for one in outcomes(AnyGene({"a": 1}), required("title"))]
    assert isinstance(title, str)
    assert title


def test_an_answer_without_a_member_that_the_call_has_is_not_meant():
    bodies: tuple[Json, ...] = ({}, {"tier": "x"})
    for answered, is_meant in zip(bodies, (False, True), strict=True):
        case = case_with(BODY, new_answer("https://crm.example:443", "GET", "/a", body=answered))
        edits = edits_from_hints(case, [required("tier", "===", "gold")], Random(1), JAVASCRIPT)
        made = [apply_edit(case, edit).setup[0].genes[ANSWERED].phenotype() for edit in edits]
        assert ({"tier": "gold"} in made) is is_meant
