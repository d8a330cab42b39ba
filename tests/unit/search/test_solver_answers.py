"""Test cases with values from the solver, for targets with which nothing else makes progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from random import Random

import msgspec
import pytest
from fake_sut import FakeSut, operation

from wimble.genes import AnyGene, ArrayGene, IntegerGene, JsonTextGene, ObjectGene, OptionalGene, StringGene
from wimble.json_texts import JsonCoding, held_document
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedInput
from wimble.model.solver_report import DECIDED, NO_CONDITION, NO_TRACE, NOT_ASKED
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.generators.solver.call_scalars import (
    LENGTHS_OF_CUT_TEXTS,
    MOST_CHARACTERS,
    named_sites,
    with_short_texts,
    with_values,
)
from wimble.search.generators.solver.solver_answers import EVEN_SO, FIRST_WAIT, KINDS, MOST_COUNTED
from wimble.search.generators.solver.solver_inquiry import (
    MAX_STEPS,
    MAX_WORK_WITHOUT_CONDITION,
    Inquiry,
    Trace,
)
from wimble.search.generators.solver.traced_once import TracedOnce
from wimble.search.learned.complete_calls import CompleteCalls
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.solve.ladder import solved
from wimble.solve.path_conditions import CallInput, Expression, FollowedCall, Path, PathEntry, TracedRun
from wimble.solve.questions import NO_VALUES, UNREAD, Answer, Question
from wimble.types import TargetId

API = [operation("POST", "/sum", body=ObjectGene((("x", IntegerGene()), ("y", IntegerGene()), ("note", StringGene()))))]
GUARD = Target("branch", "app.js", 4, 12, "=== true")


def guarded(operation_id, values, probe, state):
    """Passed if x * x - 3 * y is 1009, without a distance."""
    x, y = values["body"]["x"], values["body"]["y"]
    probe.reach(probe.table.register(GUARD), 1.0 if x * x - 3 * y == 1009 else 0.5)
    return 200, {}


class Answered:
    """A ticket whose answer is there."""

    is_there = True

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def answer(self) -> Answer:
        return self._answer


def number_named(name: str, inputs: Sequence[CallInput]) -> tuple[str, int]:
    """Returns place and value of an input that is a number."""
    found = next(one for one in inputs if one.name == name)
    assert isinstance(found.value, int)
    return found.place, found.value


class TracerOfPaths:
    """Writes the path that the agent would record of `guarded`."""

    is_over = False
    is_beside = False
    may_begin = True
    progress = 0.0

    def __init__(self) -> None:
        self.n_rounds = 0
        self.n_runs = 0
        self.n_asked = 0
        self.earned: list[tuple[TargetId, bool]] = []

    @contextmanager
    def tracing(self) -> Iterator[Trace | None]:
        self.n_rounds += 1
        yield self

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        self.earned.append((target, is_solved))

    def run(self, test_case: TestCase, call: FollowedCall) -> TracedRun:
        self.n_runs += 1
        return TracedRun(self.path_of(call.inputs), self.h_of(call.inputs))

    def h_of(self, inputs: Sequence[CallInput]) -> float:
        return 0.5

    def ask(self, question: Question, rank: int) -> Answered:
        self.n_asked += 1
        return Answered(solved(question))

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        (x_place, x), (y_place, y) = (number_named(name, inputs) for name in "xy")
        nodes = (
            Expression(f"in:{x_place}", (), x),
            Expression(f"in:{y_place}", (), y),
            Expression("k", (), 3),
            Expression("k", (), 1009),
            Expression("*", (0, 0), x**2),
            Expression("*", (2, 1), 3 * y),
            Expression("-", (4, 5), x**2 - 3 * y),
            Expression("===", (6, 3), x**2 - 3 * y == 1009),
        )
        return Path(nodes, (PathEntry("app.js:4:12:===", bool(nodes[-1].value), 7),))


def searched(n_evaluations: int, tracer: TracerOfPaths | None) -> tuple[MioStrategy, list[Evaluation]]:
    sut = FakeSut(guarded)
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    search.solver.trace_with(tracer)
    seen = []
    for number in range(n_evaluations):
        seen.append(sut.evaluate(search.next_test_case(number / n_evaluations)))
        search.observe(seen[-1], number / n_evaluations)
    return search, seen


def passed(search: MioStrategy) -> bool:
    return any(search.archive.is_covered(target) for target in range(8) if search.archive.best_h(target) == 1.0) and (
        not [target for target in search.archive.open_targets() if target in search.solver.statistics.targets]
    )


def test_the_solver_is_asked_when_nothing_new_was_covered_and_its_answer_covers_the_target():
    tracer = TracerOfPaths()
    search, _ = searched(FIRST_WAIT + 100, tracer)
    assert tracer.n_rounds == 1
    report = next(iter(search.solver.statistics.targets.values()))
    assert (report.outcome, report.has_run) == ("solved", True)
    assert report.condition == "((body.x * body.x) - (3 * body.y)) === 1009"
    assert passed(search)


@pytest.mark.parametrize(("share", "expected"), [(0.02, 0), (0.2, 1)])
def test_in_a_search_of_few_evaluations_each_counts_for_more_until_the_solver_is_asked(
    share: float, expected: int
) -> None:
    """share: of the budget, after a hundred evaluations and more."""
    tracer = TracerOfPaths()
    tracer.progress = share
    searched(int(FIRST_WAIT / MOST_COUNTED) + 20, tracer)
    assert tracer.n_rounds == expected


class TracerBeside(TracerOfPaths):
    """Its answers are there when it is told so."""

    is_beside = True
    has_answers = False

    def ask(self, question: Question, rank: int) -> Answered:
        tracer = self

        class Later(Answered):
            @property
            def is_there(self) -> bool:
                return tracer.has_answers

        self.n_asked += 1
        return Later(solved(question))


def test_the_search_goes_on_beside_a_solver_and_takes_its_answers_up_when_they_are_there() -> None:
    sut, tracer = FakeSut(guarded), TracerBeside()
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    search.solver.trace_with(tracer)
    for number in range(FIRST_WAIT + 200):
        if number == FIRST_WAIT + 100:
            assert (tracer.n_rounds, tracer.n_asked > 0, passed(search)) == (1, True, False)
            tracer.has_answers = True
        search.observe(sut.evaluate(search.next_test_case(0.5)), 0.5)
    assert tracer.n_rounds == 2, "the second one was due before the first choice of targets would have been repeated"
    assert passed(search)


class TracerOfOrder(TracerOfPaths):
    """Writes a path on which `x < y` excludes what the guard asks for: `x === y + 1`."""

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        (x_place, x), (y_place, y) = (number_named(name, inputs) for name in "xy")
        nodes = (
            Expression(f"in:{x_place}", (), x),
            Expression(f"in:{y_place}", (), y),
            Expression("k", (), 1),
            Expression("+", (1, 2), y + 1),
            Expression("<", (0, 1), x < y),
            Expression("===", (0, 3), x == y + 1),
        )
        order = PathEntry("app.js:3:2:if", x < y, 4)
        return Path(nodes, (order, PathEntry("app.js:4:12:===", x == y + 1, 5)))


def test_where_the_conditions_before_exclude_the_outcome_another_of_them_is_turned() -> None:
    tracer, inquiry = TracerOfOrder(), inquiry_from({"x": 3, "y": 70})
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == "solved"
    assert tracer.n_runs == 3, "the start, one with x >= y, and the solution"


def numbers_and_nodes(
    inputs: Sequence[CallInput],
) -> tuple[int, int, list[Expression], Callable[[str, tuple[int, ...], int | bool], int]]:
    """Returns `x`, `y`, the nodes of a path with these inputs, and a function that adds one and returns its number."""
    (x_place, x), (y_place, y) = (number_named(name, inputs) for name in "xy")
    nodes = [Expression(f"in:{x_place}", (), x), Expression(f"in:{y_place}", (), y)]

    def add(op: str, args: tuple[int, ...], value: int | bool) -> int:
        nodes.append(Expression(op, args, value))
        return len(nodes) - 1

    return x, y, nodes, add


class TracerOfRounds(TracerOfPaths):
    """Writes a path with a loop of `x` rounds that adds `y`, up to 7, to what the guard compares with 35."""

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        x, y, nodes, add = numbers_and_nodes(inputs)
        entries = [
            PathEntry(f"app.js:1:{limit}:if", y <= limit, add("<=", (1, add("k", (), limit)), y <= limit))
            for limit in (7, 8, 9, 10, 11)
        ]
        total = add("k", (), 0)
        for number in range(x + 1):
            is_more = number < x
            entries.append(PathEntry("app.js:3:2:for", is_more, add("<", (add("k", (), number), 0), is_more)))
            if is_more:
                total = add("+", (total, 1), (number + 1) * y)
        asked = add("===", (total, add("k", (), 35)), x * y == 35)
        return Path(tuple(nodes), (*entries, PathEntry("app.js:4:12:===", x * y == 35, asked)))


def test_where_a_text_is_too_short_loops_get_one_more_round() -> None:
    inquiry, tracer = inquiry_from({"x": 2, "y": 3}), TracerOfRounds()
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == "solved"


class TracerThatLeaves(TracerOfPaths):
    """Writes a path with a loop of `x` rounds, 4 or more, that is left in the first one whose bit `y` does not have.

    The target is that the loop ends.
    """

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        x, y, nodes, add = numbers_and_nodes(inputs)
        entries = [PathEntry("app.js:2:2:if", x < 4, add("<", (0, add("k", (), 4)), x < 4))]
        for number in range(x + 1 if x >= 4 else 0):
            is_over = number >= x
            more = add("<", (add("k", (), number), 0), not is_over)
            entries.append(PathEntry("app.js:4:12:===", is_over, add("!", (more,), is_over)))
            bit = add("k", (), 1 << number)
            is_set = bool(y & 1 << number)
            if not is_over:
                held = add("===", (add("&", (1, bit), y & 1 << number), bit), is_set)
                entries.append(PathEntry("app.js:5:4:if", is_set, held))
            if not is_set:
                break
        return Path(tuple(nodes), tuple(entries))


def test_where_a_condition_is_evaluated_again_those_that_leave_before_are_turned() -> None:
    inquiry, tracer = inquiry_from({"x": 4, "y": 0}), TracerThatLeaves()
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == "solved"


class TracerOfALostSut(TracerOfOrder):
    """Loses the SUT with the first test case that the solver has made."""

    def run(self, test_case: TestCase, call: FollowedCall) -> TracedRun:
        traced = super().run(test_case, call)
        return traced if self.n_runs == 1 else TracedRun(None)


def test_what_may_have_lost_the_sut_is_run_by_the_search() -> None:
    tracer, inquiry = TracerOfALostSut(), inquiry_from({"x": 71, "y": 3})
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert [one is not inquiry.start[0] for one in inquiry.results()] == [True]


class TracerOfOthers(TracerOfPaths):
    """Writes conditions that are not the target's, whose answers take a million units each."""

    def ask(self, question: Question, rank: int) -> Answered:
        return Answered(msgspec.structs.replace(solved(question), work=1_000_000))

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        place, x = number_named("x", inputs)
        limits = [Expression("k", (), number) for number in range(self.n_runs, self.n_runs + 4)]
        nodes = (Expression(f"in:{place}", (), x), *limits)
        compared = tuple(Expression("===", (0, at), limits[at - 1].value == x) for at in range(1, 5))
        entries = (PathEntry(f"a.js:{at}:1:===", bool(one.value), 5 + at) for at, one in enumerate(compared))
        return Path((*nodes, *compared), tuple(entries))


