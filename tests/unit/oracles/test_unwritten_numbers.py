"""Numbers and dates that JSON has no notation for are faults where the answer has null in their place."""

from wimble.model.observation import Mistake

NAN = "NaN was put into the answer, where JSON has `null`"


def found(make, judge, body, *mistakes, status=200, schema=None):
    cause = make.Cause(file="/app/a.js", line=4, statement="/app/a.js:4", mistakes=mistakes)
    operation = make.operation("GET", "/a", **({"schema": schema} if schema else {}))
    return judge(make.evaluation((operation, make.answer(status, body), cause)))


def nan(*members, line=7):
    return Mistake("/app/a.js", line, NAN, members, is_null=True)


def test_a_number_that_is_null_in_the_answer_is_a_finding_at_its_place(make, judge):
    (finding,) = found(make, judge, {"items": [], "average": None}, nan("average"))
    assert (finding.oracle, finding.cause.file, finding.cause.line) == ("unwritten-number", "/app/a.js", 7)
    assert finding.title == f"GET /a: {NAN} ($.average)"
    assert finding.subject == "$.average"


def test_what_the_answer_does_not_show_is_none(make, judge):
    assert found(make, judge, {"average": 3}, nan("average")) == []
    assert found(make, judge, {"items": None}, nan("average")) == []
    assert found(make, judge, {"average": {}}, nan("average")) == []
    assert found(make, judge, {"average": None}, nan("average"), status=404) == []


def test_one_value_that_goes_through_several_functions_is_one_finding(make, judge):
    mistakes = nan("mean", line=3), nan("prices", "mean", line=9)
    (finding,) = found(make, judge, {"prices": {"mean": None}}, *mistakes)
    assert finding.cause.line == 3


def test_nan_and_infinity_at_one_line_are_two_findings(make, judge):
    infinity = Mistake("/app/a.js", 7, NAN.replace("NaN", "Infinity"), ("share",), is_null=True)
    findings = found(make, judge, {"average": None, "share": None}, nan("average"), infinity)
    assert len({finding.key for finding in findings}) == 2


def test_a_promise_is_no_such_number(make, judge):
    promise = Mistake("/app/a.js", 7, "a Promise was used as a value: `await` is missing", ("average",))
    assert found(make, judge, {"average": None}, promise) == []
