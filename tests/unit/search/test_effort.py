"""Operations that take far longer than the others get a small share of the search."""

from collections import Counter
from random import Random

from fake_sut import FakeSut, operation
from msgspec.structs import replace

from wimble.genes import AnyGene, IntegerGene
from wimble.http.exchange import http_observation
from wimble.library.argument_shape import ANYTHING
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, function_observation, invocation_of
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.effort import Effort
from wimble.search.generators.generator import Proposal
from wimble.search.mio import MioStrategy
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings

SLOW, *QUICK = (operation("GET", f"/{name}", n=IntegerGene()) for name in "abcdef")


def evaluated(which, elapsed_s: float, *, is_hung: bool = False) -> Evaluation:
    call = Call(which, (IntegerGene(1),))
    observation = FakeSut(lambda *_: (200, {})).evaluate(TestCase((call,))).observations[0]
    if is_hung:
        observation = http_observation(0, observation.exchange.request, failure="timeout", elapsed_s=elapsed_s)
    return Evaluation(
        test_case=TestCase((call,)), observations=(replace(observation, elapsed_s=elapsed_s),), reached={}
    )


def after(*evaluations: Evaluation, is_repeatable: bool = False) -> Effort:
    effort = Effort([SLOW, *QUICK], is_repeatable=is_repeatable)
    for evaluation in evaluations:
        effort.note(evaluation)
    return effort


QUICKLY = [evaluated(which, 0.001) for which in QUICK] * 4
BOTH = TestCase((Call(QUICK[0], (IntegerGene(1),)), Call(SLOW, (IntegerGene(1),))))


def test_what_takes_a_hundred_times_as_long_is_rare():
    effort = after(*QUICKLY, evaluated(SLOW, 0.2))
    assert effort.admits(BOTH), "one call may be slow by chance"
    effort.note(evaluated(SLOW, 0.2))
    assert not effort.admits(BOTH)
    assert effort.admits(TestCase(BOTH.calls[:1]))
    for _ in range(4_000):
        effort.note(evaluated(QUICK[1], 0.001))
    assert effort.admits(BOTH), "its share is used up no more"
    assert effort.least_called() is QUICK[0]


def test_what_is_slow_beside_others_that_are_slow_is_not_rare():
    assert after(*[evaluated(which, 0.01) for which in QUICK] * 4, *[evaluated(SLOW, 0.2)] * 5).admits(BOTH)
    assert after(*QUICKLY, *[evaluated(SLOW, 0.05)] * 5).admits(BOTH)
    assert after(*[evaluated(which, 10.0, is_hung=True) for which in (SLOW, *QUICK)] * 3).admits(BOTH)


def test_searches_that_have_to_be_repeatable_do_not_read_the_clock():
    slow = [*QUICKLY, *[evaluated(SLOW, 5.0)] * 5]
    assert after(*slow, is_repeatable=True).admits(BOTH)
    assert not after(*slow).admits(BOTH)
    assert not after(*QUICKLY, *[evaluated(SLOW, 0.0, is_hung=True)] * 5, is_repeatable=True).admits(BOTH)


def fatal(which) -> Evaluation:
    return replace(evaluated(which, 0.001), crashes=(Crash(kind="died", call_index=0, cause=Cause()),))


def test_what_often_ends_the_program_takes_a_third_of_a_search():
    effort = after(*QUICKLY, *[evaluated(SLOW, 0.001)] * 10, fatal(SLOW))
    assert effort.admits(BOTH), "one end may be chance"
    effort.note(fatal(SLOW))
    assert not effort.admits(BOTH)
    assert effort.least_called() is QUICK[0]
    assert effort.admits(TestCase(BOTH.calls[:1]))
    for _ in range(2_100):
        effort.note(evaluated(QUICK[1], 0.001))
    assert effort.admits(BOTH), "starts take less than a third by now"


def test_calls_that_send_nothing_like_what_has_ended_the_program_are_made_beyond_that():
    which = operation("POST", "/g", stubs=AnyGene())
    effort = Effort([which, *QUICK], is_repeatable=False)

    def sending(value):
        return TestCase((Call(which, (AnyGene(value),)),))

    for evaluation in (*QUICKLY, *[fatal(which)] * 2):
        effort.note(replace(evaluation, test_case=sending(True)) if evaluation.crashes else evaluation)
    assert not effort.admits(sending(False))
    assert effort.admits(sending([]))