def test_a_target_whose_condition_no_path_has_is_given_up_after_some_work() -> None:
    tracer, inquiry = TracerOfOthers(), inquiry_from({"x": 300, "y": 70})
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == NO_CONDITION
    assert MAX_WORK_WITHOUT_CONDITION <= inquiry.work < 2 * MAX_WORK_WITHOUT_CONDITION
    assert tracer.n_runs < MAX_STEPS


class TracerOfStates(TracerOfPaths):
    """Writes a path without the target's own condition: each bit of `x` leads from one state to the next, and each one
    of `y`, the latest conditions, back to the first.
    """

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        x, y, nodes, add = numbers_and_nodes(inputs)
        n_states = self.n_states(x)
        entries = []
        for name, bit in [*((0, bit) for bit in range(min(n_states + 1, 6))), *((1, bit) for bit in range(5))]:
            mask = add("k", (), 1 << bit)
            held = add("&", (name, mask), (x, y)[name] & 1 << bit)
            is_set = bool(nodes[held].value)
            node = add("===", (held, mask), is_set)
            entries.append(PathEntry(f"app.js:1:{10 * name + bit}:===", is_set, node))
        return Path(tuple(nodes), tuple(entries))

    def n_states(self, x: int) -> int:
        return next((bit for bit in range(6) if not x & 1 << bit), 6)

    def h_of(self, inputs: Sequence[CallInput]) -> float:
        (_, x), (_, y) = (number_named(name, inputs) for name in "xy")
        return 0.1 if y & 31 else (1 + self.n_states(x)) / 7


