"""Which inputs of an evaluation are injection targets, how often they are proposed, and what that costs."""

import msgspec
import pytest
from graphql import build_schema

from wimble.databases.languages import language_of
from wimble.engine.queries import injection_targets
from wimble.engine.queries.injection_targets import MAX_SEEN, MAX_TARGETS, MAX_TRIES, InjectionTargets
from wimble.genes import AnyGene, IntegerGene, ObjectGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.spec.graphql.root_fields import load_graphql
from wimble.spec.graphql.schema_texts import DEFAULT_PATH

INPUTS = (
    HttpInput(name="word", location="query", template=StringGene("a"), required=True),
    HttpInput(name="limit", location="query", template=IntegerGene(1), required=True),
    HttpInput(
        name="body",
        location="body",
        media_type="application/json",
        template=ObjectGene((("name", StringGene("a")),)),
        required=True,
    ),
)
SEARCH = http_operation(id="POST /search", method="POST", path="/search", inputs=INPUTS)


def run(text, *, word="zqword", limit=17, name="zqname", params=(), dialect="sqlite", call=0):
    genes = (StringGene(word), IntegerGene(limit), ObjectGene((("name", StringGene(name)),)))
    command = DatabaseCommand(
        database="d", dialect=dialect, call=call, site="/srv/a.js:3", text=text, params=params, returned=1
    )
    test_case = TestCase((Call(SEARCH, genes),))
    return Evaluation(test_case=test_case, observations=(), reached={}, interactions=(command,))


def targets(*evaluations):
    seen = InjectionTargets()
    return [[hint.key[2:] for hint in seen.hints(one)] for one in evaluations]


def test_inputs_in_the_text_are_targets_by_their_position():
    (found,) = targets(run("SELECT * FROM t WHERE a LIKE '%zqword%' AND b = 'zqname' LIMIT 17"))
    assert found == [("word", "", "text"), ("limit", "", "number"), ("body", "0", "text")]


def test_only_inputs_that_can_be_objects_are_tried_as_parameters():
    text = "SELECT * FROM t WHERE a = ? AND b = ?"
    (with_body,) = InjectionTargets().hints(run(text, params=("zqother", "zqname")))
    assert with_body.key[2:] == ("body", "0", "parameter")
    assert all(isinstance(one, dict) for one in with_body.templates)
    assert list(InjectionTargets().hints(run(text, params=("other", 18)))) == []


def test_each_target_is_proposed_a_few_times_whatever_its_value():
    found = targets(*(run(f"SELECT '{word}'", word=word) for word in ("zqfirst", "zqsecond", "zqthird", "zqfourth")))
    assert [len(one) for one in found] == [1] * MAX_TRIES + [0] * (4 - MAX_TRIES)


def test_a_text_that_stays_the_same_is_not_searched_again(monkeypatch):
    asked = []
    language = language_of("sqlite")

    class Counted:
        def positions(self, command, value):
            asked.append(value)
            return language.positions(command, value)

    monkeypatch.setattr(injection_targets, "language_of", lambda dialect: Counted())
    seen = InjectionTargets()
    for number in range(20):
        assert list(seen.hints(run("SELECT * FROM t WHERE a = ?", word=f"zqword{number}"))) == []
    assert len(asked) == MAX_SEEN * len(INPUTS)


def test_one_operation_has_a_limited_number_of_targets():
    seen = InjectionTargets()
    found = []
    for number in range(MAX_TARGETS + 5):
        (command,) = run(f"SELECT 'zqword', {number}").interactions
        evaluation = run("")
        moved = DatabaseCommand(
            **{**{f: getattr(command, f) for f in command.__struct_fields__}, "site": f"a:{number}"}
        )
        found += seen.hints(
            Evaluation(test_case=evaluation.test_case, observations=(), reached={}, interactions=(moved,))
        )
    assert len({hint.key for hint in found}) == MAX_TARGETS


