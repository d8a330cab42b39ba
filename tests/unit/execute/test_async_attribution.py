"""What breaks late goes back to the evaluation that set it off."""

import msgspec
import pytest

from wimble.execute.causes.async_attribution import MAX_REMEMBERED, LateWork
from wimble.model.evaluation import Crash, Evaluation, Origin
from wimble.model.external import ExternalRequest
from wimble.model.observation import Cause
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import TestCase


def evaluation(*crashes):
    return Evaluation(test_case=TestCase(()), observations=(), reached={}, crashes=crashes)


def crash(late, kind="uncaught-exception"):
    return Crash(kind=kind, call_index=None, cause=Cause(message="Error: x"), late=late)


@pytest.fixture
def late_work():
    return LateWork()


def test_an_evaluation_without_late_crashes_stays_as_it_is(late_work):
    own = evaluation(crash(None))
    assert late_work.settle(own) is own


def test_a_late_crash_is_its_own_evaluations(late_work):
    first = evaluation()
    late_work.remember(first, [1, 2])
    settled = late_work.settle(evaluation(crash(Origin(2, 3))))
    assert settled.crashes == () and settled.unattributed_crashes == ()
    (earlier,) = settled.late
    assert earlier.test_case is first.test_case
    assert [(one.call_index, one.late) for one in earlier.crashes] == [(3, None)]


def test_the_death_of_the_sut_stays_beside(late_work):
    late_work.remember(evaluation(), [1])
    settled = late_work.settle(evaluation(crash(Origin(1, 0), "died")))
    assert settled.is_sut_lost
    assert settled.late[0].crashes[0].kind == "died"


@pytest.mark.parametrize("origin", [Origin(0, None), Origin(1, 0)])
def test_what_nobody_set_off_or_long_ago_is_a_stray(late_work, origin):
    for seq in range(1, MAX_REMEMBERED + 2):
        late_work.remember(evaluation(), [seq])
    settled = late_work.settle(evaluation(crash(origin)))
    assert settled.late == () and len(settled.unattributed_crashes) == 1


def test_a_fresh_start_forgets(late_work):
    late_work.remember(evaluation(), [1])
    late_work.clear()
    assert late_work.settle(evaluation(crash(Origin(1, 0)))).late == ()


def test_what_late_work_was_answered_in_a_later_evaluation_is_planned_in_its_own(late_work):
    origin, own = "https://events.example:443", new_answer("https://pay.example:443", "GET", "/rates", body={"a": 1})
    tracked, unused = (new_answer(origin, "POST", path, body={}) for path in ("/track", "/other"))
    late_work.remember(Evaluation(test_case=TestCase((), (own,)), observations=(), reached={}), [1])
    rates = msgspec.structs.replace(own, outcome="reset")
    requests = [
        ExternalRequest(call=0, site="", n=0, origin=origin, method="POST", target="/track", answered_by=0),
        ExternalRequest(call=0, site="", n=1, origin=own.origin, method="GET", target="/rates", answered_by=2),
    ]
    later = Evaluation(
        test_case=TestCase((), (tracked, unused, rates)),
        observations=(),
        reached={},
        interactions=tuple(requests),
        crashes=(crash(Origin(1, 0)),),
    )
    assert late_work.settle(later).late[0].test_case.setup == (own, tracked)