def test_where_no_expression_has_the_condition_paths_are_followed_that_come_closer_by_its_heuristic_value() -> None:
    tracer, inquiry = TracerOfStates(), inquiry_from({"x": 0, "y": 0})
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == "solved"


class TracerOfSteps(TracerOfPaths):
    """A number that is no step leaves before the target's condition. One step leads there, and the other one to a loop,
    of which each further round comes as close as the one before.
    """

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        x, y, nodes, add = numbers_and_nodes(inputs)
        entries = []

        def condition(left: int, right: int, operator: str, is_taken: bool) -> None:
            node = add(operator, (add("k", (), right), left), is_taken)
            site = "app.js:1:9:for" if operator == "<" else f"app.js:1:{right}:==="
            entries.append(PathEntry(site, is_taken, node))

        for step in {0: (0,), 4: (0, 4)}.get(x, (0, 4, 5)):
            condition(0, step, "===", x == step)
        for number in range(max(0, min(y, 40)) + 1 if x == 4 else 0):
            condition(1, number, "<", y > number)
        return Path(tuple(nodes), tuple(entries))

    def h_of(self, inputs: Sequence[CallInput]) -> float:
        _, x = number_named("x", inputs)
        return {0: 0.3, 4: 0.3, 5: 1.0}.get(x, 0.0)


