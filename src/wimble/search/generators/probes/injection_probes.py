"""Test cases that send what would be syntax of a command, to find injections.

They are made from test cases of which an input stands in a command (engine/queries/injection_targets.py). The probes of
one input are sent one after the other, until one has become syntax or all of them have shown that it is escaped.
"""

from __future__ import annotations

from collections import deque
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
ORACLES: Final = frozenset({"sql-injection", "nosql-injection"})
"""Oracles whose findings prove that an input has become syntax."""


class _Waiting(msgspec.Struct):
    """An injection target with the probes that are left."""

    hint: InjectionHint
    test_case: TestCase
    templates: deque[Json]


class _ProbeProposal(Proposal, kw_only=True):
    hint: InjectionHint


class InjectionProbes(Generator):
    """Holds injection targets in the order in which they came."""

    learns_from = "injections"

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._waiting: deque[_Waiting] = deque()
        self._proven: set[tuple[str, ...]] = set()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            first = self._waiting[0]
            if first.hint.key in self._proven or not first.templates:
                self._waiting.popleft()
                continue
            made = _with_probe(first, first.templates.popleft(), self._rng)
            if made is not None:
                return _ProbeProposal(made, self, hint=first.hint)
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
                self._waiting.append(_Waiting(hint, test_case, deque(hint.templates)))


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
