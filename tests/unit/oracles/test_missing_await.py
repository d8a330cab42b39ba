"""Promises that are compared or tested for truth are faults, whatever the call is answered."""

from types import SimpleNamespace

from wimble.engine.dropped_faults.awaited_promises import drop_awaited_promises
from wimble.model.observation import Mistake
from wimble.oracles.judge import Judge

TEXT = "a Promise was used as a value (tested for truth): `await` is missing"


def found(make, judge, status, *mistakes):
    cause = make.Cause(file="/app/a.js", line=4, statement="/app/a.js:4", mistakes=mistakes)
    return judge(make.evaluation((make.operation("GET", "/a"), make.answer(status, {}), cause)))


def test_a_promise_that_is_tested_is_a_finding_at_its_place(make, judge):
    for status in (200, 409):
        (finding,) = found(make, judge, status, Mistake("/app/a.js", 7, TEXT, is_fault=True))
        assert (finding.oracle, finding.cause.file, finding.cause.line) == ("missing-await", "/app/a.js", 7)
        assert finding.title == f"GET /a: {TEXT}"
        assert finding.status == status


def test_other_mistakes_are_told_with_other_findings_only(make, judge):
    assert found(make, judge, 200, Mistake("/app/a.js", 7, TEXT)) == []


def test_a_finding_of_its_own_is_not_told_with_the_failure_of_the_call(make, judge):
    titles = [one.title for one in found(make, judge, 500, Mistake("/app/a.js", 7, TEXT, is_fault=True))]
    assert len(titles) == 2
    assert sum(TEXT in title for title in titles) == 1


def test_a_call_without_an_answer_may_have_the_mistake_of_an_earlier_one(make, judge):
    mistake = Mistake("/app/a.js", 7, TEXT, is_fault=True)
    cause = make.Cause(file="/app/a.js", line=7, mistakes=(mistake,))
    evaluation = make.evaluation((make.operation("GET", "/a"), "connection-lost", cause))
    assert [one for one in judge(evaluation) if one.oracle == "missing-await"] == []


def test_a_promise_in_the_answer_is_a_finding_where_the_answer_holds_it(make, judge):
    answered = "a Promise was used as a value (put into the answer): `await` is missing"

    def found_in(body, members):
        mistake = Mistake("/app/a.js", 7, answered, members, is_fault=True)
        cause = make.Cause(file="/app/a.js", line=7, mistakes=(mistake,))
        return judge(make.evaluation((make.operation("GET", "/a"), make.answer(200, body), cause)))

    (finding,) = found_in({"page": 1, "total": {}}, ("total",))
    assert (finding.oracle, finding.title) == ("missing-await", f"GET /a: {answered}")
    assert len(found_in({}, ())) == 1
    # The program has answered something else in the end, or the promise's value.
    assert found_in({"page": 1, "total": 3}, ("total",)) == []
    assert found_in([1], ()) == []


RETURNED = "a Promise was used as a value (put into the answer): `await` is missing"


def test_a_promise_that_is_returned_is_a_finding_if_no_answer_shows_that_it_is_awaited(make):
    def found_in(judge, *bodies):
        mistake = Mistake("/app/a.js", 7, RETURNED, ("invoice",))
        cause = make.Cause(file="/app/a.js", line=7, mistakes=(mistake,))
        answers = [make.evaluation((make.operation("GET", "/a"), make.answer(200, body), cause)) for body in bodies]
        return [[one.oracle for one in judge(answer)] for answer in answers]

    shown = {"id": 1, "invoice": {}}
    assert found_in(Judge(), shown, shown) == [[], ["missing-await"]]
    assert found_in(Judge(), {"data": [shown]}, {"data": [shown, shown]}) == [[], ["missing-await"]]
    awaited = {"id": 1, "invoice": {"amount": 4}}
    assert found_in(Judge(), awaited, shown, shown) == [[], [], []], "its value may have no members"
    assert found_in(Judge(), {"id": 1}, shown, {"id": 1}, shown) == [[], [], [], ["missing-await"]]


def test_a_promise_that_goes_through_several_functions_is_one_finding(make):
    def lines_of(*mistakes):
        judge = Judge()
        cause = make.Cause(file="/app/a.js", line=7, mistakes=mistakes)
        answer = make.evaluation((make.operation("GET", "/a"), make.answer(200, {"invoice": {}}), cause))
        judge(answer)
        return [one.cause.line for one in judge(answer)]

    inner, outer = (Mistake("/app/a.js", line, RETURNED, ("invoice",)) for line in (7, 12))
    assert lines_of(inner, outer) == [7]
    assert lines_of(inner, Mistake("/app/a.js", 12, RETURNED, ("invoice",), is_fault=True)) == [12]


def test_a_returned_promise_that_a_later_answer_shows_to_be_awaited_is_dropped(make):
    mistake = Mistake("/app/a.js", 7, RETURNED, ("invoice",))
    cause = make.Cause(file="/app/a.js", line=7, mistakes=(mistake,))
    judge = Judge()

    def answered(invoice):
        body = {"invoice": invoice}
        return judge(make.evaluation((make.operation("GET", "/a"), make.answer(200, body), cause)))

    answered({})
    (finding,) = answered({})
    book = Book([SimpleNamespace(key=finding.key, finding=finding)])
    coordinator = SimpleNamespace(judge=judge, faults=book)
    drop_awaited_promises(coordinator)
    assert not book.dropped
    answered({"amount": 3})
    drop_awaited_promises(coordinator)
    assert book.dropped == {finding.key}


class Book(list):
    """The faults of a run."""

    dropped = frozenset()

    def drop(self, keys):
        self.dropped = keys