def test_a_path_that_leaves_before_the_condition_is_followed_before_many_that_come_no_closer() -> None:
    tracer, inquiry = TracerOfSteps(), inquiry_from({"x": 0, "y": 0})
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == "solved"


def inquiry_from(values: dict[str, int]) -> Inquiry:
    """Returns an inquiry about the guard that begins with these numbers."""
    test_case = MioStrategy(API, FakeSut(guarded).table, Settings(), Random(1), JAVASCRIPT).next_test_case(0.0)
    for one, site in named_sites(test_case, 0, None):
        if one.name in values:
            place = site.put(values[one.name])
            assert place is not None
            test_case = test_case.with_gene(*place)
    return Inquiry(TargetId(0), GUARD, (test_case, 0, None))


def test_a_test_case_is_traced_once_for_all_targets() -> None:
    tracer, start = TracerOfPaths(), FakeSut(guarded)
    test_case = MioStrategy(API, start.table, Settings(), Random(1), JAVASCRIPT).next_test_case(0.0)
    inputs = [one for one, _ in named_sites(test_case, 0, None)]
    guard, other = FollowedCall(0, inputs, "app.js:8:1:<"), FollowedCall(0, inputs, "app.js:9:1:<")
    on_path = FollowedCall(0, inputs, tracer.path_of(inputs).entries[0].site)
    once = TracedOnce(tracer)
    traced = once.run(test_case, guard)
    assert once.run(test_case, guard) is traced
    assert once.run(test_case, on_path) == TracedRun(traced.path)
    assert tracer.n_runs == 1
    assert once.run(test_case, other) == traced
    assert tracer.n_runs == 2, "how close it came to another condition is not known from the first run"


def test_a_run_that_ended_before_is_not_taken_for_one_that_recorded_nothing() -> None:
    tracer, start = TracerOfPaths(), FakeSut(guarded)
    test_case = MioStrategy(API, start.table, Settings(), Random(1), JAVASCRIPT).next_test_case(0.0)
    inquiry = Inquiry(TargetId(0), GUARD, (test_case, 0, None))
    assert inquiry.report.outcome == NOT_ASKED
    tracer.run = lambda test_case, call: TracedRun(None)  # type: ignore[method-assign]
    inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == NO_TRACE


class TracerOfDecided(TracerOfPaths):
    """Writes a path on which the guard's condition has a part that depends on no input."""

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        place, x = number_named("x", inputs)
        nodes = (
            Expression(f"in:{place}", (), x),
            Expression("k", (), 5),
            Expression("===", (0, 1), x == 5),
            Expression("k", (), False),
            Expression("ite", (2, 3, 3), False),
        )
        return Path(nodes, (PathEntry("app.js:4:12:===", False, 4),))


def test_of_a_condition_that_a_part_without_inputs_decides_it_is_said_so() -> None:
    tracer, inquiry = TracerOfDecided(), inquiry_from({"x": 3})
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert (inquiry.report.outcome, inquiry.report.condition) == (DECIDED, "")


