"""When the wait for an answer ends early: the SUT has said twice that a service hangs and nothing else is due."""

from __future__ import annotations

import pytest

from wimble.execute.endless_waits import ASK_AFTER_S, N_SURE, EndlessWait


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
