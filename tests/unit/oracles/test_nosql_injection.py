"""Inputs that become operators or programs of MongoDB, as seen at the driver."""

import msgspec
import pytest

from wimble.genes import AnyGene, ArrayGene, IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.http.declarations import HttpInput
from wimble.model.database import DatabaseCommand
from wimble.model.testcase import Call, TestCase
from wimble.oracles.security.injection import NOSQL as NAME

ANY = {"$ne": None}


def run(make, declared, sent, condition, *, text="users.find", dialect="mongo"):
    """declared, sent: the gene of the body's member `name`."""
    given = HttpInput(name="body", location="body", template=ObjectGene((("name", declared),)))
    operation = make.operation(inputs=(given,))
    evaluation = make.evaluation((operation, make.answer(200, {})))
    command = DatabaseCommand(
        database="d",
        dialect=dialect,
        call=0,
        site="/srv/app/users.js:12",
        text=text,
        params=({"find": "users", "filter": condition},),
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
    assert finding.title == "GET /things executes the input body.name as syntax of MongoDB"
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
    text = "SELECT * FROM users WHERE name = :name"
    evaluation = run(make, StringGene("a"), AnyGene(ANY), {"name": ANY}, text=text, dialect="sqlite")
    assert judge(evaluation) == []


def test_a_text_that_becomes_a_key_with_a_dollar_is_a_fault(make, judge):
    (finding,) = judge(run(make, StringGene("a"), StringGene("$zqabcde-zqfghij"), {"$zqabcde-zqfghij": 1}))
    assert "'$zqabcde-zqfghij' became a key of users.find" in finding.observed
    assert judge(run(make, StringGene("a"), StringGene("$zqabcde-zqfghij"), {"name": "$zqabcde-zqfghij"})) == []


def on_redis(make, declared, sent, text, params):
    evaluation = run(make, declared, sent, {})
    (command,) = evaluation.interactions
    sent_keys = msgspec.structs.replace(command, dialect="redis", text=text, params=params)
    return msgspec.structs.replace(evaluation, interactions=(sent_keys,))


def test_an_array_that_becomes_arguments_of_redis_is_a_fault(make, judge):
    text = StringGene("a")
    pair = AnyGene(["zqabcde", "zqfghij"])
    (finding,) = judge(on_redis(make, text, pair, "SET", ("card", "zqabcde", "zqfghij")))
    assert finding.title == "GET /things executes the input body.name as syntax of Redis"
    assert judge(on_redis(make, text, pair, "SET", ("card", "zqabcde,zqfghij"))) == []
    assert judge(on_redis(make, ArrayGene(text, items=()), pair, "SADD", ("card", "zqabcde", "zqfghij"))) == []


def test_a_text_that_ends_its_literal_in_a_script_of_redis_is_a_fault(make, judge):
    text, sent = StringGene("a"), StringGene("zqabcde'zqfghij")
    (finding,) = judge(on_redis(make, text, sent, "EVAL", ("return 'zqabcde'zqfghij'", "0")))
    assert "closed the literal that contained it: return 'zqabcde'zqfghij'" in finding.observed
    assert judge(on_redis(make, text, sent, "EVAL", ("return ARGV[1]", "0", "zqabcde'zqfghij"))) == []
    assert judge(on_redis(make, text, sent, "EVAL", (r"return 'zqabcde\'zqfghij'", "0"))) == []