def test_long_texts_are_cut_before_a_call_is_traced() -> None:
    traced: list[object] = []

    def run(test_case: TestCase, call: FollowedCall) -> TracedRun:
        traced.append(next(one.value for one in call.inputs if one.name == "note"))
        return TracedRun(None)

    test_case = MioStrategy(API, FakeSut(guarded).table, Settings(), Random(1), JAVASCRIPT).next_test_case(0.0)
    note = next(site for one, site in named_sites(test_case, 0, None) if one.name == "note")
    place = note.put("ab" * MOST_CHARACTERS)
    assert place is not None
    inquiry, tracer = Inquiry(TargetId(0), GUARD, (test_case.with_gene(*place), 0, None)), TracerOfPaths()
    tracer.run = run  # type: ignore[method-assign,assignment]
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert [len(str(text)) for text in traced] == [16, 2 * MOST_CHARACTERS, 40]


def test_other_forms_of_a_call_have_its_optional_inputs_and_numbers() -> None:
    body = ObjectGene((("x", AnyGene("text")), ("y", AnyGene(True))))
    limit = OptionalGene(StringGene(), False)
    call = Call(operation("POST", "/sum", body=body, limit=limit), (limit, body))
    calls = CompleteCalls(LearnedInputs(Random(1)), Random(1))
    completed = calls.completed(TestCase((call,)), 0)
    assert completed is not None
    assert "limit" in {one.name for one, _ in named_sites(completed, 0, None)}
    assert calls.completed(completed, 0) is None
    numbered = calls.numbered(completed, 0, None)
    assert numbered is not None
    values = [one.value for one, site in named_sites(numbered, 0, None) if site.is_json]
    assert values == [11, 12]
    assert calls.numbered(numbered, 0, None) is None


def test_a_completed_call_has_all_members_in_each_object_of_a_list() -> None:
    body = AnyGene({"lines": [{"qty": 3}, {"price": 5}, 8]})
    one = operation("POST", "/sum", body=body)
    learned = LearnedInputs(Random(1))
    for name in ("qty", "price"):
        learned.learn(one, LearnedInput(location="body", path=("lines", "0", name)))
    completed = CompleteCalls(learned, Random(1)).completed(TestCase((Call(one, (body,)),)), 0)
    assert completed is not None
    sent = completed.calls[0].genes[0].phenotype()
    assert [sorted(line) for line in sent["lines"]] == [["price", "qty"]] * 3
    assert (sent["lines"][0]["qty"], sent["lines"][1]["price"]) == (3, 5)


def test_declared_and_undeclared_lists_of_a_content_get_more_elements() -> None:
    coins = ObjectGene((("coins", ArrayGene(IntegerGene(), (IntegerGene(5), IntegerGene(10)))), ("x", IntegerGene(1))))
    one, calls = operation("POST", "/sum", body=coins), CompleteCalls(LearnedInputs(Random(1)), Random(1))
    test_case = TestCase((Call(one, (coins,)),))
    longer = calls.lengthened(test_case, 0, 6)
    assert longer is not None
    assert longer.calls[0].genes[0].phenotype() == {"coins": [5, 10, 10, 10, 10, 10], "x": 1}
    assert calls.lengthened(longer, 0, 6) is None


class TracerOfLeftOutInput(TracerOfPaths):
    """Without `limit`, the guard's condition is one on `x` that no value satisfies."""

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        places = {one.name: one.place for one in inputs}
        left = "limit" if "limit" in places else "x"
        value = next(one.value for one in inputs if one.name == left)
        nodes = [Expression(f"in:{places[left]}", (), value), Expression("k", (), "of" if left == "limit" else "")]
        nodes += [Expression("concat", (0, 1), f"{value}of"), Expression("k", (), "half of" if left == "limit" else 5)]
        if left == "x":
            nodes[1:3] = [Expression("k", (), 2), Expression("*", (0, 1), int(value) * 2)]
        nodes.append(Expression("===", (2, 3), False))
        return Path(tuple(nodes), (PathEntry("app.js:4:12:===", False, 4),))