def test_what_seldom_ends_the_program_is_not_rare():
    assert after(*QUICKLY, *[evaluated(SLOW, 0.001)] * 100, *[fatal(SLOW)] * 3).admits(BOTH)


def test_where_everything_ends_the_program_the_search_goes_on():
    effort = after(*[fatal(which) for which in (SLOW, *QUICK)] * 3)
    assert effort.least_called() in (SLOW, *QUICK)


def test_an_operation_that_hangs_takes_a_tenth_of_a_search():
    operations = [SLOW, *QUICK]
    sut = FakeSut(lambda *_: (200, {}))
    search = STRATEGIES["mio"](operations, sut.table, Settings(max_time_s=60.0), Random(1), JAVASCRIPT)
    calls, spent_s = Counter(), Counter()
    while spent_s.total() < 60:
        test_case = search.next_test_case(min(1.0, spent_s.total() / 60))
        evaluation = sut.evaluate(test_case)
        observations = []
        for call in test_case.calls:
            is_hung = call.operation is SLOW
            elapsed_s = (10.0 if calls[SLOW.id] == 0 else 0.5) if is_hung else 0.005
            calls[call.operation.id] += 1
            spent_s[call.operation.id] += elapsed_s
            observations.append(evaluated(call.operation, elapsed_s, is_hung=is_hung).observations[0])
        search.observe(replace(evaluation, observations=tuple(observations)), min(1.0, spent_s.total() / 60))
    assert spent_s[SLOW.id] <= 12, spent_s
    assert calls[SLOW.id] >= 2
    assert min(calls[which.id] for which in QUICK) > 500


def test_numbers_as_large_as_those_of_calls_that_did_not_return_are_rare():
    size = Parameter(name="size", template=AnyGene(1), shape=ANYTHING)
    first, second = (
        function_operation(
            FunctionBinding(index=0, package="lib", kind="function", path=(name,), parameters=(size,)), name
        )
        for name in ("first", "second")
    )

    def called(which, number: int, elapsed_s: float, *, is_lost: bool = False) -> Evaluation:
        call = Call(which, (AnyGene(number),))
        exchange = FunctionExchange(
            invocation=invocation_of(call), **({"failure": "blocked"} if is_lost else {"returned": 1})
        )
        observation = function_observation(0, exchange, elapsed_s=elapsed_s)
        return Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={})

    effort = Effort([first, second], is_repeatable=False)
    for _ in range(20):
        effort.note(called(first, 5, 0.001))
        effort.note(called(second, 70_000, 0.001))
    assert effort.admits(TestCase((Call(first, (AnyGene(1_000_000),)),)))
    effort.note(called(first, 500_000, 2.0, is_lost=True))
    assert not effort.admits(TestCase((Call(first, (AnyGene(1_000_000),)),)))
    assert not effort.admits(TestCase((Call(second, (AnyGene(1_000_000),)),)))
    assert effort.admits(TestCase((Call(first, (AnyGene(70_000),)),)))
    for _ in range(4_000):
        effort.note(called(first, 5, 0.01))
    assert effort.admits(TestCase((Call(first, (AnyGene(1_000_000),)),)))


def test_a_call_that_did_not_return_is_not_made_again():
    width = Parameter(name="width", template=AnyGene(1), shape=ANYTHING)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("wrap",), parameters=(width,))
    wrap = function_operation(binding, "wrap")
    effort = Effort([wrap], is_repeatable=True)
    call = Call(wrap, (AnyGene(0),))
    exchange = FunctionExchange(invocation=invocation_of(call), failure="blocked")
    observation = function_observation(0, exchange, elapsed_s=2.0)
    effort.note(Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={}))
    assert not effort.admits(TestCase((Call(wrap, (AnyGene(0),)),)))
    assert effort.admits(TestCase((Call(wrap, (AnyGene(1),)),)))


