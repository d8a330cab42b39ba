"""Whether the tests of a library hold in the order of their files.

Nothing is reset between tests of a library, and they are verified in the order of their worth. Tests that are known to
change a setting (stability/changed_settings.py) have a file of their own, in which one may change what another one
returns; and some that do are not known. So the tests of each file run once more as the file runs them. If one differs,
the test before it that makes the difference is left out; or else the one that differs, such as if several tests make it
together. Each file runs once even where no time is left, which takes as long as the suite does: a suite that fails at
its first run is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from wimble.engine.session.notices import tests_were
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.repeated_runs import Run, agreed, run_of
from wimble.engine.stability.verification import Verification
from wimble.model.suite import VerifiedTest

MAX_LOOKS: Final = 6
"""Number of tests of a file for which the one that makes them differ is looked for. Each look takes about as many
starts as the number of tests has binary digits."""


SETTINGS: Final = "settings"
"""In the place of the kind of tests that change a setting."""


class OrderedRuns(NamedTuple):
    """How the tests of a file are run, by their numbers."""

    holds: Callable[[int], bool]
    """Runs a test on the SUT as it is; whether it does what it asserts."""
    restart: Callable[[], None]
    may_go_on: Callable[[], bool]
    """Whether there is time for more runs."""
    is_worth: Callable[[int], bool]
    """Whether a test shows a fault, so that another one is left out rather than this one."""


def without_misfits(
    verification: Verification, firsts: Sequence[Run], tests: dict[int, VerifiedTest], limit: PhaseLimit
) -> dict[int, VerifiedTest]:
    """Returns the tests that hold in the order of their files; `firsts` are the first runs, by number as `tests`."""

    def holds(number: int) -> bool:
        first, test = firsts[number], tests[number]
        if first.evaluation.is_sut_lost or first.evaluation.has_hung:
            return True  # its calls have a process of their own
        run = run_of(verification, first.candidate, first.test_case)
        again = agreed(verification, [first, run], [first.evaluation, run.evaluation])
        if again is None:
            return False
        calls = zip(test.calls, again.calls, strict=True)
        return all(check in other.checks for one, other in calls for check in one.checks)

    runs = OrderedRuns(
        holds=holds,
        restart=lambda: verification.worker.make_fresh(entirely=True),
        may_go_on=lambda: not limit.is_reached,
        is_worth=lambda number: firsts[number].candidate.fault_key is not None,
    )
    kept = dict(tests)
    of_files: dict[str, list[int]] = {}
    for number, test in sorted(tests.items()):
        of_files.setdefault(test.kind if test.test_case.is_safe else SETTINGS, []).append(number)
    for name in sorted(of_files, key=lambda one: one != SETTINGS):
        for number in left_out(of_files[name], runs, is_needed=True):
            del kept[number]
    for number in kept:
        verification.withdraw_note(firsts[number].candidate.fault_key)
    if len(kept) < len(tests):
        verification.warn(f"{tests_were(len(tests) - len(kept))} left out: others of their file would have differed")
    return kept


def left_out(numbers: Sequence[int], runs: OrderedRuns, *, is_needed: bool = False) -> list[int]:
    """Returns the tests to leave out for all others to hold in this order.

    is_needed: whether all run even if there is no time; then those that differ are left out, and the rest run again.
    """
    kept, gone = list(numbers), []
    for look in range(MAX_LOOKS + 1):
        is_over = is_needed and not runs.may_go_on()
        is_last = is_over or look == MAX_LOOKS
        differing = _differing(kept, runs, is_all=is_last, is_needed=is_needed)
        for victim in differing:
            cause = victim if is_last else _cause(kept[: kept.index(victim)], victim, runs)
            worst = victim if runs.is_worth(cause) and not runs.is_worth(victim) else cause
            kept.remove(worst)
            gone.append(worst)
        if not differing:
            break
    return gone


def _differing(numbers: Sequence[int], runs: OrderedRuns, *, is_all: bool, is_needed: bool) -> list[int]:
    """Returns the first test that differs when all run in order; all such tests with `is_all`."""
    found: list[int] = []
    runs.restart()
    for number in numbers:
        if not is_needed and not runs.may_go_on():
            break
        if not runs.holds(number):
            found.append(number)
            if not is_all:
                break
    return found


def _cause(before: Sequence[int], victim: int, runs: OrderedRuns) -> int:
    """Returns the test after which another one differs; that one itself if it does so on a fresh start, or if no test
    alone makes it differ."""
    suspects = list(before)
    if not suspects or not _holds_after((), victim, runs):
        return victim
    while len(suspects) > 1:
        half = suspects[: len(suspects) // 2]
        suspects = suspects[len(half) :] if _holds_after(half, victim, runs) else half
    return victim if _holds_after(suspects, victim, runs) else suspects[0]


def _holds_after(before: Sequence[int], victim: int, runs: OrderedRuns) -> bool:
    runs.restart()
    for number in before:
        runs.holds(number)
    return runs.holds(victim)
