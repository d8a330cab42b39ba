"""The steps that something needs are found with a start for each of them."""

from __future__ import annotations

from wimble.engine.candidates.needed_steps import MAX_NEEDED, find_needed


class Sut:
    """What is to show needs some steps, each after the one before it."""

    def __init__(self, *wanted: int, forgets: bool = False) -> None:
        self._wanted = wanted
        self._forgets = forgets
        self.n_starts = self.n_runs = 0
        self._reached = 0

    def start(self) -> None:
        self.n_starts += 1
        self._reached = 0

    def shows_after(self, steps: list[int]) -> bool:
        self.n_runs += 1
        if self._forgets:
            self._reached = 0
        for step in steps:
            if self._reached < len(self._wanted) and step == self._wanted[self._reached]:
                self._reached += 1
        return self._reached == len(self._wanted)

    def found(self, n_steps: int) -> list[int] | None:
        return find_needed(n_steps, self.start, self.shows_after, lambda: False)


def test_each_step_that_is_needed_takes_a_start_and_so_does_the_proof() -> None:
    sut = Sut(3, 17, 30)
    assert sut.found(40) == [3, 17, 30]
    assert sut.n_starts == 4


def test_nothing_is_needed_if_it_shows_alone() -> None:
    sut = Sut()
    assert sut.found(40) == []
    assert (sut.n_starts, sut.n_runs) == (1, 1)


def test_one_step_is_found_where_its_state_is_put_back_and_two_are_not() -> None:
    assert Sut(5, forgets=True).found(9) == [5]
    sut = Sut(2, 5, forgets=True)
    assert sut.found(9) is None
    assert sut.n_starts == 1


def test_what_its_own_repetition_brings_about_is_found_by_halving() -> None:
    """The same step twice is needed, so the second one shows it when it runs twice itself."""

    class Counting(Sut):
        def shows_after(self, steps: list[int]) -> bool:
            self.n_runs += 1
            self._reached += sum(step in self._wanted for step in steps)
            return self._reached >= len(self._wanted)

    sut = Counting(20, 50)
    assert sut.found(64) == [20, 50]
    assert sut.n_starts <= 10


def test_more_steps_than_a_reader_would_follow_are_not_looked_for() -> None:
    sut = Sut(*range(MAX_NEEDED + 1))
    assert sut.found(20) is None
    assert sut.n_starts == MAX_NEEDED + 1


def test_it_ends_when_it_is_told_to() -> None:
    sut = Sut(3)
    assert find_needed(9, sut.start, sut.shows_after, lambda: sut.n_runs > 1) is None


def test_what_is_costly_to_run_is_not_run_after_each_step() -> None:
    sut = Sut(3, 17)
    assert find_needed(64, sut.start, sut.shows_after, lambda: False, is_costly=True) == [3, 17]
    assert sut.n_runs == sut.n_starts <= 2 * 7 + 3


def test_what_was_refuted_just_now_takes_no_start() -> None:
    sut = Sut(3)
    sut.start()
    assert not sut.shows_after([])
    assert find_needed(9, sut.start, sut.shows_after, lambda: False, was_refuted=True) == [3]
    assert sut.n_starts == 2
