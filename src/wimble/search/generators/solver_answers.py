"""Test cases that the solver has computed for targets with which the search makes no progress.

When nothing new was covered for a while, the test cases that came closest to uncovered outcomes are run once more on a
SUT with tracing. That gives the conditions over their inputs; the solver is asked for values with which the condition
of the target has its other outcome, and the test case with these values is traced in turn, until the outcome is there
or the steps are used up ([Concolic]; `docs/solver.md`). Each test case is traced for a target once, so where the solver
cannot help it soon costs nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

import msgspec

from wimble.feedback.comparison.named_members import names_down_to
from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes.gene import Resolver
from wimble.model.operands import is_number, to_text
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Archive
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.solve.ladder import Answer, flipped
from wimble.solve.path_conditions import CallInput, Path, Scalar
from wimble.types import TargetId

FIRST_WAIT: Final = 500
"""Number of evaluations in a row without a newly covered target after which the solver is asked."""
MAX_TARGETS: Final = 24
"""Maximum number of targets per round."""
MAX_STEPS: Final = 8
"""Maximum number of traced test cases for one target and round."""
MAX_FLIPS: Final = 4
"""Maximum number of conditions of one path that are flipped."""
MAX_BLIND_STEPS: Final = 2
"""The same, of paths on which the target's condition did not depend on inputs."""
MAX_ASKED: Final = 3
"""Maximum number of test cases that one target is traced with in a whole search."""
KINDS: Final = frozenset({"branch", "case", "method"})

TracedRun = Callable[[TestCase, int, Sequence[CallInput]], Path | None]
"""Runs a test case with tracing: the test case, the index of the call to follow, and the inputs of that call. Returns
None if the SUT has recorded no path.
"""


class Tracer(Protocol):
    """Gives access to a SUT with tracing."""

    def tracing(self) -> AbstractContextManager[TracedRun | None]:
        """Starts a SUT with tracing for as long as the context lasts; None if there can be none."""
        ...


