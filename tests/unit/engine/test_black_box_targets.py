"""What a search that sees nothing but answers has as targets beside statuses and faults."""

import json

from wimble.engine.evaluator.black_box_targets import BlackBoxTargets
from wimble.genes import BooleanGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput, ResponseSpec
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.targets import OPEN_H, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge
from wimble.types import OperationId

SHELVES = http_operation(
    id=OperationId("GET /shelves"),
    method="GET",
    path="/shelves",
    inputs=(HttpInput(name="open", location="query", template=BooleanGene(), required=True),),
    responses=(
        ResponseSpec(status="200", content=(("application/json", {"type": "array"}),)),
        ResponseSpec(status="404"),
        ResponseSpec(status="default"),
    ),
)


def reached(*answers):
    """(status, body, whether `open` is sent as true) of each call."""
    table = TargetTable()
    evaluation = Evaluation(
        test_case=TestCase(tuple(Call(SHELVES, (BooleanGene(is_open),)) for _, _, is_open in answers)),
        observations=tuple(
            http_observation(
                call_index=index,
                request=HttpRequest("GET", "/shelves"),
                response=HttpResponse(status, (("content-type", "application/json"),), json.dumps(body).encode()),
            )
            for index, (status, body, _) in enumerate(answers)
        ),
        reached={},
    )
    added = BlackBoxTargets(table, Judge()).additions(evaluation)
    return {table[target].name(): (one.h, one.call) for target, one in added.reached.items()}


def test_answers_requests_and_statuses_have_parts_and_shapes():
    assert reached((200, [], True)) == {
        "shape GET /shelves 200 $ empty list": (1.0, 0),
        "part GET /shelves answers 200": (1.0, 0),
        "part GET /shelves answers 404": (OPEN_H, 0),
        "part GET /shelves 200 #/ empty": (1.0, 0),
        "part GET /shelves 200 #/ filled": (OPEN_H, 0),
        "part GET /shelves accepts query.open true": (1.0, 0),
        "part GET /shelves accepts query.open false": (OPEN_H, 0),
    }


def test_a_refused_call_says_nothing_of_what_is_accepted():
    names = reached((404, {"error": "no shelf"}, True))
    assert not any("accepts" in name for name in names)
    assert names["part GET /shelves answers 404"] == (1.0, 0)
    assert names["shape GET /shelves 404 says 'no shelf'"] == (1.0, 0)


def test_the_first_call_that_shows_a_part_counts():
    names = reached((200, [1], True), (200, [], False), (200, [], False))
    assert names["part GET /shelves 200 #/ empty"] == (1.0, 1)
    assert names["part GET /shelves accepts query.open false"] == (1.0, 1)
    assert names["shape GET /shelves 200 $ empty list"] == (1.0, 1)
