"""Test cases that send what would be syntax of a command, to find injections.

They are made from test cases of which an input stands in a command (engine/queries/injection_targets.py). All targets
have a first probe before any has a second one, until one has become syntax or all of them have shown that the input is
escaped. Operations take turns, and a target that another operation has, too (the same input of a command that is sent
at the same place, as by a guard that all of them share), comes later: the first was most likely the same code.
"""

from __future__ import annotations

from collections import Counter, deque
from random import Random
from typing import Final

import msgspec

from wimble.databases.injections.probes import probe
from wimble.feedback.input_to_state.input_sites import iter_sites
from wimble.feedback.input_to_state.origin import Place
from wimble.genes import AnyGene, StringGene
from wimble.model.evaluation import Evaluation
from wimble.model.hints import InjectionHint
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.types import Json

PROBABILITY: Final = 0.5
"""Probability of having a turn, while there are probes."""
MAX_WAITING: Final = 256
"""Maximum number of injection targets that wait, oldest first; further ones are dropped."""
ALIKE_DELAY: Final = 3
"""A target that another operation has, too, comes as late as one that has had so many probes. A helper through which
all commands are sent makes different targets alike, too, so they are not left out.
"""
ORACLES: Final = frozenset({"sql-injection", "nosql-injection"})
"""Oracles whose findings prove that an input has become syntax."""


class _Waiting(msgspec.Struct):
    """An injection target with the probes that are left."""

    hint: InjectionHint
    test_case: TestCase
    templates: deque[Json]
    lateness: int = 0
    """Number of probes that it has had, or counts as having had."""


class _ProbeProposal(Proposal, kw_only=True):
    hint: InjectionHint


class InjectionProbes(Generator):
    """Holds injection targets, and takes those first that have had the fewest probes."""

    learns_from = "injections"

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._waiting: list[_Waiting] = []
        self._proven: set[tuple[str, ...]] = set()
        self._owners: dict[tuple[str, ...], str] = {}
        """The first operation of each place, input and position."""
        self._n_sent: Counter[str] = Counter()
        """Probes of each operation."""

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        self._waiting = [one for one in self._waiting if one.templates and one.hint.key not in self._proven]
        while self._waiting:
            next_one = min(self._waiting, key=lambda one: (one.lateness, self._n_sent[one.hint.key[0]]))
            made = _with_probe(next_one, next_one.templates.popleft(), self._rng)
            next_one.lateness += 1
            self._waiting = [one for one in self._waiting if one.templates]
            if made is not None:
                self._n_sent[next_one.hint.key[0]] += 1
                return _ProbeProposal(made, self, hint=next_one.hint)
        return None

    def observe(self, outcome: Outcome) -> None:
        self._add(outcome.evaluation)
        proposal = outcome.proposal
        if isinstance(proposal, _ProbeProposal):
            findings = outcome.evaluation.findings
            if any(one.oracle in ORACLES and one.call_index == proposal.hint.call for one in findings):
                self._proven.add(proposal.hint.key)

    def _add(self, evaluation: Evaluation) -> None:
        if evaluation.is_sut_lost:
            return
        for hint in evaluation.injections[: MAX_WAITING - len(self._waiting)]:
            if hint.key not in self._proven:
                calls = evaluation.test_case.calls[: hint.call + 1]
                test_case = TestCase(calls, evaluation.test_case.setup)
                owner = self._owners.setdefault(hint.key[1:], hint.key[0])
                lateness = 0 if owner == hint.key[0] else ALIKE_DELAY
                self._waiting.append(_Waiting(hint, test_case, deque(hint.templates), lateness))


def _with_probe(waiting: _Waiting, template: Json, rng: Random) -> TestCase | None:
    """Returns the test case with a probe as its input; None if the input cannot hold it."""
    place = _place(waiting, template, rng)
    return None if place is None else waiting.test_case.with_gene(*place)


def _place(waiting: _Waiting, template: Json, rng: Random) -> Place | None:
    hint = waiting.hint
    if not isinstance(template, str):
        return hint.address, AnyGene(probe(template, rng))
    sites = iter_sites(waiting.test_case, hint.call, None)
    site = next((one for one in sites if (one.address, one.inner) == (hint.address, hint.inner)), None)
    if site is None:
        return None
    max_length = site.gene.max_length if isinstance(site.gene, StringGene) else None
    return site.put(probe(template, rng, max_length))
