"""Inputs that become operators or programs of MongoDB, as seen at the driver."""

import msgspec
import pytest

from wimble.genes import AnyGene, IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.http.declarations import HttpInput
from wimble.model.database import DatabaseCommand
from wimble.model.testcase import Call, TestCase
from wimble.oracles.operators import NAME

ANY = {"$ne": None}


def run(make, declared, sent, condition, text="users.find"):
    """declared, sent: the gene of the body's member `name`."""
    given = HttpInput(name="body", location="body", template=ObjectGene((("name", declared),)))
    operation = make.operation(inputs=(given,))
    evaluation = make.evaluation((operation, make.answer(200, {})))
    command = DatabaseCommand(
        database="d", call=0, site="/srv/app/users.js:12", text=text, params=({"find": "users", "filter": condition},)
    )
    call = Call(operation, (ObjectGene((("name", sent),)),))
    return msgspec.structs.replace(evaluation, test_case=TestCase((call,)), interactions=(command,))


@pytest.mark.parametrize(
    ("declared", "sent", "condition"),
    [
        (StringGene("a"), AnyGene(ANY), {"name": ANY, "active": True}),
        (IntegerGene(1), AnyGene(ANY), {"$and": [{"active": True}, {"id": ANY}]}),
        (OptionalGene(StringGene("a"), False), OptionalGene(AnyGene(ANY), True), {"name": ANY}),
        (StringGene("a"), AnyGene(ANY), {"pets": {"$elemMatch": {"name": ANY}}}),
        (StringGene("a"), StringGene("o'hara"), {"$where": "this.name == 'o'hara'"}),
        (StringGene("a"), StringGene("x' || '1'=='1"), {"$and": [{"$where": "return this.name == 'x' || '1'=='1'"}]}),
    ],
)
def test_an_input_that_becomes_syntax_is_a_fault(make, judge, declared, sent, condition):
    (finding,) = judge(run(make, declared, sent, condition))
    assert finding.oracle == NAME
    assert finding.title == "GET /things executes the input body as syntax of MongoDB"
    assert (finding.cause.file, finding.cause.line) == ("/srv/app/users.js", 12)


@pytest.mark.parametrize(
    ("declared", "sent", "condition"),
    [
        (StringGene("a"), AnyGene(ANY), {"name": "[object Object]"}),
        (StringGene("a"), AnyGene(ANY), {"name": {"$eq": ANY}}),
        (StringGene("a"), AnyGene(ANY), {"name": {"$gt": 1}}),
        (StringGene("a"), AnyGene({"ne": None}), {"name": {"ne": None}}),
        (AnyGene(1), AnyGene(ANY), {"name": ANY}),
        (ObjectGene(()), AnyGene(ANY), {"name": ANY}),
        (StringGene("a"), StringGene("o'hara"), {"name": "o'hara"}),
        (StringGene("a"), StringGene("o'hara"), {"$where": "this.name == 'o\\'hara'"}),
        (StringGene("a"), StringGene("o'hara"), {"$where": 'this.name == "o\'hara"'}),
    ],
)
def test_values_and_filters_on_purpose_are_none(make, judge, declared, sent, condition):
    assert judge(run(make, declared, sent, condition)) == []


def test_a_document_that_is_a_parameter_of_sql_is_no_filter(make, judge):
    evaluation = run(make, StringGene("a"), AnyGene(ANY), {"name": ANY}, text="SELECT * FROM users WHERE name = :name")
    assert judge(evaluation) == []