def test_commands_of_no_known_language_and_of_no_call_are_left_alone():
    assert targets(run("SELECT 'zqword'", dialect=None), run("SELECT 'zqword'", call=3)) == [[], []]


def test_documents_and_keys_have_positions_too():
    filtered = run("users.find", dialect="mongo", params=({"find": "users", "filter": {"name": "zqname"}},))
    scripted = run("users.find", dialect="mongo", params=({"find": "users", "filter": {"$where": "a == 'zqword'"}},))
    named = run("users.find", dialect="mongo", params=({"find": "users", "filter": {}, "sort": {"zqword": 1}},))
    looked_up = run("SET", dialect="redis", params=("key", "zqname"))
    lua = run("EVAL", dialect="redis", params=("return '" + "zqword" + "'", "0"))
    found = [targets(one)[0] for one in (filtered, scripted, named, looked_up, lua)]
    assert [[key[-1] for key in keys] for keys in found] == [
        ["operand"],
        ["program"],
        ["name"],
        ["argument"],
        ["program"],
    ]


def test_documents_of_other_fields_are_other_commands():
    seen = InjectionTargets()
    for _ in range(MAX_SEEN + 1):
        assert list(seen.hints(run("users.find", dialect="mongo", params=({"find": "users", "filter": {}},)))) == []
    filtered = run("users.find", dialect="mongo", params=({"find": "users", "filter": {"name": "zqname"}},))
    assert len(list(seen.hints(filtered))) == 1


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"$or": [{"a": 1}, {"name": {"$not": "zqname"}}]}, ["operand"]),
        ({"name": {"$in": ["zqname"]}}, []),
        ({"$and": [{"a": 1}, {"$where": 'return this["name"] == "zqname"'}]}, ["program"]),
        ({"$where": "this.name == 'fixed'"}, []),
    ],
)
def test_operands_and_programs_of_filters(condition, expected):
    command = run("users.find", dialect="mongo", params=({"find": "users", "filter": condition},))
    assert [hint.key[-1] for hint in InjectionTargets().hints(command)] == expected


def test_only_inputs_in_queries_forms_and_json_can_be_objects():
    def n_templates(location, media_type=""):
        given = HttpInput(
            name="word", location=location, media_type=media_type, template=StringGene("a"), required=True
        )
        operation = http_operation(id="POST /x", method="POST", path="/x/{word}", inputs=(given,))
        asked = run("users.find", dialect="mongo", params=({"find": "users", "filter": {"name": "zqword"}},))
        test_case = TestCase((Call(operation, (StringGene("zqword"),)),))
        evaluation = msgspec.structs.replace(asked, test_case=test_case)
        return sum(len(hint.templates) for hint in InjectionTargets().hints(evaluation))

    assert n_templates("query") == n_templates("body", "application/x-www-form-urlencoded") > 0
    assert n_templates("path") == n_templates("header") == n_templates("body", "text/plain") == 0


def test_typed_variables_of_graphql_cannot_be_objects():
    schema = build_schema("scalar JSON type Query { find(word: String!, filter: JSON!): String }")
    (operation,) = load_graphql(schema, "s", DEFAULT_PATH).operations
    arguments = ObjectGene((("word", StringGene("zqword")), ("filter", AnyGene("zqname"))))
    gene = msgspec.structs.replace(operation.inputs[0].template, arguments=arguments)
    asked = run("SELECT * FROM t WHERE a = ? AND b = ?", params=("zqword", "zqname"))
    asked = msgspec.structs.replace(asked, test_case=TestCase((Call(operation, (gene,)),)))
    assert [hint.key[3] for hint in InjectionTargets().hints(asked)] == ["0.1"]


def test_the_case_of_an_input_may_change():
    (found,) = targets(run("SELECT * FROM t WHERE a LIKE '%ZQWORD%'"))
    assert found == [("word", "", "text")]