def test_numbers_of_calls_that_took_long_are_rare_as_well_and_dates_are_no_sizes():
    size = Parameter(name="size", template=AnyGene(1), shape=ANYTHING)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("fill",), parameters=(size,))
    fill = function_operation(binding, "fill")

    def note(value, elapsed_s: float) -> None:
        call = Call(fill, (AnyGene(value),))
        exchange = FunctionExchange(invocation=invocation_of(call), returned=1)
        observation = function_observation(0, exchange, elapsed_s=elapsed_s)
        effort.note(Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={}))

    effort = Effort([fill], is_repeatable=False)
    note({"$date": 1_700_000_000_000}, 1.5)
    assert effort.admits(TestCase((Call(fill, (AnyGene(5_000_000),)),)))
    note(2_000_000, 1.5)
    assert not effort.admits(TestCase((Call(fill, (AnyGene(5_000_000),)),)))
    assert effort.admits(TestCase((Call(fill, (AnyGene({"$date": 1_700_000_000_000}),)),)))


def test_numbers_that_made_an_object_are_sizes_from_a_few_hundred_on():
    size = Parameter(name="size", template=AnyGene(1), shape=ANYTHING)
    total, add = (
        function_operation(
            FunctionBinding(
                index=0, package="lib", kind="method", path=("Matrix",), method=name, receiver=(size,), parameters=own
            ),
            name,
        )
        for name, own in (("total", ()), ("add", (size,)))
    )

    def note(call: Call, elapsed_s: float) -> None:
        exchange = FunctionExchange(invocation=invocation_of(call), returned=1)
        observation = function_observation(0, exchange, elapsed_s=elapsed_s)
        effort.note(Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={}))

    effort = Effort([total, add], is_repeatable=False)
    note(Call(total, (AnyGene(3_000),)), 2.0)
    assert not effort.admits(TestCase((Call(add, (AnyGene(5_000), AnyGene(1))),)))
    assert not effort.admits(TestCase((Call(add, (AnyGene(2), AnyGene({"$made": ["new Matrix", 5_000]}))),)))
    assert effort.admits(TestCase((Call(add, (AnyGene(2), AnyGene(5_000))),))), "this number makes no object"
    assert effort.admits(TestCase((Call(add, (AnyGene(2), AnyGene({"$made": ["new Matrix", 300]}))),)))


def test_a_method_that_took_long_is_rare_before_other_calls_as_well():
    steps = (MethodParameters(name="all", parameters=()), MethodParameters(name="add", parameters=()))
    every, text = (
        function_operation(
            FunctionBinding(index=0, package="lib", kind="method", path=("Rule",), method=name, steps=steps), name
        )
        for name in ("all", "text")
    )

    def called(which, before, elapsed_s: float) -> Evaluation:
        call = Call(which, (AnyGene([[name] for name in before]),))
        exchange = FunctionExchange(invocation=invocation_of(call), returned=1)
        observation = function_observation(0, exchange, elapsed_s=elapsed_s)
        return Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={})

    effort = Effort([every, text], is_repeatable=False)
    effort.note(called(text, ["all"], 1.5))
    assert effort.admits(called(text, ["all"], 0.0).test_case)
    effort.note(called(every, [], 1.5))
    effort.note(called(text, ["add", "all"], 1.5))
    assert not effort.admits(called(text, ["all"], 0.0).test_case)
    assert effort.admits(called(text, ["add"], 0.0).test_case)


def test_edits_that_are_put_off_come_later_and_other_proposals_do_not(monkeypatch):
    strategy = MioStrategy([SLOW, *QUICK], TargetTable(), Settings(), Random(1), JAVASCRIPT)
    edited, other = (TestCase((Call(SLOW, (IntegerGene(number),)),)) for number in (1, 2))
    waiting = [Proposal(edited, edit="the same, 1"), Proposal(other)]
    is_open = []
    monkeypatch.setattr(strategy._selection, "propose", lambda progress: waiting.pop(0) if waiting else None)
    monkeypatch.setattr(strategy._effort, "admits", lambda one: bool(is_open) or one not in (edited, other))
    assert strategy.next_test_case(0.1) not in (edited, other)
    assert not waiting, "both were proposed, and not admitted"
    is_open.append(True)
    assert strategy.next_test_case(0.2) is edited
    assert strategy.next_test_case(0.2) not in (edited, other)
