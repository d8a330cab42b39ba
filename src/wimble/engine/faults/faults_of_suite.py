"""Which tests of a suite show faults that the run reports.

Minimising may leave a call of which each argument is sensible, where the call of the search was odd: then verification
is the first to see its fault. And a fault that was left out, such as one of a method that has never returned, may show
in a test that is kept for what it covers: it is no test of a fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from wimble.model.evaluation import Evaluation, Finding
from wimble.model.suite import VerifiedTest

FaultKey: TypeAlias = tuple[str, ...]


def iter_unseen(tests: Sequence[VerifiedTest], known: Collection[FaultKey]) -> Iterator[tuple[Evaluation, Finding]]:
    """Yields the findings of tests with keys that are not known, with their first verification run."""
    for test in tests:
        for finding in test.findings:
            if finding.key not in known:
                observations = tuple(call.observation for call in test.calls)
                yield Evaluation(test_case=test.test_case, observations=observations, reached={}), finding


def as_reported(tests: Sequence[VerifiedTest], reported: Collection[FaultKey]) -> tuple[VerifiedTest, ...]:
    """Returns the tests, of which those without a reported fault are no tests of faults."""
    return tuple(one if one.kind != "fault" or _shows(one, reported) else _of_coverage(one) for one in tests)


def _shows(test: VerifiedTest, reported: Collection[FaultKey]) -> bool:
    return any(finding.key in reported for finding in test.findings)


def _of_coverage(test: VerifiedTest) -> VerifiedTest:
    return replace(test, kind="other", findings=())
