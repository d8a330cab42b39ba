"""What is new of a target is tried, not only what is better."""

from random import Random

from fake_sut import operation

from wimble.http.entrances import with_entrances
from wimble.model.carried_credentials import with_carried
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint, QueryHint
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.search.access.made_up import signed_token
from wimble.search.access.ways import BEARER, Way
from wimble.search.generators.edits.fresh_operands import MAX_PER_TARGET, MAX_QUERIES_PER_TARGET, FreshOperands


def met(*operands, target=7):
    hints = tuple(
        ComparisonHint(target=target, call=0, operator="identical", left=left, right="slow", wanted=True)
        for left in operands
    )
    return Evaluation(test_case=TestCase(()), observations=(), reached={}, hints=hints)


def test_operands_count_once():
    fresh = FreshOperands()
    assert list(fresh.targets(met("fast"))) == [7]
    assert list(fresh.targets(met("fast"))) == []
    assert list(fresh.targets(met("fast", "xrzfc", "k92jd"))) == [7]


def test_a_number_is_not_its_text():
    fresh = FreshOperands()
    assert list(fresh.targets(met(1))) == [7]
    assert list(fresh.targets(met("1"))) == [7]
    assert list(fresh.targets(met(True))) == [7]


def test_each_target_has_its_own_bounded_share():
    fresh = FreshOperands()
    n_fresh = sum(len(list(fresh.targets(met(number)))) for number in range(10 * MAX_PER_TARGET))
    assert n_fresh == MAX_PER_TARGET
    assert list(fresh.targets(met(1, target=8))) == [8]


def with_role(role, *carried):
    (api,) = with_entrances([operation("GET", "/admin")])
    call = Call(api, tuple(given.template for given in api.inputs))
    for credentials in carried:
        call = with_carried(call, credentials)
    hint = ComparisonHint(target=7, call=0, operator="identical", left=role, right="warden", wanted=True)
    return Evaluation(test_case=TestCase((call,)), observations=(), reached={}, hints=(hint,))


def test_a_claim_of_a_token_of_our_own_is_new_once_though_a_token_of_the_program_has_shown_it():
    signed = signed_token(Way((BEARER,)), "key", {"role": "guest"}, Random(1))
    fresh = FreshOperands()
    assert list(fresh.targets(with_role("guest"))) == [7]
    assert list(fresh.targets(with_role("guest"))) == []
    assert list(fresh.targets(with_role("guest", signed))) == [7]
    assert list(fresh.targets(with_role("guest", signed))) == []
    assert list(fresh.targets(with_role("other"))) == [7]
    assert list(fresh.targets(with_role("other", signed))) == []


def in_answers(*answers, left="application/json"):
    hint = ComparisonHint(target=7, call=0, operator="identical", left=left, right="image/png", wanted=True)
    return Evaluation(test_case=TestCase((), answers), observations=(), reached={}, hints=(hint,))


def test_a_text_of_a_planned_answer_is_new_once_though_the_answer_without_a_plan_has_shown_it():
    planned = new_answer("https://images.example:443", "GET", "/avatar", body={})
    fresh = FreshOperands()
    assert list(fresh.targets(in_answers())) == [7]
    assert list(fresh.targets(in_answers())) == []
    assert list(fresh.targets(in_answers(planned))) == [7], "the content type"
    assert list(fresh.targets(in_answers(planned))) == []
    assert list(fresh.targets(in_answers(left="{}"))) == [7]
    assert list(fresh.targets(in_answers(planned, left="{}"))) == [7], "the body"
    assert list(fresh.targets(in_answers(left="other"))) == [7]
    assert list(fresh.targets(in_answers(planned, left="other"))) == []


def looked_for(*params, wanted=True):
    command = DatabaseCommand(database="main", call=0, site="", text="select 1", params=params, returned=0)
    hint = QueryHint(
        target=9, call=0, wanted=wanted, command=command, database=Database(id="main", dialect="sqlite"), tables={}
    )
    return Evaluation(test_case=TestCase(()), observations=(), reached={}, hints=(hint,))


def test_other_rows_that_a_command_looks_for_are_new_only_if_none_could_be_made_before():
    fresh = FreshOperands()
    assert list(fresh.targets(looked_for(0))) == []
    fresh.note_without_edits(9)
    assert list(fresh.targets(looked_for(1000))) == [9]
    assert list(fresh.targets(looked_for(1000))) == []
    assert list(fresh.targets(looked_for(5, wanted=False))) == []
    n_fresh = sum(len(list(fresh.targets(looked_for(number)))) for number in range(2000, 2040))
    assert n_fresh == MAX_QUERIES_PER_TARGET - 1
    other = FreshOperands()
    other.note_without_edits(9)
    other.note_edited(9)
    assert list(other.targets(looked_for(1000))) == []
