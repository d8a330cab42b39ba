"""What the SUT remembers: which answers depend on the tests before, though databases are put back between them.

A test whose operations remember nothing needs no start of its own while it is made smaller. Tests that answer the same wherever they run
share a start when they are verified and when the suite runs; where no operation remembers anything, all do. It is asked, not assumed. The chosen test cases run one after the other on a fresh start,
and again on another: what is the same both times is no matter of chance. Then they run in reverse, behind all others and on a fresh
start, there behind those that only read: what is answered otherwise has met something that another test left behind, or misses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.engine.candidates import Candidate
from wimble.engine.checks import body_checks
from wimble.engine.context import RunContext
from wimble.engine.faults import is_safe
from wimble.engine.limits import PhaseLimit
from wimble.engine.suite_databases import put_back_all
from wimble.model.conditions import AS_TESTS_RUN, Conditions
from wimble.model.evaluation import Evaluation, Observation
from wimble.model.testcase import TestCase
from wimble.oracles.crashes import DIED

MAX_ASKED = 300
"""Test cases, of which each is run four times."""
N_STARTS = 3
"""That this takes."""
TIME_SHARE = 0.2
"""Of the time for making tests smaller; what is not known by then is taken to be remembered."""
NEEDS_HISTORY = "a fault needs what earlier tests did"

Answers = list[Evaluation | None]
"""What each test case gave; None where the SUT was lost, or where there was no time."""


def find_out_memory(context: RunContext, candidates: Sequence[Candidate], limit: PhaseLimit) -> None:
    """Sets `context.forgetful`, `context.memory` and `is_forgetful` of the candidates. Raises: TargetError.

    The SUT lives as it does when tests are verified.
    """
    about = [candidate for candidate in candidates if not _ends_the_sut(candidate)][:MAX_ASKED]
    asked = [candidate.test_case for candidate in about]
    if not context.settings.command or all(map(is_safe, asked)):
        return
    if not limit.allows(N_STARTS * context.start_s, TIME_SHARE):
        return
    context.sut.live_under(AS_TESTS_RUN)
    try:
        runs = _four_ways(context, asked, limit)
    finally:
        context.sut.live_under(Conditions(is_isolated=context.settings.techniques.isolation))
    known = {
        call.operation.id
        for test_case, *evaluations in zip(asked, *runs, strict=True)
        if all(one is not None for one in evaluations)
        for call in test_case.calls
    }
    differing = dict(_differing(asked, *runs))
    context.forgetful = frozenset(known - differing.keys())
    context.memory = next(iter(differing.values()), "")
    for candidate, *evaluations in zip(about, *runs, strict=True):
        candidate.is_forgetful = candidate.fault_key is None and _is_same(evaluations)


def keep_to_the_rule_of_suites(context: RunContext, candidates: Sequence[Candidate]) -> None:
    """Before verification: faults share starts only where nothing at all is remembered, and nobody does where a suite cannot put back
    what tests leave in databases."""
    if not put_back_all(context.sut.databases):
        context.forgetful = frozenset()
        for candidate in candidates:
            candidate.is_forgetful = False
    elif any(context.remembers(candidate.test_case) for candidate in candidates):
        context.forgetful = frozenset()


def note_memory(context: RunContext, memory: str) -> None:
    """What was found out is not so, as is seen only now."""
    if context.forgetful:
        context.forgetful = frozenset()
        context.memory = context.memory or memory


def told_starts(*, remembers: bool, memory: str, in_order: bool, n_sharing: int, n_tests: int) -> str:
    """How tests start the SUT and why, in a sentence; empty where nothing was found out.

    remembers: whether any test may depend on those before it. in_order: whether tests of a file share a start though it remembers.
    """
    if not remembers:
        return "the SUT remembers nothing: tests of a file share a start"
    if not memory:
        return ""
    if in_order:
        how = "tests of a file share a start, in their order"
    elif n_sharing:
        how = f"{n_sharing} of {n_tests} tests find the same whatever ran before and share a start per file, each other one starts it afresh"
    else:
        how = "each test starts it afresh"
    return f"the SUT remembers ({memory}): {how}"


def _four_ways(context: RunContext, asked: Sequence[TestCase], limit: PhaseLimit) -> tuple[Answers, ...]:
    """In their order on two fresh starts, backwards behind these, and on a fresh start those that only read and then the others
    backwards; all answers as `asked` is ordered."""
    backwards = asked[::-1]
    context.restart()
    first = _answers(context, asked, limit)
    context.restart()
    again = _answers(context, asked, limit)
    behind = _answers(context, backwards, limit)[::-1]
    context.restart()
    readers_first = sorted(range(len(asked)), key=lambda number: (not is_safe(asked[number]), -number))
    fresh = dict(zip(readers_first, _answers(context, [asked[number] for number in readers_first], limit), strict=True))
    return first, again, behind, [fresh[number] for number in range(len(asked))]


def _answers(context: RunContext, test_cases: Sequence[TestCase], limit: PhaseLimit) -> Answers:
    answers: Answers = []
    for test_case in test_cases:
        evaluation = None if limit.is_spent(TIME_SHARE) else context.evaluate(test_case)[0]
        answers.append(None if evaluation is None or evaluation.is_sut_lost else evaluation)
    return answers


def _differing(
    asked: Sequence[TestCase], first: Answers, again: Answers, *elsewhere: Answers
) -> Iterator[tuple[str, str]]:
    """Operations with an answer that is the same in the first two runs and another one elsewhere, with what it was, in words."""
    for test_case, one, two, *others in zip(asked, first, again, *elsewhere, strict=True):
        for other in others:
            if one is None or two is None or other is None:
                continue
            for call, *usual, observed in zip(
                test_case.calls, one.observations, two.observations, other.observations, strict=True
            ):
                told = _told_apart(usual, observed)
                if told:
                    yield call.operation.id, f"{call.operation.id} answered {told}"


def _is_same(evaluations: Sequence[Evaluation | None]) -> bool:
    """Whether a test case was answered the same each time, by chance or not."""
    known = [one for one in evaluations if one is not None]
    if len(known) < len(evaluations):
        return False
    for first, again, *elsewhere in zip(*(one.observations for one in known), strict=True):
        if _status(first) != _status(again) or any(_told_apart((first, again), other) for other in elsewhere):
            return False
    return True


def _told_apart(usual: Sequence[Observation], other: Observation) -> str:
    """How the other answer differs from what was the same in the usual ones; empty where it does not."""
    before = {_status(one) for one in usual}
    if len(before) > 1:
        return ""
    (status,) = before
    if _status(other) != status:
        return f"{status} and {_status(other)}"
    answers = [one.response for one in usual if one.response is not None]
    if other.response is None or len(answers) < len(usual):
        return ""
    places = {answer.header("location") for answer in answers}
    is_elsewhere = len(places) == 1 and other.response.header("location") not in places
    if is_elsewhere or body_checks(answers) != body_checks([*answers, other.response]):
        return f"{status} with two bodies"
    return ""


def _status(observation: Observation) -> str:
    return str(observation.response.status) if observation.response is not None else "nothing"


def _ends_the_sut(candidate: Candidate) -> bool:
    return candidate.fault_key is not None and candidate.fault_key[0] == DIED