def test_a_condition_without_values_is_asked_about_with_the_inputs_that_the_call_left_out() -> None:
    body = ObjectGene((("x", IntegerGene()), ("y", IntegerGene()), ("note", StringGene())))
    limit = OptionalGene(StringGene(), False)
    call = Call(operation("POST", "/sum", body=body, limit=limit), (limit, body))
    sut = FakeSut(guarded)
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    sut.table.register(GUARD)
    tracer, inquiry = TracerOfLeftOutInput(), Inquiry(TargetId(0), GUARD, (TestCase((call,)), 0, None))
    while not inquiry.is_done:
        inquiry.step(tracer, lambda trace, question, rank: trace.ask(question, rank))
    assert inquiry.report.outcome == NO_VALUES
    (other,) = search.solver.other_forms(inquiry)
    assert "limit" in {one.name for one, _ in named_sites(other.start[0], 0, None)}


def test_without_a_tracer_nothing_changes_until_then():
    with_tracer, without = searched(FIRST_WAIT - 50, TracerOfPaths())[1], searched(FIRST_WAIT - 50, None)[1]
    assert [one.test_case for one in with_tracer] == [one.test_case for one in without]


def test_a_test_case_is_traced_for_a_target_once():
    tracer = TracerOfPaths()
    tracer.run = lambda test_case, call: TracedRun(Path())  # type: ignore[method-assign]
    search, _ = searched(4 * FIRST_WAIT, tracer)
    assert tracer.n_rounds <= 4
    assert {one.outcome for one in search.solver.statistics.targets.values()} == {NO_CONDITION}
    assert "branch" in KINDS


def test_the_solver_is_asked_even_where_something_new_is_covered_again_and_again() -> None:
    lines = count(100)

    def growing(operation_id, values, probe, state):
        probe.reach(probe.table.register(Target("branch", "app.js", next(lines), 1, "=== true")), 1.0)
        return guarded(operation_id, values, probe, state)

    tracer = TracerOfPaths()
    sut = FakeSut(growing)
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    search.solver.trace_with(tracer)
    for number in range(EVEN_SO * FIRST_WAIT + 2):
        search.observe(sut.evaluate(search.next_test_case(number / 2000)), number / 2000)
    assert tracer.n_rounds == 1


class TracerOfTwoGuards(TracerOfPaths):
    """Behind the first guard is a second one, which no test case of the search has reached."""

    def path_of(self, inputs: Sequence[CallInput]) -> Path:
        path, (y_place, y) = super().path_of(inputs), number_named("y", inputs)
        if not path.entries[0].is_taken:
            return path
        n, nodes = len(path.nodes), path.nodes
        nodes += (Expression(f"in:{y_place}", (), y), Expression("k", (), 13), Expression("%", (n, n + 1), y % 13))
        nodes += (Expression("k", (), 5), Expression("===", (n + 2, n + 3), y % 13 == 5))
        return Path(nodes, (*path.entries, PathEntry("app.js:5:2:===", y % 13 == 5, n + 4)))


def test_what_lies_behind_a_guard_is_asked_about_in_the_round_in_which_the_guard_is_passed() -> None:
    tracer, sut = TracerOfTwoGuards(), FakeSut(guarded)
    behind = sut.table.register(Target("branch", "app.js", 5, 2, "=== true"))
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    search.solver.trace_with(tracer)
    while not tracer.n_rounds:
        search.observe(sut.evaluate(search.next_test_case(0.5)), 0.5)
    assert search.solver.statistics.targets[behind].outcome == "solved"
    assert tracer.n_rounds == 1


