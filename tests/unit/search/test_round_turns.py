"""In a round of the solver, targets that take much work wait for those that may take little."""

from __future__ import annotations

from typing import Any, cast

from wimble.search.generators.solver.round_turns import MAX_AT_ONCE, MAX_BEGUN, RoundTurns
from wimble.search.generators.solver.work_slices import FIRST_STEPS, FIRST_WORK, WorkSlices

HARD = 20 * FIRST_WORK


class Target:
    """Takes a quarter of the first slice per step, until it has taken what it needs."""

    def __init__(self, needed: int = FIRST_WORK // 4) -> None:
        self.needed = needed
        self.work = 0
        self.slices = WorkSlices()
        self.is_waiting = self.can_wait = False

    def step(self) -> None:
        self.work += FIRST_WORK // 4

    @property
    def is_done(self) -> bool:
        return self.work >= self.needed

    @property
    def rank(self) -> int:
        return self.work

    @property
    def has_slice(self) -> bool:
        return self.slices.has_left(self.work, 0, is_blind=False)

    @property
    def n_slices(self) -> int:
        return self.slices.count

    def grant_slice(self) -> None:
        self.slices.grant(self.work, 0)


def turns_of(unfinished: list[Target], new: list[Target], *, waits: bool = True) -> Any:
    given: Any = iter(new)
    return RoundTurns(cast("Any", unfinished), given, waits=waits)


def run(turns: Any) -> None:
    while turn := turns.next():
        for one in turn:
            one.step()


def test_a_target_that_takes_much_work_goes_on_when_all_others_have_had_a_slice() -> None:
    hard, easy = Target(HARD), [Target() for _ in range(2 * MAX_AT_ONCE)]
    turns = turns_of([], [hard, *easy])
    before = 0
    while turn := turns.next():
        for one in turn:
            one.step()
        before = before if all(one.is_done for one in easy) else hard.work
    assert before <= FIRST_WORK
    assert hard.is_done, "nothing else was left"


def test_greater_slices_are_left_to_later_rounds_where_something_was_found_or_more_targets_are_left() -> None:
    hard = Target(HARD)
    turns = turns_of([], [hard, Target()])
    turns.note_success()
    run(turns)
    assert hard.work == FIRST_WORK
    hard = Target(HARD)
    run(turns_of([], [hard, *(Target() for _ in range(MAX_BEGUN))]))
    assert hard.work == FIRST_WORK


def test_a_target_goes_on_in_the_next_round_after_those_that_are_new() -> None:
    hard = Target(HARD)
    run(turns_of([], [hard, *(Target() for _ in range(MAX_BEGUN))]))
    new = Target()
    turns = turns_of([hard], [new])
    assert turns.next() == [new]
    run(turns)
    assert hard.is_done


def test_beside_a_search_answers_that_are_not_there_are_left_to_the_next_round() -> None:
    waiting, used = Target(), Target(HARD)
    waiting.is_waiting = True
    used.work = FIRST_WORK
    turns = turns_of([waiting, used], [], waits=False)
    assert turns.next() == []
    waiting.can_wait = True
    assert turns.next() == [used], "what waits for long holds up nothing"


def test_a_slice_ends_after_some_steps_where_nothing_tells_how_close_they_come() -> None:
    slices = WorkSlices()
    assert not slices.has_left(0, FIRST_STEPS, is_blind=True)
    assert slices.has_left(0, FIRST_STEPS, is_blind=False)
    assert not slices.may_be_thorough
    slices.grant(0, FIRST_STEPS)
    assert slices.has_left(2 * FIRST_WORK, 2 * FIRST_STEPS, is_blind=True)
    assert slices.may_be_thorough
