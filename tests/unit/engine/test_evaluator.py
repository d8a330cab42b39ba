"""An evaluation is completed once: with findings, targets and hints of all stages."""

import pytest

from wimble.engine.evaluator.evaluator import Evaluator
from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import ResponseSpec
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Crash, Evaluation, Origin, Reached
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge
from wimble.types import OperationId, TargetId

AGE = {"type": "integer", "minimum": 18}
READ = http_operation(
    id=OperationId("GET /age"),
    method="GET",
    path="/age",
    responses=(ResponseSpec(status="200", content=(("application/json", AGE),)),),
)
BREAK = http_operation(id=OperationId("POST /break"), method="POST", path="/break")
FROM_AGENT = TargetId(500)


class NoDatabases:
    """A SUT that has none."""

    homes = ()
    schemas = ()
    are_away = False

    def learn_from(self, learnt):
        pass

    def contents_of(self, database, table):
        raise AssertionError

    def query(self, database, text, params=()):
        raise AssertionError

    def insert(self, inserts):
        raise AssertionError


class Setup:
    def __init__(self, *, is_black_box: bool = False) -> None:
        self.table = TargetTable()
        self.evaluator = Evaluator(
            self.table, Judge(), NoDatabases(), is_covered=lambda target: False, is_black_box=is_black_box
        )

    def names(self, evaluation: Evaluation) -> set[str]:
        return {self.table[target].name() for target in evaluation.reached if target != FROM_AGENT}


def seen(operation: Operation, status: int, body: bytes = b"", *, cause: Cause | None = None, crashes=()) -> Evaluation:
    """The call, and another one without an answer where something crashed."""
    response = HttpResponse(status, (("content-type", "application/json"),), body)
    request = HttpRequest(binding_of(operation).method, binding_of(operation).path)
    observations = [http_observation(call_index=0, request=request, response=response, cause=cause)]
    if crashes:
        observations.append(http_observation(call_index=1, request=request, failure="connection-lost"))
    return Evaluation(
        test_case=TestCase((Call(operation, ()),) * len(observations)),
        observations=tuple(observations),
        reached={FROM_AGENT: Reached(0.5, 0)},
        crashes=crashes,
    )


def test_what_the_sut_showed_stays_as_it_is():
    setup, shown = Setup(), seen(BREAK, 500)
    completed = setup.evaluator.completed(shown)
    assert list(shown.reached) == [FROM_AGENT] and shown.findings == ()
    assert completed.reached[FROM_AGENT] == Reached(0.5, 0)
    assert [finding.oracle for finding in completed.findings] == ["server-error"]
    assert setup.names(completed) == {
        "status POST /break 500",
        "status POST /break success",
        "fault " + " | ".join(completed.findings[0].key),
    }


def test_an_evaluation_cannot_be_changed():
    with pytest.raises(AttributeError):
        seen(BREAK, 500).hints = ()


@pytest.mark.parametrize("wants_limits", [True, False])
def test_limits_are_measured_where_they_are_asked_for(wants_limits):
    setup = Setup()
    names = setup.names(setup.evaluator.completed(seen(READ, 200, b"20"), wants_limits=wants_limits))
    assert any(name.startswith("limit ") for name in names) is wants_limits


@pytest.mark.parametrize("is_black_box", [True, False])
def test_shapes_are_targets_of_searches_that_see_no_code(is_black_box):
    setup = Setup(is_black_box=is_black_box)
    names = setup.names(setup.evaluator.completed(seen(READ, 200, b"20")))
    assert any(name.startswith("shape ") for name in names) is is_black_box


def death(late: Origin | None = None) -> Crash:
    return Crash(kind="died", call_index=1, cause=Cause(), late=late)


def oracles(evaluation: Evaluation, *, is_black_box: bool = False) -> list[str]:
    completed = Setup(is_black_box=is_black_box).evaluator.completed(evaluation)
    return [finding.oracle for finding in completed.findings]


def test_a_server_error_without_a_cause_is_not_told_where_the_process_died():
    """It cannot be distinguished from others of its operation."""
    cause = Cause(file="/app/a.js", line=3, message="TypeError: x")
    assert oracles(seen(BREAK, 500, cause=cause, crashes=(death(),))) == ["process-died", "server-error"]
    assert oracles(seen(BREAK, 500, crashes=(death(),))) == ["process-died"]
    assert "server-error" in oracles(seen(BREAK, 500, crashes=(death(),)), is_black_box=True)


def test_calls_interrupted_by_the_end_of_earlier_work_are_not_to_blame():
    assert oracles(seen(BREAK, 500, crashes=(death(Origin(3, 0)),))) == []