class TracerOfOneAnswer(TracerOfPaths):
    """Has one answer per round; the others are not waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.n_left = 0
        self.keys: list[tuple[int, bytes]] = []

    @contextmanager
    def tracing(self) -> Iterator[Trace | None]:
        self.n_left = 1
        with super().tracing():
            yield self
        self.n_left = 0

    @property
    def is_over(self) -> bool:  # type: ignore[override]
        return self.n_left <= 0

    def ask(self, question: Question, rank: int) -> Answered:
        self.keys.append((self.n_rounds, question.key()))
        return OneAnswer(self)


class OneAnswer(Answered):
    def __init__(self, tracer: TracerOfOneAnswer) -> None:
        super().__init__(Answer(reason="no such values"))
        self._tracer = tracer
        self._is_read = False

    def answer(self) -> Answer:
        if self._tracer.n_left <= 0:
            return Answer(reason=UNREAD)
        assert not self._is_read
        self._tracer.n_left -= 1
        self._is_read = True
        return super().answer()


def two_guards(operation_id, values, probe, state):
    """Two guards that no distance leads to."""
    x, y = values["body"]["x"], values["body"]["y"]
    for column, is_met in ((12, x * x - 3 * y == 1009), (40, False)):
        target = probe.table.register(Target("branch", "app.js", 4, column, "=== true"))
        probe.reach(target, 1.0 if is_met else 0.5)
    return 200, {}


def searched_with(tracer: TracerOfPaths, n_evaluations: int, *, until_round: int | None = None) -> MioStrategy:
    sut = FakeSut(two_guards)
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    search.solver.trace_with(tracer)
    for number in range(n_evaluations):
        if tracer.n_rounds == until_round:
            break
        search.observe(sut.evaluate(search.next_test_case(number / n_evaluations)), number / n_evaluations)
    return search


def test_answers_that_were_not_waited_for_are_read_in_the_next_round() -> None:
    tracer = TracerOfOneAnswer()
    search = searched_with(tracer, 4 * FIRST_WAIT, until_round=1)
    answers = search.solver.statistics.answers
    asked = [key for _, key in tracer.keys]
    assert (len(asked), answers) == (2, {"no such values": 1})
    while tracer.n_rounds == 1:
        search.solver.propose(0.5)
    assert answers == {"no such values": 2}
    assert len(set(asked)) == len(asked), "they were not asked twice"


class TracerOfMuchWork(TracerOfPaths):
    """Finds an answer with much work only, and some time after it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.is_found = False
        self.n_thorough = 0

    def ask(self, question: Question, rank: int) -> Answered:
        if not question.is_thorough:
            return Answered(Answer(reason="too hard", is_cut=True))
        self.n_thorough += 1
        return LateAnswer(self, question)


class LateAnswer(Answered):
    def __init__(self, tracer: TracerOfMuchWork, question: Question) -> None:
        super().__init__(solved(question))
        self._tracer = tracer

    @property
    def is_there(self) -> bool:  # type: ignore[override]
        return self._tracer.is_found

    def answer(self) -> Answer:
        assert self.is_there, "it is not waited for"
        return super().answer()


def test_the_search_goes_on_while_much_work_is_spent_on_a_question() -> None:
    tracer = TracerOfMuchWork()
    sut = FakeSut(guarded)
    search = MioStrategy(API, sut.table, Settings(), Random(1), JAVASCRIPT)
    search.solver.trace_with(tracer)
    for number in range(FIRST_WAIT + 500):
        search.observe(sut.evaluate(search.next_test_case(0.5)), 0.5)
        if number == FIRST_WAIT + 250:
            assert (tracer.n_rounds, tracer.n_thorough) == (1, 1)
            tracer.is_found = True
    assert (tracer.n_rounds, tracer.n_thorough) == (2, 1)
    assert passed(search)


def test_rounds_with_a_share_can_be_repeated() -> None:
    tracers = [TracerOfOneAnswer(), TracerOfOneAnswer()]
    for tracer in tracers:
        searched_with(tracer, 4 * FIRST_WAIT)
    assert tracers[0].keys == tracers[1].keys
    assert tracers[0].n_rounds > 1


TEXTS = operation("GET", "/lists", filter=StringGene("x"))
DOCUMENT = AnyGene({"note": "ab" * MOST_CHARACTERS, "more": {"by": "cd" * MOST_CHARACTERS}, "n": 1})


@pytest.mark.parametrize("coding", ["", "base64"])
def test_long_texts_within_a_document_are_cut_and_values_put_into_it(coding: JsonCoding) -> None:
    test_case = TestCase((Call(TEXTS, (JsonTextGene(DOCUMENT, StringGene("x"), coding),)),))
    cut = with_short_texts(test_case, 0, None, LENGTHS_OF_CUT_TEXTS[0])
    assert document_of(cut) == {"note": "ab" * 8, "more": {"by": "cd" * 8}, "n": 1}
    given = {"/query/note": "q", "/query/more/by": "r", "/query/n": 4}
    assert document_of(with_values(cut, 0, None, given)) == {"note": "q", "more": {"by": "r"}, "n": 4}
    given = {"/query/n": 5, "/query/filter": '{"note":"new","n":1}'}
    assert document_of(with_values(cut, 0, None, given)) == {"note": "new", "n": 5}


def document_of(test_case: TestCase) -> object:
    text = test_case.calls[0].genes[0].phenotype()
    held = held_document(text) if isinstance(text, str) else None
    return None if held is None else held[0]
