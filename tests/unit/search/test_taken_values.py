"""Operations that refuse a second time what they have accepted once get other values in copies of test cases."""

import re
from random import Random

from fake_sut import FakeSut, operation

from wimble.genes import AnyGene, ArrayGene, IntegerGene, MapGene, ObjectGene, StringGene
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.database import Column, TableName
from wimble.model.learned_input import LearnedInput
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.source_constants import ConstantTable
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.members import value_of_input, with_input
from wimble.search.learned.replaced_texts import with_texts
from wimble.search.learned.taken_values import KEPT_PROBABILITY, TakenValues

ADD = operation(
    "POST",
    "/stations",
    body=ObjectGene((("code", StringGene()), ("kind", StringGene()), ("id", IntegerGene()), ("height", IntegerGene()))),
)
READ = operation("GET", "/stations/{code}", code=StringGene())


def adding(code: str, kind: str = "heavy storm", number: int = 17) -> Call:
    body = ADD.inputs[0].template.with_value({"code": code, "kind": kind, "id": number, "height": 5})
    return Call(ADD, (body, *(given.template for given in ADD.inputs[1:])))


def reading(code: str) -> Call:
    return Call(READ, (StringGene(code), *(given.template for given in READ.inputs[1:])))


KEPT: set[str] = set()


def stations(operation_id, values, probe, state):
    if not operation_id.startswith("POST"):
        return 200, {}
    code = values["body"]["code"]
    if not re.fullmatch(r"[A-Z]{3}\d", code):
        return 400, {}
    if code in KEPT:
        return 409, {}
    KEPT.add(code)
    return 201, {}


def after(*test_cases: TestCase, constants: ConstantTable | None = None) -> TakenValues:
    KEPT.clear()
    sut, taken = FakeSut(stations), TakenValues(Random(1), constants)
    for one in test_cases:
        taken.observe(sut.evaluate(one))
    return taken


def copies(taken: TakenValues, test_case: TestCase) -> list[list]:
    made = (taken.renewed(test_case) for _ in range(200))
    return [[call.genes[0].phenotype() for call in one.calls] for one in made]


ONE = TestCase((adding("HAM1"), reading("HAM1")))


def test_what_is_accepted_each_time_stays():
    assert copies(after(ONE), ONE) == [[ONE.calls[0].genes[0].phenotype(), "HAM1"]] * 200
    refused_for_itself = TestCase((adding("hamburg"),))
    assert copies(after(refused_for_itself, refused_for_itself), ONE)[0][1] == "HAM1"


def test_what_is_refused_the_second_time_gets_another_name_of_the_same_shape_in_all_calls():
    found = copies(after(ONE, ONE), ONE)
    changed = [one for one in found if one[1] != "HAM1"]
    assert abs(len(changed) - 200 * (1 - KEPT_PROBABILITY)) < 25
    assert all(re.fullmatch(r"[A-Z]{3}\d", one[1]) and one[0]["code"] == one[1] for one in changed)
    assert {one[0]["kind"] for one in changed} == {"heavy storm"}
    assert {one[0]["height"] for one in changed} == {5}
    assert len({one[0]["id"] for one in changed}) > 100


def test_texts_of_the_program_stay_since_it_may_ask_for_them():
    constants = ConstantTable()
    constants.put("app.js", [(1, "HAM1")])
    assert {one[1] for one in copies(after(ONE, ONE, constants=constants), ONE)} == {"HAM1"}


def test_made_up_texts_are_made_up_anew_whatever_they_are_called():
    test_case = TestCase((adding("HAM1", kind="qx3f1"),))
    taken = after(test_case, test_case)
    kinds = {one[0]["kind"] for one in copies(taken, test_case)}
    assert len(kinds) > 100


def test_what_was_not_sent_before_stays_since_the_copy_is_made_for_it():
    taken = after(ONE, ONE)
    probe = TestCase((adding("HAM1", kind="b7xkq"),))
    assert {one[0]["kind"] for one in copies(taken, probe)} == {"b7xkq"}
    taken.observe(FakeSut(stations).evaluate(probe))
    assert len({one[0]["kind"] for one in copies(taken, probe)}) > 100


def test_what_is_within_a_replaced_document_is_replaced_with_it():
    extra = MapGene(AnyGene(None), (("a", ArrayGene(AnyGene(None), (StringGene("b7xkq"),))), ("b", AnyGene("b7xkq"))))
    add = operation("POST", "/notes", body=ObjectGene((("extra", extra),)))
    call = Call(add, tuple(given.template for given in add.inputs))
    replaced = with_texts(TestCase((call,)), {"b7xkq": "new"})
    assert replaced.calls[0].genes[0].phenotype() == {"extra": {"a": ["new"], "b": "new"}}


def test_a_key_in_a_header_tells_who_sends_it_and_stays():
    (add,) = with_undeclared_inputs([ADD])
    key = LearnedInput(location="header", path=("x-station-key",))
    call = with_input(
        Call(add, (adding("HAM1").genes[0], *(one.template for one in add.inputs[1:]))), key, StringGene("k1")
    )
    assert call is not None
    taken = after(TestCase((call,)), TestCase((call,)))
    copied = [taken.renewed(TestCase((call,))).calls[0] for _ in range(200)]
    assert {value_of_input(one, key) for one in copied} == {"k1"}
    assert {one.genes[0].phenotype()["code"] for one in copied} != {"HAM1"}


def test_what_is_refused_without_the_rows_of_an_earlier_test_case_is_not_taken():
    row = InsertRow(
        genes=(StringGene("Hamburg"),),
        database="d",
        dialect="sqlite",
        table=TableName("cities"),
        columns=(Column(name="name", type_name="TEXT", type="text"),),
    )
    with_row, without = TestCase((adding("HAM1"),), (row,)), TestCase((adding("HAM1"),))
    assert copies(after(with_row, without), without) == [[adding("HAM1").genes[0].phenotype()]] * 200
