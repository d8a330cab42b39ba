"""When the wait for an answer ends early: the SUT has said twice that a service hangs and nothing else is due."""

from __future__ import annotations

import pytest

from wimble.execute.endless_waits import ASK_AFTER_S, N_SURE, EndlessWait, RepeatingWait
from wimble.execute.looping_requests import VERY_MANY, RepeatedRequests


class Sut:
    """Says what it is told to, question by question."""

    def __init__(self, *answers: bool) -> None:
        self.answers = list(answers)

    def waits_in_vain(self, timeout_s: float) -> bool:
        return self.answers.pop(0)


def watched(sut: Sut, n_looks: int) -> tuple[EndlessWait, float]:
    """Looks once in each interval of a question, until the wait ends; returns the seconds that have gone by, too."""
    now_s = [0.0]
    wait = EndlessWait(sut, lambda: now_s[0])
    for _ in range(n_looks):
        wait.watch()  # too early: nobody is asked
        now_s[0] += ASK_AFTER_S
        try:
            wait.watch()
        except TimeoutError:
            break
    return wait, now_s[0]


def test_two_answers_in_a_row_end_the_wait():
    wait, elapsed_s = watched(Sut(True, True, True), 3)
    assert wait.is_over
    assert elapsed_s == pytest.approx(N_SURE * ASK_AFTER_S)


def test_a_sign_of_life_in_between_starts_anew():
    wait, elapsed_s = watched(Sut(True, False, True, True), 4)
    assert wait.is_over
    assert elapsed_s == pytest.approx(4 * ASK_AFTER_S)


def test_a_program_that_still_does_something_is_waited_for():
    wait, _ = watched(Sut(*[False] * 20), 20)
    assert not wait.is_over


class Repeating:
    """Sends the same to services from a time on."""

    def __init__(self, since_s: float) -> None:
        self.now_s = 0.0
        self.since_s = since_s

    def repeated(self) -> RepeatedRequests:
        repeated = RepeatedRequests()
        repeated.n_of_kind = VERY_MANY if self.now_s >= self.since_s else 0
        return repeated


@pytest.mark.parametrize(("since_s", "ended_s"), [(0.5, 2.0), (3.0, 3.0), (99.0, None)])
def test_the_wait_ends_after_a_short_time_if_the_program_repeats_requests(since_s: float, ended_s: float | None):
    sut = Repeating(since_s)
    wait = RepeatingWait(sut, lambda: sut.now_s, 2.0)
    for _ in range(40):
        try:
            wait.watch()
        except TimeoutError:
            assert sut.now_s == pytest.approx(ended_s, abs=0.2)
            return
        sut.now_s += ASK_AFTER_S
    assert ended_s is None