class SolverStatistics(msgspec.Struct):
    """What the solver was asked, and what it said."""

    n_rounds: int = 0
    n_traced: int = 0
    answers: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of questions by the rung that answered, or by the reason why there is no answer."""
    reasons: dict[TargetId, str] = {}
    """For targets that it was asked about: what became of it."""


class SolverAnswers(Generator):
    """Asks the solver in rounds, and holds its answers until their turn."""

    def __init__(self, archive: Archive, table: TargetTable) -> None:
        super().__init__()
        self.tracer: Tracer | None = None
        """Set once the SUT runs; without it, there are no proposals."""
        self.statistics = SolverStatistics()
        self._archive = archive
        self._table = table
        self._waiting: deque[Proposal] = deque()
        self._asked: dict[TargetId, set[int]] = {}
        self._n_since = 0
        self._wait = FIRST_WAIT

    def is_ready(self) -> bool:
        return bool(self._waiting) or (self.tracer is not None and self._n_since >= self._wait)

    def propose(self, progress: float) -> Proposal | None:
        if not self._waiting:
            self._ask()
        while self._waiting:
            proposal = self._waiting.popleft()
            if proposal.target is not None and not self._archive.is_covered(proposal.target):
                return proposal
        return None

    def observe(self, outcome: Outcome) -> None:
        is_success = bool(outcome.improvement.newly_covered)
        self._n_since = 0 if is_success else self._n_since + 1
        if outcome.proposal.generator is self:
            self.credit.add(is_success=is_success)
            if is_success:
                self._wait = FIRST_WAIT

    def _ask(self) -> None:
        """Asks about the targets that were not asked about yet with their present test case."""
        self._n_since = 0
        targets = list(self._stuck())
        if not targets or self.tracer is None:
            self._wait *= 2
            return
        self.statistics.n_rounds += 1
        with self.tracer.tracing() as run:
            if run is None:
                self.tracer = None
                return
            for target in targets:
                self._ask_about(target, run)
        if not self._waiting:
            self._wait *= 2

    def _stuck(self) -> Iterator[TargetId]:
        n_targets = 0
        for target in sorted(self._archive.open_targets(), key=self._is_side_issue):
            best = self._archive.best(target)
            if best is None or self._table[target].kind not in KINDS or n_targets >= MAX_TARGETS:
                continue
            asked = self._asked.setdefault(target, set())
            if best[0].serial in asked or len(asked) >= MAX_ASKED:
                continue
            asked.add(best[0].serial)
            n_targets += 1
            yield target

    def _is_side_issue(self, target: TargetId) -> bool:
        """Whether its condition is about a key or a function, and so seldom about numbers or characters."""
        return self._table[target].kind == "method" or self._table[target].operator == "key"

    def _ask_about(self, target: TargetId, run: TracedRun) -> None:
        best = self._archive.best(target)
        if best is None:
            return
        entry, call = best
        open_cases, known = deque([entry.test_case]), {_phenotype(entry.test_case, call, entry.resolve)}
        reason = "no condition of the path depends on the inputs"
        n_blind = 0
        for _ in range(MAX_STEPS):
            if not open_cases or n_blind > MAX_BLIND_STEPS:
                break
            test_case = open_cases.popleft()
            sites = named_sites(test_case, call, entry.resolve)
            self.statistics.n_traced += 1
            path = run(test_case, call, [one for one, _ in sites])
            if path is None:
                continue
            numbers, is_there = _conditions(path, self._table[target])
            if is_there:
                self._waiting.append(Proposal(test_case, self, target=target, edit="values from the solver"))
                reason = "solved"
                break
            n_blind += all(path.entries[number].site != _site(self._table[target]) for number in numbers)
            for number in numbers:
                answer = flipped(path, number)
                self.statistics.answers[answer.rung or answer.reason] += 1
                reason = answer.reason or reason
                made = None if answer.values is None else _with_values(test_case, sites, answer)
                phenotype = None if made is None else _phenotype(made, call, entry.resolve)
                if made is not None and phenotype is not None and phenotype not in known:
                    known.add(phenotype)
                    open_cases.append(made)
        # What was made last is run in any case: tracing may have lost the condition.
        for left in list(open_cases)[:2]:
            self._waiting.append(Proposal(left, self, target=target, edit="values from the solver"))
        self.statistics.reasons[target] = reason


def named_sites(test_case: TestCase, call: int, resolve: Resolver | None) -> list[tuple[CallInput, Site]]:
    """Returns the scalars of one call with their places, names, and values as the SUT receives them."""
    found: dict[str, tuple[CallInput, Site]] = {}
    for site in iter_sites(test_case, call, resolve):
        value = site.value
        if not isinstance(value, (str, bool)) and not is_number(value):
            continue
        names = [*names_down_to(test_case, site.address), *(str(step) for step in site.inner)]
        received: Scalar = value if site.is_json else to_text(value)
        declared = test_case.calls[call].operation.inputs[site.address.input]
        place = "/" + "/".join(part for part in (declared.sent_in, *names) if part)
        if place not in found and site.is_free():
            name = next((name for name in reversed(names) if not name.isdigit()), "")
            found[place] = (CallInput(place, name, received), site)
    return list(found.values())


def _phenotype(test_case: TestCase, call: int, resolve: Resolver | None) -> tuple[tuple[str, Scalar], ...]:
    return tuple((one.place, one.value) for one, _ in named_sites(test_case, call, resolve))


def _with_values(test_case: TestCase, sites: Sequence[tuple[CallInput, Site]], answer: Answer) -> TestCase:
    """Returns the test case with the values of an answer, as far as its inputs can hold them."""
    for one, site in sites:
        value = (answer.values or {}).get(one.place, one.value)
        if value != one.value:
            place = site.put(value)
            if place is not None:
                test_case = test_case.with_gene(*place)
    return test_case


def _site(target: Target) -> str:
    """Returns the site of the target's condition in a path."""
    detail = target.detail if target.kind == "case" else target.operator
    return f"{target.file}:{target.line}:{target.column}:{detail}"


def _conditions(path: Path, target: Target) -> tuple[list[int], bool]:
    """Returns the conditions to flip for a target, the most promising first, and whether its outcome was there.

    These are the conditions at the target's place. If there is none, its condition may depend on values that have no
    expression in this run: then they are those that built-ins have evaluated, and the latest ones.
    """
    outcome = target.detail.rpartition(" ")[2]
    wanted = outcome != "false"
    is_method = target.kind == "method"
    exact = _site(target)
    line = f"{target.file}:{target.line}:"
    own: list[int] = []
    others: list[int] = []
    for number, entry in enumerate(path.entries):
        is_here = entry.site == exact or (
            is_method and entry.site.startswith(line) and entry.site.endswith(":()") and not own
        )
        if is_here and entry.is_taken == (wanted if target.kind != "case" else True):
            if not is_method:
                return [], True
        elif is_here:
            own.append(number)
        else:
            others.append(number)
    if own:
        chosen = [*own[:2], *own[-2:]]
    else:
        hidden = [number for number in others if ":" not in path.entries[number].site]
        chosen = [*hidden[-2:], *others[-1:]]
    return list(dict.fromkeys(chosen))[:MAX_FLIPS], False
