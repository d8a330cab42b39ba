"""Test cases that try whether an input decides which host the program calls (server-side request forgery).

An input is tried if its value stands in a request to a service, or if it is called like an address. The probes name a
host that occurs nowhere else (`MARK.probe.example`): a request to it proves that the input has decided. They are sent
one after the other, until one has, or all of them have shown that the host is fixed or checked. All inputs have their
first probe before one has its second, and those that are called like addresses come first, and soon.

Where an input is first seen, the call may be refused for the sake of another input, and all probes with it. They are
sent once more when the input's value first stands in a request.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator
from random import Random
from typing import Final

import msgspec

from wimble.feedback.comparison.named_members import names_down_to
from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes.taint_markers import taint_marker
from wimble.model.external import PROBE_DOMAIN, ExternalRequest, Unmockable, host_and_port
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.types import OperationId

OF_ADDRESS: Final = 0.5
"""Probability of having a turn, while there are probes of inputs that are called like addresses."""
OF_OTHERS: Final = 0.05
"""The same, while there are none."""
TEMPLATES: Final = ("https://{}/", "{}", "{}/", "@{}/", ".{}/", "//{}/", "http://{}/")
"""Whole addresses; hosts; ends of a host, before which the program puts a name of its own; user names."""
MAX_WAITING: Final = 100
"""Maximum number of inputs that wait; further ones are dropped."""
MIN_TEXT: Final = 4
"""Shorter values occur in requests by chance."""
ORACLE: Final = "request-forgery"
_ADDRESS: Final = re.compile(
    r"ur[il]|href|link|host|domain|endpoint|webhook|callback|redirect|proxy|origin|server|address|feed|source|image|avatar",
    re.IGNORECASE,
)
"""Names of inputs that may hold an address."""

_Key = tuple[OperationId, tuple[str, ...]]
"""(operation, name of the input)."""


class _Waiting(msgspec.Struct):
    key: _Key
    call: int
    test_case: TestCase
    address: GeneAddress
    inner: tuple[str | int, ...]
    templates: deque[str]
    is_address: bool
    """Whether the input is called like an address."""

    @property
    def rank(self) -> tuple[bool, int]:
        return not self.is_address, -len(self.templates)


class _HostProbe(Proposal, kw_only=True):
    key: _Key


class HostProbes(Generator):
    """Holds the inputs in the order in which they were seen. accepted: operations whose inputs may name hosts."""

    def __init__(self, rng: Random, accepted: Collection[str] = ()) -> None:
        super().__init__()
        self._rng = rng
        self._accepted = frozenset(accepted)
        self._waiting: list[_Waiting] = []
        self._seen: dict[_Key, bool] = {}
        """Whether the value stood in a request when the input was seen."""
        self._proven: set[_Key] = set()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def admission(self, generator: Generator, progress: float) -> bool:
        """Admits the generator soon if an input is called like an address, and seldom otherwise."""
        return self._rng.random() < (OF_ADDRESS if any(one.is_address for one in self._waiting) else OF_OTHERS)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            first = min(self._waiting, key=lambda one: one.rank)
            if first.key in self._proven or not first.templates:
                self._waiting.remove(first)
                continue
            made = self._probe(first, first.templates.popleft())
            if made is not None:
                return _HostProbe(made, self, key=first.key)
        return None

    def _probe(self, waiting: _Waiting, template: str) -> TestCase | None:
        for site in iter_sites(waiting.test_case, waiting.call, None):
            if (site.address, site.inner) == (waiting.address, waiting.inner):
                place = site.put(template.format(f"{taint_marker(self._rng)}.{PROBE_DOMAIN}"))
                return None if place is None else waiting.test_case.with_gene(*place)
        return None

    def observe(self, outcome: Outcome) -> None:
        evaluation, proposal = outcome.evaluation, outcome.proposal
        if isinstance(proposal, _HostProbe):
            if any(one.oracle == ORACLE for one in evaluation.findings):
                self._proven.add(proposal.key)
            return
        if evaluation.is_sut_lost or not (evaluation.interactions or outcome.improvement.newly_covered):
            return
        called: dict[int, list[str]] = {}
        for one in evaluation.interactions:
            if isinstance(one, ExternalRequest):
                called.setdefault(one.call, []).append(f"{host_and_port(one.origin)[0]} {one.target}")
            elif isinstance(one, Unmockable):
                called.setdefault(one.call, []).append(one.host)
        calls = called if not outcome.improvement.newly_covered else range(len(evaluation.test_case.calls))
        for call in calls:
            self._add(evaluation.test_case, call, called.get(call, []))

    def _add(self, test_case: TestCase, call: int, called: list[str]) -> None:
        operation = test_case.calls[call].operation.id
        if operation in self._accepted:
            return
        for site, name in _texts(test_case, call):
            if len(self._waiting) >= MAX_WAITING:
                return
            key = (operation, name)
            if self._seen.get(key) or key in self._proven:
                continue
            is_address = _ADDRESS.search(name[-1]) is not None
            is_sent = _is_in(site.value, called)
            if is_sent or (is_address and key not in self._seen):
                self._seen[key] = is_sent
                self._waiting = [one for one in self._waiting if one.key != key]
                ended = TestCase(test_case.calls[: call + 1], test_case.setup)
                templates = deque(TEMPLATES)
                self._waiting.append(_Waiting(key, call, ended, site.address, site.inner, templates, is_address))


def _texts(test_case: TestCase, call: int) -> Iterator[tuple[Site, tuple[str, ...]]]:
    """Yields the texts of a call that can be changed, with their names."""
    for site in iter_sites(test_case, call, None):
        name = (*names_down_to(test_case, site.address), *map(str, site.inner))
        if isinstance(site.value, str) and name and site.is_free():
            yield site, name


def _is_in(value: object, called: list[str]) -> bool:
    """Whether a value stands in a request; of an address, its host."""
    text = str(value).lower()
    text = text.partition("://")[2].partition("/")[0] or text
    return len(text) >= MIN_TEXT and any(text in one.lower() for one in called)
