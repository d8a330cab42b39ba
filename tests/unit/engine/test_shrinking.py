"""Test cases are made smaller on a SUT in which earlier tries have left state."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.minimise.shrinking import (
    BRIEF_TRIES,
    MAX_HUNG,
    MAX_HUNG_ANSWERS,
    left_calls,
    made_smaller,
    made_smaller_briefly,
)
from wimble.engine.session.budget import Budget
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.session.stop import StopRequest
from wimble.genes import EnumGene, IntegerGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

LIMIT: Final = PhaseLimit(Budget(max_time_s=None, max_calls=1), StopRequest(), until=0.5)


def operation(method: str, path: str, **templates: Any) -> Any:
    inputs = tuple(
        HttpInput(name=name, location="query", template=gene, required=True) for name, gene in templates.items()
    )
    return http_operation(id=OperationId(f"{method} {path}"), method=method, path=path, inputs=inputs)


PUT: Final = operation("PUT", "/recipe", title=StringGene(), servings=IntegerGene())
GET: Final = operation("GET", "/recipe")
MOST: Final = 20
N_ANSWERS: Final = 12
NOISE: Final = operation("GET", "/noise")


class Freshness:
    def __init__(self, sut: RecipesSut) -> None:
        self._sut = sut

    @property
    def is_dirty(self) -> bool:
        return self._sut.n_calls > 0

    @property
    def n_calls(self) -> int:
        return self._sut.n_calls

    is_lost = False


class RecipesSut:
    """Stands for the trials and their worker. The fault: a recipe without servings, or with too many, is read."""

    starts = StartPolicy()

    def __init__(self, *, is_unique: bool = False, hangs: bool = False, needs_setup: bool = False) -> None:
        """is_unique: a title can be stored only once. hangs: a call is not answered. needs_setup: the fault shows with
        all answers of services."""
        self._needs_setup = needs_setup
        self._is_unique = is_unique
        self.worker = self
        self.freshness = Freshness(self)
        self.n_hung = 0
        self.n_starts = self.n_shown = 0
        self.tried: list[TestCase] = []
        self._hangs = hangs
        self.restart()

    def restart(self) -> None:
        self.n_starts += 1
        self.n_calls = 0
        self._servings = 4
        self._titles: set[str] = set()

    def make_fresh_for(self, _candidate: Candidate, _test_case: TestCase) -> None:
        self.restart()

    last_fresh = None
    refused = ()

    def shows_fresh(self, candidate: Candidate, test_case: TestCase) -> bool:
        self.restart()
        return self.shows(candidate, test_case)

    def shows(self, _candidate: Candidate, test_case: TestCase) -> bool:
        self.n_hung += self._hangs
        self.n_shown += 1
        self.tried.append(test_case)
        is_shown = False
        may_go_on = True
        for call in test_case.calls:
            self.n_calls += 1
            if call.operation is PUT:
                may_go_on = self._put(*(gene.phenotype() for gene in call.genes))
            elif call.operation is GET and may_go_on:
                is_shown = self._servings == 0 or self._servings > MOST
        if self._needs_setup and len(test_case.setup) < N_ANSWERS:
            return False
        return is_shown

    def _put(self, title: Any, servings: Any) -> bool:
        if len(title) < 3 or (self._is_unique and title in self._titles):
            return not self._is_unique  # then the test case depends on what this call answers
        self._titles.add(title)
        self._servings = servings
        return True


def candidate(*calls: Call) -> Candidate:
    test_case = TestCase(calls)
    return Candidate(test_case=test_case, fault_key=("f",), targets=frozenset(), original=test_case)


def put(title: str, servings: int) -> Call:
    return Call(PUT, (StringGene(title), IntegerGene(servings)))


def values_of(test_case: TestCase) -> list[list[Any]]:
    return [[gene.phenotype() for gene in call.genes] for call in test_case.calls]


def test_state_that_earlier_tries_left_makes_no_input_superfluous() -> None:
    sut = RecipesSut()
    noisy = candidate(Call(NOISE, ()), put("o48r9", 0), Call(NOISE, ()), Call(GET, ()))
    smaller = made_smaller(sut, noisy, LIMIT).test_case  # type: ignore[arg-type]
    assert [call.operation for call in smaller.calls] == [PUT, GET]
    sut.restart()
    assert sut.shows(noisy, smaller)
    assert len(values_of(smaller)[0][0]) < 5


def test_the_step_that_went_too_far_is_found_with_few_starts() -> None:
    sut = RecipesSut()
    noisy = candidate(*[Call(NOISE, ())] * 12, put("o48", 0), *[Call(NOISE, ())] * 12, Call(GET, ()))
    smaller = made_smaller(sut, noisy, LIMIT).test_case  # type: ignore[arg-type]
    assert [call.operation for call in smaller.calls] == [PUT, GET]
    assert sut.n_starts <= 9


def test_a_few_tries_leave_out_calls_and_need_no_start_where_the_order_makes_no_difference() -> None:
    sut = RecipesSut()
    noisy = candidate(*[Call(NOISE, ())] * 6, put("o48r9", 0), Call(GET, ()))
    free = replace(noisy, is_order_independent=True)
    n_starts = sut.n_starts
    smaller = made_smaller_briefly(sut, free, LIMIT).test_case  # type: ignore[arg-type]
    assert len(smaller.calls) < len(noisy.test_case.calls)
    assert sut.n_starts == n_starts
    assert sut.n_shown <= BRIEF_TRIES + 1


def test_a_few_tries_keep_only_what_shows_on_a_fresh_start_where_the_order_may_make_a_difference() -> None:
    sut = RecipesSut()
    noisy = candidate(Call(NOISE, ()), put("o48r9", 0), Call(GET, ()))
    sut.shows(noisy, noisy.test_case)  # leaves a recipe without servings
    smaller = made_smaller_briefly(sut, noisy, LIMIT)  # type: ignore[arg-type]
    sut.restart()
    assert sut.shows(noisy, smaller.test_case)


def test_values_are_made_smaller_on_fresh_starts_if_another_one_can_be_used_once() -> None:
    sut = RecipesSut(is_unique=True)
    only = Call(PUT, (EnumGene(("soup",), 0), IntegerGene(4321)))
    smaller = made_smaller(sut, candidate(only, Call(GET, ())), LIMIT).test_case  # type: ignore[arg-type]
    assert values_of(smaller) == [["soup", 0], []]


def test_few_tries_wait_for_an_answer_that_does_not_come() -> None:
    sut = RecipesSut(hangs=True)
    calls = (*[Call(NOISE, ())] * 40, put("o48r9", 0), Call(GET, ()))
    made_smaller(sut, candidate(*calls), LIMIT)  # type: ignore[arg-type]
    assert MAX_HUNG <= sut.n_shown <= 3 * MAX_HUNG


def test_fewer_tries_wait_for_an_answer_with_other_answers_of_services_alone() -> None:
    sut = RecipesSut(hangs=True, needs_setup=True)
    answers = tuple(new_answer("https://a.example:443", "GET", f"/{n}", body={"a": "o48r9"}) for n in range(N_ANSWERS))
    test_case = TestCase((put("soup", 0), Call(GET, ())), answers)
    made_smaller(sut, replace(candidate(), test_case=test_case, original=test_case), LIMIT)  # type: ignore[arg-type]
    assert sum(one.setup != answers for one in sut.tried) <= MAX_HUNG_ANSWERS + 1


def test_it_is_known_which_calls_are_left() -> None:
    whole = TestCase((put("a", 1), put("b", 2), Call(GET, ()), put("c", 3), Call(GET, ())))
    later = TestCase(whole.calls[1:])
    plain = TestCase((put("b", 0), *later.calls[1:]))
    assert left_calls([whole, later, plain, TestCase((plain.calls[0], plain.calls[3]))]) == [1, 4]
