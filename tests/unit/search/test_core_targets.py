import pytest
from fake_sut import operation

from wimble.model.evaluation import Cause, CompareHint, Evaluation, Finding, Observation, Reached
from wimble.model.http import HttpRequest, HttpResponse
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.search.core_targets import with_core_targets
from wimble.types import TargetId

GET = operation("GET", "/books")


def evaluated(*statuses, findings=()):
    calls = tuple(Call(GET, ()) for _ in statuses)
    observations = tuple(
        Observation(
            call_index=index,
            request=HttpRequest("GET", "/books"),
            response=HttpResponse(status, (), b"") if status else None,
            failure=None if status else "timeout",
        )
        for index, status in enumerate(statuses)
    )
    table = TargetTable()
    evaluation = with_core_targets(
        Evaluation(test_case=TestCase(calls), observations=observations, reached={}), list(findings), table
    )
    return {table[target].name(): (reached.h, reached.call) for target, reached in evaluation.reached.items()}


@pytest.mark.parametrize(("status", "h"), [(200, 1.0), (204, 1.0), (302, 0.5), (404, 0.1), (500, 0.5)])
def test_status_and_success(status, h):
    assert evaluated(status) == {f"status GET /books {status}": (1.0, 0), "status GET /books success": (h, 0)}


def test_best_success_counts_at_its_first_call():
    assert evaluated(404, 500, 500)["status GET /books success"] == (0.5, 1)
    assert evaluated(200, 404)["status GET /books success"] == (1.0, 0)


def test_the_fewer_members_were_wrong_the_closer_is_success():
    def reached(*names):
        left = {"$undefined": True}
        hints = tuple(
            CompareHint(target=TargetId(9), call=0, operator="truthy", left=left, right=None, wanted=True, name=name)
            for name in names
        )
        table = TargetTable()
        observation = Observation(
            call_index=0, request=HttpRequest("GET", "/books"), response=HttpResponse(400, (), b""), failure=None
        )
        bare = Evaluation(test_case=TestCase((Call(GET, ()),)), observations=(observation,), reached={}, hints=hints)
        evaluation = with_core_targets(bare, [], table)
        success = next(one for one in evaluation.reached if table[one].name() == "status GET /books success")
        return evaluation.reached[success].h, [hint.name for hint in evaluation.hints if hint.target == success]

    assert reached() == (0.1, [])
    assert reached("x.y") == (0.1, [])
    assert reached(".a", ".a") == (0.05, [".a", ".a"])
    assert reached(".a", ".b", ".c") == (0.025, [".a", ".b", ".c"])


def test_call_without_answer_reaches_nothing():
    assert evaluated(None) == {}


def test_fault_is_a_target_by_its_key():
    def finding(call_index):
        return Finding(
            oracle="server-error", key=("server-error", "a.js", "7"), operation="GET /books", status=500, title="",
            observed="", expected="", cause=Cause(), call_index=call_index,
        )  # fmt: skip

    reached = evaluated(500, 500, findings=[finding(0), finding(1)])
    assert reached["fault server-error | a.js | 7"] == (1.0, 0)


def test_declared_limits_of_answers_are_targets():
    table = TargetTable()
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    with_core_targets(evaluation, [], table, {"GET /books 200 #/minimum": Reached(0.3, 2)})
    assert {table[target].name(): reached for target, reached in evaluation.reached.items()} == {
        "limit GET /books 200 #/minimum": Reached(0.3, 2)
    }
