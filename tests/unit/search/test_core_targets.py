import pytest
from fake_sut import operation

from hint_samples import UNDEFINED, hint, required
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Finding, Reached
from wimble.model.observation import Cause
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.search.targets.core_targets import core_targets

GET = operation("GET", "/books")


def evaluated(*statuses, findings=()):
    calls = tuple(Call(GET, ()) for _ in statuses)
    observations = tuple(
        http_observation(
            call_index=index,
            request=HttpRequest("GET", "/books"),
            response=HttpResponse(status, (), b"") if status else None,
            failure=None if status else "timeout",
        )
        for index, status in enumerate(statuses)
    )
    table = TargetTable()
    evaluation = Evaluation(test_case=TestCase(calls), observations=observations, reached={})
    added = core_targets(evaluation, list(findings), table)
    return {table[target].name(): (reached.h, reached.call) for target, reached in added.reached.items()}


@pytest.mark.parametrize(("status", "h"), [(200, 1.0), (204, 1.0), (302, 0.5), (404, 0.1), (500, 0.5)])
def test_status_and_success(status, h):
    assert evaluated(status) == {f"status GET /books {status}": (1.0, 0), "status GET /books success": (h, 0)}


def test_best_success_counts_at_its_first_call():
    assert evaluated(404, 500, 500)["status GET /books success"] == (0.5, 1)
    assert evaluated(200, 404)["status GET /books success"] == (1.0, 0)


def test_the_fewer_members_were_wrong_the_closer_is_success():
    def reached(*hints):
        table = TargetTable()
        observation = http_observation(
            call_index=0, request=HttpRequest("GET", "/books"), response=HttpResponse(400, (), b""), failure=None
        )
        bare = Evaluation(test_case=TestCase((Call(GET, ()),)), observations=(observation,), reached={}, hints=hints)
        added = core_targets(bare, [], table)
        success = next(one for one in added.reached if table[one].name() == "status GET /books success")
        return added.reached[success].h, [hint.path for hint in added.hints if hint.target == success]

    assert reached() == (0.1, [])
    assert reached(hint(UNDEFINED, "truthy", name="x.y", target=9)) == (0.1, [])
    a, b, c = (required(path, target=9) for path in "abc")
    assert reached(a, a) == (0.05, ["a", "a"])
    assert reached(a, b, c) == (0.025, ["a", "b", "c"])


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
    added = core_targets(evaluation, [], table, {"GET /books 200 #/minimum": Reached(0.3, 2)})
    assert {table[target].name(): reached for target, reached in added.reached.items()} == {
        "limit GET /books 200 #/minimum": Reached(0.3, 2)
    }
